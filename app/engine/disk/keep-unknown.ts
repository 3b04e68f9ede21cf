/** Fields that name an item of a list, the first of them that it has. */
const NAMES = ['id', 'path', 'library', 'name'];

/**
 * Returns a changed JSON value with what a newer version added to it: the fields that `stored`, as it was read, has and
 * `known`, what this version understood of it, does not. Items of lists are matched by their ID or name, else by their
 * content.
 */
export function keepUnknown(stored: unknown, known: unknown, changed: unknown): unknown {
  if (stored === known) return changed;
  if (Array.isArray(stored) && Array.isArray(known) && Array.isArray(changed)) {
    // Unreadable items are not among the known ones.
    if (stored.length !== known.length) return changed;
    const places = new Map(known.map((item: unknown, at) => [nameOf(item), at]));
    return changed.map((item: unknown) => {
      const at = places.get(nameOf(item));
      return at === undefined ? item : keepUnknown(stored[at], known[at], item);
    });
  }
  if (!isObject(stored) || !isObject(known) || !isObject(changed)) return changed;
  const of = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
    Object.hasOwn(object, name) ? object[name] : undefined;
  return Object.fromEntries([
    ...Object.entries(changed).map(([name, value]) => [name, keepUnknown(of(stored, name), of(known, name), value)]),
    // No version has fields with the names of an object's own.
    ...Object.entries(stored).filter(([name]) => !Object.hasOwn(known, name) && !(name in changed)),
  ]) as unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(item: unknown): string {
  const name = isObject(item) ? NAMES.find((field) => typeof item[field] === 'string') : undefined;
  return JSON.stringify(isObject(item) && name !== undefined ? item[name] : item);
}
