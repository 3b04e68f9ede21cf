import { memo } from '../../model/memo.ts';
import { malformed } from '../../model/failure.ts';
import { BinaryPlist, type PlistObject } from './binary-plist.ts';

/** Objects written by Foundation's NSKeyedArchiver: each is a dictionary whose values may refer to other objects. */
export class KeyedArchive {
  readonly #plist: BinaryPlist;
  readonly #objects: readonly number[];
  readonly #top: PlistObject;

  constructor(bytes: Uint8Array) {
    this.#plist = new BinaryPlist(bytes);
    const root = this.#plist.object(this.#plist.top);
    const objects = this.#raw(root, '$objects');
    this.#top = this.#raw(root, '$top');
    if (!isKind(objects, 'array')) throw malformed('a property list in the archive is not a keyed archive');
    this.#objects = objects.rows;
  }

  /** Returns the value of `key` in the archive's own dictionary; null if there is none. */
  top(key: string): PlistObject {
    return this.field(this.#top, key);
  }

  /** Returns null if `object` has no such field. */
  field(object: PlistObject, key: string): PlistObject {
    return this.#followed(this.#raw(object, key));
  }

  has(object: PlistObject, key: string): boolean {
    return this.#fields(object).has(key);
  }

  /** Returns the items of an NSArray; empty for anything else. */
  items(object: PlistObject): PlistObject[] {
    const items = this.#raw(object, 'NS.objects');
    return isKind(items, 'array') ? items.rows.map((row) => this.#followed(this.#plist.object(row))) : [];
  }

  /**
   * Returns the pairs of an NSDictionary, or of Instruments' dictionaries with integer keys; empty for anything else.
   */
  pairs(object: PlistObject): (readonly [PlistObject, PlistObject])[] {
    const keys = this.#raw(object, 'NS.keys');
    if (isKind(keys, 'array')) {
      const values = this.items(object);
      return keys.rows.map((row, index) => [this.#followed(this.#plist.object(row)), values[index] ?? null]);
    }
    return [...this.numbered(object, 1, Number(integerOf(this.field(object, '$0')) ?? 0n))];
  }

  /** Yields the pairs that were encoded without a name, starting at `$first`: two values each, until one is missing. */
  *numbered(object: PlistObject, first: number, count: number): Generator<readonly [PlistObject, PlistObject]> {
    const fields = this.#fields(object);
    for (let index = 0; index < count; index++) {
      const [key, value] = [fields.get(`$${first + 2 * index}`), fields.get(`$${first + 2 * index + 1}`)];
      if (key === undefined || value === undefined) return;
      yield [this.#followed(this.#plist.object(key)), this.#followed(this.#plist.object(value))];
    }
  }

  /** Returns the text, including that of an NSString object; null for anything else. */
  text(object: PlistObject): string | null {
    const text = typeof object === 'string' ? object : this.field(object, 'NS.string');
    return typeof text === 'string' && text !== '$null' ? text : null;
  }

  #followed(object: PlistObject): PlistObject {
    if (!isKind(object, 'uid')) return object;
    const row = this.#objects[object.uid];
    const found = row === undefined ? null : this.#plist.object(row);
    return found === '$null' || isKind(found, 'uid') ? null : found;
  }

  #raw(object: PlistObject, key: string): PlistObject {
    const row = this.#fields(object).get(key);
    return row === undefined ? null : this.#plist.object(row);
  }

  readonly #fields = memo((object: PlistObject): ReadonlyMap<string, number> => {
    const fields = new Map<string, number>();
    if (!isKind(object, 'dict')) return fields;
    object.keys.forEach((key, index) => {
      const name = this.#plist.object(key);
      if (typeof name === 'string') fields.set(name, object.rows[index]!);
    });
    return fields;
  });
}

export const integerOf = (object: PlistObject): bigint | null => (typeof object === 'bigint' ? object : null);

type Kinds = Extract<PlistObject, { readonly kind: string }>;

function isKind<K extends Kinds['kind']>(object: PlistObject, kind: K): object is Extract<Kinds, { readonly kind: K }> {
  return typeof object === 'object' && object !== null && 'kind' in object && object.kind === kind;
}
