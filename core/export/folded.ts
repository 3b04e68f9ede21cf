import type { ValueTypeIndex } from '../model/brand.ts';
import { PairTable } from '../model/pair-table.ts';
import { FunctionKind, type Profile } from '../model/profile.ts';
import { StackRows } from '../model/stack-rows.ts';
import { sampleWeights } from '../model/weights.ts';
import { FoldedText } from './folded-text.ts';

export interface FoldedOptions {
  /** Default: the profile's. */
  readonly valueType?: ValueTypeIndex;
}

/** Thread without a name: its stacks have no root frame for it. */
const NO_ROOT = -1;
/** A sample without a stack. */
const NO_PATH = -1;

/**
 * Writes `root;caller;leaf weight` lines, as stackcollapse-perf.pl and inferno do: the thread's name (blanks as `_`) is the root frame
 * where there is one, `;` in names becomes `:`, functions that a JIT inlined end in `_[i]`, equal stacks are one line. Stacks of weight 0 are left out. Lines come in the order of
 * their frames' names, which makes equal profiles equal files. Writes chunks of about a megabyte; a chunk is reused after `write` returns.
 */
export function writeFolded(profile: Profile, options: FoldedOptions, write: (chunk: Uint8Array) => void): void {
  const weights = sampleWeights(profile, options.valueType ?? profile.metadata.defaultValueType);
  const names = rankNames(profile);
  const paths = mergePaths(profile, names.ofFrame);
  const lines = new PairTable();
  const lineOfSample = new Int32Array(weights.length);
  for (let row = 0; row < weights.length; row++) {
    const stack = profile.samples.stack[row]!;
    const path = stack < 0 ? NO_PATH : paths.ofStack[stack]!;
    lineOfSample[row] = lines.intern(names.ofThread[profile.samples.thread[row]!]!, path);
  }
  const sums = sumLines(lineOfSample, weights, lines.length);

  const text = new FoldedText(names.sorted, paths.parent, paths.name, write);
  for (const { root, path } of inOrder(lines, paths, names.sorted.length)) {
    const sum = sums[lines.intern(root, path)]!;
    if (sum !== 0 && sum !== 0n) text.line(root, path, sum);
  }
  text.flush();
}

/** Sums of integers that pass 2^53 are bigints, so that they stay exact. */
function sumLines(lineOfSample: Int32Array, weights: Float64Array, lineCount: number): ArrayLike<number | bigint> {
  const sums = new Float64Array(lineCount);
  for (let row = 0; row < weights.length; row++) sums[lineOfSample[row]!]! += weights[row]!;
  const isExact = sums.every((sum) => Math.abs(sum) <= Number.MAX_SAFE_INTEGER);
  if (isExact || !weights.every(Number.isInteger)) return sums;
  const exact = Array.from(sums, () => 0n);
  for (let row = 0; row < weights.length; row++) exact[lineOfSample[row]!]! += BigInt(weights[row]!);
  return exact;
}

interface RankedNames {
  /** In order; a name's rank is its index. */
  readonly sorted: readonly string[];
  /** → sorted */
  readonly ofFrame: Int32Array;
  /** → sorted; {@link NO_ROOT} where the thread has no name. */
  readonly ofThread: Int32Array;
}

function rankNames({ strings, functions, frames, threads }: Profile): RankedNames {
  const functionNames = Array.from(functions.name, (name) => sanitize(strings[name]!));
  const inlinedNames = new Map<number, string>();
  for (let frame = 0; frame < frames.length; frame++) {
    const func = frames.func[frame]!;
    if (frames.inline[frame] === 0 || functions.kind[func] !== FunctionKind.jit) continue;
    const name = functionNames[func]!;
    inlinedNames.set(func, name.endsWith('_[i]') ? name : `${name}_[i]`);
  }
  const threadNames = Array.from(threads.name, (name) => sanitize(strings[name]!).replaceAll(' ', '_'));
  const sorted = [...new Set([...functionNames, ...inlinedNames.values(), ...threadNames])].sort();
  const ranks = new Map(sorted.map((name, rank) => [name, rank]));
  return {
    sorted,
    ofFrame: Int32Array.from(frames.func, (func, frame) => {
      const inlined = frames.inline[frame] === 1 ? inlinedNames.get(func) : undefined;
      return ranks.get(inlined ?? functionNames[func]!)!;
    }),
    ofThread: Int32Array.from(threadNames, (name) => (name === '' ? NO_ROOT : ranks.get(name)!)),
  };
}

/** A frame's name may hold neither the separator nor a line's end. */
function sanitize(name: string): string {
  return name.replaceAll(';', ':').replace(/[\r\n]/g, ' ');
}

interface Paths {
  /** → rows of these tables */
  readonly ofStack: Int32Array;
  /** → rows of these tables, smaller than the row's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** → names */
  readonly name: Int32Array;
}

/** Stack rows that read the same, by names, become one path: addresses, lines and modules don't show in folded text. */
function mergePaths({ stacks }: Profile, nameOfFrame: Int32Array): Paths {
  const paths = new StackRows();
  const ofStack = paths.internTable(
    stacks.parent,
    stacks.frame.map((frame) => nameOfFrame[frame]!),
  );
  const { parent, frame } = paths.finish();
  return { ofStack, parent, name: frame };
}

/** The lines by root, then by path in pre-order. */
function* inOrder(
  lines: PairTable,
  paths: Paths,
  nameCount: number,
): Generator<{ readonly root: number; readonly path: number }> {
  const pathCount = paths.parent.length;
  const { positions, pathAt } = preOrder(paths, nameCount);
  // Exact: names times paths stay far below 2^53.
  const keys = new Float64Array(lines.length);
  for (let line = 0; line < keys.length; line++) {
    const path = lines.second.get(line);
    keys[line] = (lines.first.get(line) + 1) * (pathCount + 1) + (path === NO_PATH ? 0 : positions[path]! + 1);
  }
  for (const key of keys.sort()) {
    const position = key % (pathCount + 1);
    const root = (key - position) / (pathCount + 1) - 1;
    yield { root, path: position === 0 ? NO_PATH : pathAt[position - 1]! };
  }
}

interface PreOrder {
  /** By path: its place in a walk that visits parents before children and siblings in the order of their names. */
  readonly positions: Int32Array;
  /** By place: the path. */
  readonly pathAt: Int32Array;
}

/** A capture may have millions of paths, so columns that are done with are written over. */
function preOrder({ parent, name }: Paths, nameCount: number): PreOrder {
  const byName = countingSort(name, nameCount, null);
  const byParent = countingSort(parent, parent.length, byName);
  const positions = byName;
  const sizes = new Int32Array(parent.length).fill(1);
  for (let path = parent.length - 1; path >= 0; path--) {
    if (parent[path]! >= 0) sizes[parent[path]!]! += sizes[path]!;
  }
  // A path that has its position needs its size no more: from then on it holds where the path's next child goes.
  const nextChild = sizes;
  let nextRoot = 0;
  for (const path of byParent) {
    const above = parent[path]!;
    const position = above < 0 ? nextRoot : nextChild[above]!;
    if (above < 0) nextRoot += sizes[path]!;
    else nextChild[above] = position + sizes[path]!;
    positions[path] = position;
    nextChild[path] = position + 1;
  }
  const pathAt = byParent;
  for (let path = 0; path < positions.length; path++) pathAt[positions[path]!] = path;
  return { positions, pathAt };
}

/** The rows ordered by `keys[row]` (−1 … keyCount − 1); rows with equal keys stay in the order of `rows` (null: of their indices). */
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
