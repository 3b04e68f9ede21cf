import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile, StackTable } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { foldedPaths, type FoldedPaths } from './folded-paths.ts';
import { rankNames } from './ranked-names.ts';

/** A profile whose stacks are written, and the value type of their weights. */
export interface FoldedCapture {
  readonly profile: Profile;
  readonly valueType: ValueTypeIndex;
}

/** Path of a sample without a stack. */
const NO_PATH = -1;

/** A stack's weight in each capture: a bigint if it is an integer beyond 2^53. */
export type LineWeights = readonly (number | bigint)[];

interface FoldedLine {
  /** → names; −1 if the thread has no name. */
  readonly root: number;
  /** → paths; {@link NO_PATH} for samples without a stack. */
  readonly path: number;
  readonly weights: LineWeights;
}

interface FoldedLines {
  /** In order. */
  readonly names: readonly string[];
  readonly paths: FoldedPaths;
  readonly lines: Iterable<FoldedLine>;
}

/** Returns the lines of folded text, ordered by their frames' names; stacks that several captures have are one line. */
export function foldedLines(captures: readonly FoldedCapture[]): FoldedLines {
  const profiles = captures.map(({ profile }) => profile);
  const { sorted, ofFrame, ofThread } = rankNames(profiles);
  const stacks = joinStacks(profiles);
  const paths = foldedPaths(stacks, joined(ofFrame));
  const firstStack = startsOf(profiles.map(({ stacks }) => stacks));
  const pathOf = joined(
    profiles.map(({ samples }, at) =>
      samples.stack.map((stack) => (stack < 0 ? NO_PATH : paths.ofStack[firstStack[at]! + stack]!)),
    ),
  );
  const rootOf = joined(profiles.map(({ samples }, at) => samples.thread.map((thread) => ofThread[at]![thread]!)));
  const order = countingSort(rootOf, sorted.length, countingSort(pathOf, paths.parent.length, null));
  return { names: sorted, paths, lines: linesInOrder(captures, order, rootOf, pathOf) };
}

function* linesInOrder(
  captures: readonly FoldedCapture[],
  order: Int32Array,
  rootOf: Int32Array,
  pathOf: Int32Array,
): Generator<FoldedLine> {
  const columns = captures.map(({ profile, valueType }) => sampleWeights(profile, valueType));
  const firstSample = startsOf(columns);
  for (let first = 0, next = 0; first < order.length;) {
    const root = rootOf[order[first]!]!;
    const path = pathOf[order[first]!]!;
    const isOfLine = (row: number): boolean => pathOf[row] === path && rootOf[row] === root;
    // The samples of a line are in the order of the captures.
    const weights = columns.map((column, at) => {
      const start = firstSample[at]!;
      const end = start + column.length;
      while (next < order.length && order[next]! < end && isOfLine(order[next]!)) next += 1;
      const sum = sumOf(column, start, order, first, next);
      first = next;
      return sum;
    });
    yield { root, path, weights };
  }
}

/**
 * Returns the weight of the samples at `order[first … end − 1]`, the first of which is `start`. Sums of integers are
 * exact: a bigint if they exceed 2^53.
 */
function sumOf(weights: Float64Array, start: number, order: Int32Array, first: number, end: number): number | bigint {
  let sum = 0;
  for (let at = first; at < end; at++) sum += weights[order[at]! - start]!;
  if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum;
  const summed = Array.from(order.subarray(first, end), (row) => weights[row - start]!);
  return summed.every(Number.isInteger) ? summed.reduce((exact, weight) => exact + BigInt(weight), 0n) : sum;
}

/** Returns one table with the stacks of all profiles, one profile after the other. */
function joinStacks(profiles: readonly Profile[]): StackTable {
  const tables = profiles.map(({ stacks }) => stacks);
  const parents = tables.map(({ parent }) => parent);
  const frames = tables.map(({ frame }) => frame);
  const firstFrame = startsOf(profiles.map((profile) => profile.frames));
  const parent = joined(parents, startsOf(parents));
  return { length: parent.length, parent, frame: joined(frames, firstFrame) };
}

/** Returns the row at which each of the tables starts if they follow one another. */
function startsOf(tables: readonly { readonly length: number }[]): number[] {
  let next = 0;
  return tables.map(({ length }) => (next += length) - length);
}

/** Returns the columns one after the other, rows that are not negative raised by the column's shift. */
function joined(columns: readonly Int32Array[], shifts?: readonly number[]): Int32Array {
  if (columns.length === 1) return columns[0]!;
  const starts = startsOf(columns);
  const all = new Int32Array(columns.reduce((sum, { length }) => sum + length, 0));
  columns.forEach((column, at) => {
    const shift = shifts?.[at] ?? 0;
    all.set(shift === 0 ? column : column.map((row) => (row < 0 ? row : row + shift)), starts[at]);
  });
  return all;
}

/**
 * Returns the rows ordered by `keys[row]` (−1 … keyCount − 1); rows with equal keys keep the order of `rows` (null: of
 * their indices).
 */
function countingSort(keys: Int32Array, keyCount: number, rows: Int32Array | null): Int32Array {
  const next = new Int32Array(keyCount + 2);
  for (let row = 0; row < keys.length; row++) next[keys[row]! + 2]! += 1;
  for (let key = 1; key < next.length; key++) next[key]! += next[key - 1]!;
  const sorted = new Int32Array(keys.length);
  for (let index = 0; index < keys.length; index++) {
    const row = rows === null ? index : rows[index]!;
    const place = keys[row]! + 1;
    sorted[next[place]!] = row;
    next[place]! += 1;
  }
  return sorted;
}
