interface NamedThread {
  readonly name: string;
  /** −1 if unknown, as in the profile's table of threads. */
  readonly pid?: number;
  readonly tid?: number;
}

/** Makes the names of otherwise indistinguishable threads unique: the second is `name (2)`. */
export function distinctNames(threads: readonly NamedThread[]): string[] {
  return threads.map(distinctNamer());
}

/** Returns a function that names one thread after another, like {@link distinctNames}. */
export function distinctNamer(): (thread: NamedThread) => string {
  const counts = new Map<string, number>();
  const used = new Set<string>();
  return ({ name, pid = -1, tid = -1 }) => {
    const keyOf = (text: string): string => `${pid} ${tid} ${text}`;
    let count = counts.get(keyOf(name)) ?? 0;
    let distinct: string;
    do {
      count += 1;
      distinct = count === 1 ? name : `${name} (${count})`;
    } while (used.has(keyOf(distinct)));
    counts.set(keyOf(name), count);
    used.add(keyOf(distinct));
    return distinct;
  };
}
