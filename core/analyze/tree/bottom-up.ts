import type { CallTree, StackView } from '../view/stack-view.ts';

/**
 * Maximum rows of a bottom-up tree, about 40 bytes each. Its size is the sum of the depths of all distinct stacks; for
 * one deep recursion with samples at every level it grows with the square of the depth.
 */
const MAX_BOTTOM_UP_ROWS = 8_000_000;

/** Ranges up to this size use insertion sort. */
const SMALL_RANGE = 12;

/**
 * Builds the tree of callers: level 1 holds the functions in which samples end, each level below it their callers.
 * Splits stacks (one entry each) by their next caller, level by level and depth first, like a radix sort of the
 * reversed stacks.
 */
export function bottomUpTree(view: StackView, rank: Int32Array, maxRows = MAX_BOTTOM_UP_ROWS): CallTree {
  const entries = leafEntries(view);
  const { depth: lastDepth, rows, isCut } = depthWithin(view, entries.row, maxRows);
  const tree = new GrowingTree(rows + 1, view);
  const split = new EntrySplitter(view, rank, entries);
  /** Per level of the path: the start of the next sibling's entries, and the end of the level's entries. */
  const cursor = [0];
  const rangeEnd = [entries.row.length];
  split.sort(0, entries.row.length);
  const path = [0];
  for (let level = 0; level >= 0;) {
    const start = cursor[level]!;
    if (start === rangeEnd[level]) {
      tree.close(path[level]!);
      level -= 1;
      continue;
    }
    const stop = split.groupEnd(start, rangeEnd[level]!);
    cursor[level] = stop;
    const node = tree.open(split.functionAt(start), path[level]!, split.weight(start, stop));
    const isDeepest = level + 1 === lastDepth;
    const below = isDeepest ? stop : split.toCallers(start, stop);
    tree.self[node] = split.weight(start, below);
    level += 1;
    path[level] = node;
    cursor[level] = below;
    rangeEnd[level] = stop;
  }
  return tree.finish(isCut ? lastDepth : null);
}

interface Entries {
  /** The view's row that the entry has reached; −1 beyond the root. */
  readonly row: Int32Array;
  readonly weight: Float64Array;
}

function leafEntries(view: StackView): Entries {
  const rows: number[] = [];
  for (let row = 0; row < view.length; row++) if (view.self[row] !== 0) rows.push(row);
  return { row: Int32Array.from(rows), weight: Float64Array.from(rows, (row) => view.self[row]!) };
}

/**
 * Returns the greatest depth (at least one level) to which all entries together have at most `maxRows` rows, and that
 * number of rows.
 */
function depthWithin(
  { length, parent }: StackView,
  leaves: Int32Array,
  maxRows: number,
): { depth: number; rows: number; isCut: boolean } {
  const depth = new Int32Array(length);
  for (let row = 0; row < length; row++) depth[row] = parent[row]! < 0 ? 1 : depth[parent[row]!]! + 1;
  let deepest = 0;
  for (const row of leaves) deepest = Math.max(deepest, depth[row]!);
  const endingAt = new Int32Array(deepest + 2);
  for (const row of leaves) endingAt[depth[row]!]! += 1;
  let alive = leaves.length;
  let rows = alive;
  let level = 1;
  for (; level < deepest; level++) {
    alive -= endingAt[level]!;
    if (rows + alive > maxRows) break;
    rows += alive;
  }
  return { depth: level, rows, isCut: level < deepest };
}

/** Entries, ordered so that those with the same path so far are adjacent. */
class EntrySplitter {
  readonly #parent: Int32Array;
  readonly #func: Int32Array;
  readonly #rank: Int32Array;
  readonly #row: Int32Array;
  readonly #weight: Float64Array;
  readonly #order: Int32Array;
  readonly #keys: Float64Array;

  constructor(view: StackView, rank: Int32Array, { row, weight }: Entries) {
    this.#parent = view.parent;
    this.#func = view.func;
    this.#rank = rank;
    this.#row = row;
    this.#weight = weight;
    this.#order = Int32Array.from(row, (_, entry) => entry);
    this.#keys = new Float64Array(row.length);
  }

