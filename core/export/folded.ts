import type { ValueTypeIndex } from '../model/brand.ts';
import { FunctionKind, type Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { foldedPaths, type FoldedPaths } from './folded-paths.ts';
import { FoldedText } from './folded-text.ts';
import { lossesOf } from './losses.ts';

export interface FoldedOptions {
  /** Default: the profile's. */
  readonly valueType?: ValueTypeIndex;
  /** First lines, each written after `# `. A line must not contain a line end, nor end in a space and a number. */
  readonly header?: readonly string[];
}

/** Root of a thread without a name, whose stacks have no root frame for it. */
const NO_ROOT = -1;
/** Path of a sample without a stack. */
const NO_PATH = -1;

/**
 * Writes `root;caller;leaf weight` lines like stackcollapse-perf.pl and inferno: a thread's name (spaces as `_`) is the
 * root frame if it has one, `;` in names becomes `:`, names that would begin a comment get a `_`, functions inlined by a
 * JIT end in `_[i]`, equal stacks are one line. Stacks of weight 0 are left out. Lines are ordered by their frames'
 * names, so that equal profiles produce equal files. Writes chunks of about a megabyte; a chunk is reused after `write`
 * returns.
 */
export function writeFolded(profile: Profile, options: FoldedOptions, write: (chunk: Uint8Array) => void): void {
  const { header = [] } = options;
  if (header.length > 0) write(new TextEncoder().encode(header.map((line) => `# ${line}\n`).join('')));
  const weights = sampleWeights(profile, options.valueType ?? profile.metadata.defaultValueType);
  const names = rankNames(profile);
  const paths = foldedPaths(profile.stacks, names.ofFrame);
  const text = new FoldedText(names.sorted, paths.parent, paths.name, write);
  for (const { root, path, weight } of linesOf(profile, weights, names, paths)) text.line(root, path, weight);
  text.flush();
}

interface FoldedLine {
  /** → sorted names; {@link NO_ROOT} if the thread has no name. */
  readonly root: number;
  /** → paths; {@link NO_PATH} for samples without a stack. */
  readonly path: number;
  readonly weight: number | bigint;
}

/** Yields all lines of nonzero weight, in order. `weights` holds the weight of each sample. */
function* linesOf(
  { samples }: Profile,
  weights: Float64Array,
  names: RankedNames,
  paths: FoldedPaths,
): Generator<FoldedLine> {
  const pathOf = samples.stack.map((stack) => (stack < 0 ? NO_PATH : paths.ofStack[stack]!));
  const rootOf = samples.thread.map((thread) => names.ofThread[thread]!);
  const order = countingSort(rootOf, names.sorted.length, countingSort(pathOf, paths.parent.length, null));

  for (let first = 0, next = 0; first < order.length; first = next) {
    const root = rootOf[order[first]!]!;
    const path = pathOf[order[first]!]!;
    next = first + 1;
    while (next < order.length && pathOf[order[next]!] === path && rootOf[order[next]!] === root) next += 1;
    const weight = sumOf(weights, order, first, next);
    if (weight !== 0 && weight !== 0n) yield { root, path, weight };
  }
}

/**
 * Returns the weight of the samples at `order[first … end − 1]`. Sums of integers are exact: a bigint if they exceed
 * 2^53.
 */
function sumOf(weights: Float64Array, order: Int32Array, first: number, end: number): number | bigint {
  let sum = 0;
  for (let at = first; at < end; at++) sum += weights[order[at]!]!;
  if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum;
  const summed = Array.from(order.subarray(first, end), (row) => weights[row]!);
  return summed.every(Number.isInteger) ? summed.reduce((exact, weight) => exact + BigInt(weight), 0n) : sum;
}

/** Returns the facts of this profile that folded text can't store. */
export function foldedLosses(profile: Profile, valueType: ValueTypeIndex): string[] {
  const isCut = profile.strings.some((text) => text.includes(';'));
  const isComment = profile.strings.some((text) => COMMENT.test(text));
  return [
    ...lossesOf(profile, []),
    ...(isCut ? ['semicolons in names, which become colons'] : []),
    ...(isComment ? ['names that begin like comments (# or //), which get a _'] : []),
    ...(hasNegativeLine(profile, valueType) ? [NEGATIVE_LINES] : []),
  ];
}

const NEGATIVE_LINES = 'negative weights for flamegraph.pl and inferno, which skip their lines';

function hasNegativeLine(profile: Profile, valueType: ValueTypeIndex): boolean {
  const weights = sampleWeights(profile, valueType);
  if (!weights.some((weight) => weight < 0)) return false;
  const names = rankNames(profile);
  const paths = foldedPaths(profile.stacks, names.ofFrame);
  for (const { weight } of linesOf(profile, weights, names, paths)) if (weight < 0) return true;
  return false;
}

interface RankedNames {
  /** In order; a name's rank is its index. */
  readonly sorted: readonly string[];
  /** → sorted */
  readonly ofFrame: Int32Array;
  /** → sorted; {@link NO_ROOT} if the thread has no name. */
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

/** Start of a name that makes a line a comment if the name is the root's: a lone mark is followed by the weight. */
const COMMENT = /^(#|\/\/)(?:[ \t\r\n]|$)/;

/** Returns a name as it is written, without the mark of functions that a JIT inlined. */
export const withoutInlineMark = (name: string): string => sanitize(name).replace(/_\[i\]$/, '');

/** A frame's name can't contain the separator or a line end, nor begin like a comment. */
function sanitize(name: string): string {
  return name
    .replace(COMMENT, '$1_')
    .replaceAll(';', ':')
    .replace(/[\r\n]/g, ' ');
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
