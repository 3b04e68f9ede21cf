import { HALF, type GraphPath } from './call-graph.ts';

/** A stack with the percentage of the samples that have exactly this one. */
export interface WholeStack {
  readonly rootFirst: readonly string[];
  readonly percent: number;
}

/**
 * How call graphs repeat stacks. With a row for each function on a stack (`--children`), the graph of a row has the part
 * of each stack below the function (callers first: `below`), or above it (callees first: `above`). Without, each stack
 * is in one row (`once`).
 */
export type Repetition = 'below' | 'above' | 'once';

/**
 * Returns the stacks of one command, each once. A part that is the end of a longer stack (`below`), or its beginning
 * (`above`), counts only as far as the longer ones don't have it.
 */
export function wholeStacks(paths: readonly GraphPath[], isCalleeFirst: boolean, repetition: Repetition): WholeStack[] {
  // Longer stacks are below their parts: leaf first if a part is an end, else root first.
  const isLeafFirst = repetition === 'below';
  const trie = new NameTrie(repetition);
  for (const path of paths) {
    trie.add(isCalleeFirst === isLeafFirst ? path.names : path.names.toReversed(), path);
  }
  return trie.parts().map(({ names, percent }) => ({ rootFirst: isLeafFirst ? names : names.toReversed(), percent }));
}

class NameTrie {
  readonly #repetition: Repetition;
  readonly #rows = new Map<string, number>();
  readonly #parent: number[] = [-1];
  readonly #name: string[] = [''];
  /** → rows: the nearest one above with the same name; −1 if there is none. */
  readonly #sameAbove: number[] = [-1];
  readonly #percent: number[] = [0];
  readonly #rounding: number[] = [0];
  /** 1 for rows whose percentage is of this stack alone. */
  readonly #isWhole: number[] = [1];

  constructor(repetition: Repetition) {
    this.#repetition = repetition;
  }

  add(names: readonly string[], { row: { symbol }, self, rounding }: GraphPath): void {
    const last = new Map<string, number>();
    let row = 0;
    for (const name of names) {
      row = this.#child(row, name, last.get(name) ?? -1);
      last.set(name, row);
    }
    // Callers first, the row of the function in which samples end has all of their stacks.
    const isWhole = this.#repetition === 'once' || (this.#repetition === 'below' && names[0] === symbol);
    if (isWhole && this.#isWhole[row] === 0) this.#percent[row] = 0;
    else if (!isWhole && this.#isWhole[row] === 1 && this.#percent[row]! > 0) return;
    this.#isWhole[row] = isWhole ? 1 : 0;
    this.#percent[row] = isWhole ? this.#percent[row]! + self : Math.max(this.#percent[row]!, self);
    this.#rounding[row] = isWhole ? this.#rounding[row]! + rounding : Math.max(this.#rounding[row]!, rounding);
  }

  #child(parent: number, name: string, sameAbove: number): number {
    const key = `${parent} ${name}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, this.#parent.length);
    this.#name.push(name);
    this.#sameAbove.push(sameAbove);
    this.#percent.push(0);
    this.#rounding.push(0);
    this.#isWhole.push(0);
    return this.#parent.push(parent) - 1;
  }

  /** Returns the rows that have a percentage of their own, with their names from the row to the root. */
  parts(): { readonly names: string[]; readonly percent: number }[] {
    /** Percentages of the stacks kept below a row, and those that the row's own percentage includes. */
    const kept = this.#percent.map(() => 0);
    const included = this.#percent.map(() => 0);
    const roundingBelow = this.#percent.map(() => 0);
    const parts: { names: string[]; percent: number }[] = [];
    for (let row = this.#parent.length - 1; row > 0; row--) {
      const isWhole = this.#isWhole[row] === 1;
      const own = this.#percent[row]! - (isWhole ? 0 : included[row]!);
      const isKept = own > (isWhole ? 0 : this.#rounding[row]! + roundingBelow[row]!);
      const parent = this.#parent[row]!;
      if (isKept) kept[row]! += own;
      kept[parent]! += kept[row]!;
      included[parent]! += kept[row]!;
      // Callees first, a stack counts in the row of a recursive function from its innermost call on.
      const same = this.#sameAbove[row]!;
      if (this.#repetition === 'above' && same > 0) included[same]! -= kept[row]!;
      roundingBelow[parent]! += roundingBelow[row]! + (isKept ? HALF : 0);
      if (!isKept) continue;
      const names: string[] = [];
      for (let at = row; at > 0; at = this.#parent[at]!) names.push(this.#name[at]!);
      parts.push({ names, percent: own });
    }
    return parts.reverse();
  }
}
