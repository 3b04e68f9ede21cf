/** Things of which the one with the largest key comes first: a binary heap. Of equal keys, any. */
export class LargestFirst<T> {
  readonly #keys: number[] = [];
  readonly #items: T[] = [];

  add(key: number, item: T): void {
    let at = this.#keys.push(key) - 1;
    this.#items.push(item);
    for (let above = (at - 1) >> 1; at > 0 && this.#keys[above]! < key; above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** undefined where there is none left. */
  take(): T | undefined {
    this.#swap(0, this.#keys.length - 1);
    this.#keys.pop();
    const taken = this.#items.pop();
    const { length } = this.#keys;
    for (let at = 0; ;) {
      let largest = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < length && this.#keys[below]! > this.#keys[largest]!) largest = below;
      }
      if (largest === at) return taken;
      this.#swap(at, largest);
      at = largest;
    }
  }

  #swap(one: number, other: number): void {
    if (other < 0 || one === other) return;
    const [keys, items] = [this.#keys, this.#items];
    [keys[one], keys[other]] = [keys[other]!, keys[one]!];
    [items[one], items[other]] = [items[other]!, items[one]!];
  }
}