  functionAt(place: number): number {
    return this.#func[this.#row[this.#order[place]!]!]!;
  }

  weight(start: number, stop: number): number {
    let sum = 0;
    for (let place = start; place < stop; place++) sum += this.#weight[this.#order[place]!]!;
    return sum;
  }

  groupEnd(start: number, limit: number): number {
    const func = this.functionAt(start);
    let stop = start + 1;
    while (stop < limit && this.functionAt(stop) === func) stop += 1;
    return stop;
  }

  /**
   * Moves the entries to their callers. Returns the start of the entries that have a caller; entries at their root come
   * first.
   */
  toCallers(start: number, stop: number): number {
    for (let place = start; place < stop; place++) {
      const entry = this.#order[place]!;
      this.#row[entry] = this.#parent[this.#row[entry]!]!;
    }
    this.sort(start, stop);
    let below = start;
    while (below < stop && this.#row[this.#order[below]!]! < 0) below += 1;
    return below;
  }

  sort(start: number, stop: number): void {
    if (stop - start <= SMALL_RANGE) this.#sortByInsertion(start, stop);
    else this.#sortPacked(start, stop);
  }

  #rankOf(entry: number): number {
    const row = this.#row[entry]!;
    return row < 0 ? -1 : this.#rank[this.#func[row]!]!;
  }

  #sortByInsertion(start: number, stop: number): void {
    const order = this.#order;
    for (let place = start + 1; place < stop; place++) {
      const entry = order[place]!;
      const rank = this.#rankOf(entry);
      let slot = place;
      while (slot > start && this.#rankOf(order[slot - 1]!) > rank) {
        order[slot] = order[slot - 1]!;
        slot -= 1;
      }
      order[slot] = entry;
    }
  }

  /** Sorts by rank × entries + entry, packed into one number. It stays below 2^53 if functions × stacks does. */
  #sortPacked(start: number, stop: number): void {
    const entries = this.#row.length;
    const keys = this.#keys.subarray(start, stop);
    for (let place = start; place < stop; place++) {
      const entry = this.#order[place]!;
      keys[place - start] = (this.#rankOf(entry) + 1) * entries + entry;
    }
    keys.sort();
    for (let place = start; place < stop; place++) this.#order[place] = keys[place - start]! % entries;
  }
}

/** Call tree columns with a known maximum length, filled in pre-order. */
class GrowingTree {
  readonly self: Float64Array;
  readonly #func: Int32Array;
  readonly #parent: Int32Array;
  readonly #depth: Int32Array;
  readonly #end: Int32Array;
  readonly #total: Float64Array;
  #length = 1;

  constructor(capacity: number, { total, withoutStack }: StackView) {
    this.self = new Float64Array(capacity);
    this.#func = new Int32Array(capacity);
    this.#parent = new Int32Array(capacity);
    this.#depth = new Int32Array(capacity);
    this.#end = new Int32Array(capacity);
    this.#total = new Float64Array(capacity);
    this.#func[0] = -1;
    this.#parent[0] = -1;
    this.#total[0] = total;
    this.self[0] = withoutStack;
  }

  open(func: number, parent: number, total: number): number {
    const node = this.#length++;
    this.#func[node] = func;
    this.#parent[node] = parent;
    this.#depth[node] = this.#depth[parent]! + 1;
    this.#total[node] = total;
    return node;
  }

  close(node: number): void {
    this.#end[node] = this.#length;
  }

  finish(cutDepth: number | null): CallTree {
    const length = this.#length;
    return {
      length,
      direction: 'bottom-up',
      func: this.#func.slice(0, length),
      parent: this.#parent.slice(0, length),
      depth: this.#depth.slice(0, length),
      end: this.#end.slice(0, length),
      self: this.self.slice(0, length),
      total: this.#total.slice(0, length),
      cutDepth,
    };
  }
}
