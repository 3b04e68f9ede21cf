/** Returns `make`, called once per key: the first result is kept. */
export function memo<K, V extends string | number | bigint | boolean | object | null>(
  make: (key: K) => V,
): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make(key)));
    return value;
  };
}
