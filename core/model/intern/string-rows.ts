/** Interns strings to dense rows, in the order in which they first occur, after those given. */
export class StringRows {
  readonly list: string[];
  readonly #rows: Map<string, number>;

  constructor(first: readonly string[] = ['']) {
    this.list = [...first];
    this.#rows = new Map(first.map((text, row) => [text, row]));
  }

  rowOf(text: string): number {
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    this.#rows.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}
