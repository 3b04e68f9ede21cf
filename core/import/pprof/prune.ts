import { memo } from '../../model/memo.ts';
import type { WholeMatcher } from '../text/linear-regex.ts';

/** The effect of drop_frames and keep_frames on each location. Lines are leaf first, as in the file. */
export interface Pruning {
  /** 1: a line of the location matches, so that it is removed with everything that it called. */
  readonly cuts: Uint8Array;
  /** 1: the match is the location's outermost line, so that the whole location is removed. */
  readonly cutsAll: Uint8Array;
  /** Number of lines (from the leaf) that are removed if the location is kept. */
  readonly cutLines: Int32Array;
}

/**
 * Applies drop_frames and keep_frames like pprof (profile/prune.go, `Prune`). Lines of location i are rows lineStart[i]
 * … lineStart[i + 1] − 1. Throws a SyntaxError or RangeError if an expression can't be used.
 */
export function planPruning(
  dropFrames: string,
  keepFrames: string,
  lineStart: Int32Array,
  nameOfLine: (line: number) => string,
  compile: (pattern: string) => WholeMatcher,
): Pruning {
  const drop = compile(`^(${dropFrames})$`);
  const keep = keepFrames === '' ? null : compile(`^(${keepFrames})$`);
  const drops = memo((name: string): boolean => {
    const simple = withoutArguments(name);
    return name !== '' && drop.matches(simple) && keep?.matches(simple) !== true;
  });

  const count = lineStart.length - 1;
  const pruning = { cuts: new Uint8Array(count), cutsAll: new Uint8Array(count), cutLines: new Int32Array(count) };
  for (let location = 0; location < count; location++) {
    const start = lineStart[location]!;
    const last = lineStart[location + 1]! - 1;
    let line = last;
    while (line >= start && !drops(nameOfLine(line))) line -= 1;
    if (line < start) continue;
    pruning.cuts[location] = 1;
    if (line === last) pruning.cutsAll[location] = 1;
    else pruning.cutLines[location] = line + 1 - start;
  }
  return pruning;
}

/**
 * Returns the number of a sample's locations to remove, counted from the leaf; `locations` is leaf first. Nothing above
 * the first location (from the root) that does not match is pruned, so that a sample never loses everything.
 */
export function countPruned(pruning: Pruning, locations: Int32Array, count: number): number {
  let foundUser = false;
  for (let index = count - 1; index >= 0; index--) {
    const location = locations[index]!;
    if (pruning.cuts[location] === 0) foundUser = true;
    else if (foundUser) return pruning.cutsAll[location] === 1 ? index + 1 : index;
  }
  return 0;
}

/** Returns the name up to its argument list, without a leading dot (PowerPC's ELF v1). Like pprof's `simplifyFunc`. */
function withoutArguments(name: string): string {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  for (const { 0: bracket, index } of plain.matchAll(/\(anonymous namespace\)|operator\(\)|\(/g)) {
    if (bracket === '(') return plain.slice(0, index);
  }
  return plain;
}
