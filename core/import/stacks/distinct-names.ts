/** Makes the names of otherwise indistinguishable threads unique: the second is `name (2)`. */
export function distinctNames(
  threads: readonly { readonly name: string; readonly pid?: number; readonly tid?: number }[],
): string[] {
  const counts = new Map<string, number>();
  return threads.map(({ name, pid = -1, tid = -1 }) => {
    const key = `${pid} ${tid} ${name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
