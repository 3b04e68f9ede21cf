/** Adds the parts of ECMAScript 2024 that the code uses (`lib` in tsconfig.json allows no others) to Node 20. */
if (!('withResolvers' in Promise)) {
  Object.assign(Promise, {
    withResolvers<T>(): PromiseWithResolvers<T> {
      const parts: Partial<PromiseWithResolvers<T>> = {};
      parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
      return parts as PromiseWithResolvers<T>;
    },
  });
}
if (!('groupBy' in Map)) {
  Object.assign(Map, {
    groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
      const groups = new Map<K, T[]>();
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index++);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [item]);
        else group.push(item);
      }
      return groups;
    },
  });
}
if (!('transfer' in ArrayBuffer.prototype)) {
  Object.assign(ArrayBuffer.prototype, {
    transfer(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      const moved = new Uint8Array(length);
      moved.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return moved.buffer;
    },
  });
}
