import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { foldedLines, type FoldedCapture, type LineWeights } from './folded-lines.ts';
import { FoldedText } from './folded-text.ts';
import { lossesOf } from './losses.ts';
import { COMMENT } from './ranked-names.ts';

export interface FoldedOptions {
  /** Default: the profile's. */
  readonly valueType?: ValueTypeIndex;
  /** First lines, each written after `# `. A line must not contain a line end, nor end in a space and a number. */
  readonly header?: readonly string[];
}

/**
 * Writes `root;caller;leaf weight` lines like stackcollapse-perf.pl and inferno: a thread's name (spaces as `_`) is the
 * root frame if it has one, `;` in names becomes `:`, names that would begin a comment get a `_`, functions inlined by a
 * JIT end in `_[i]`, equal stacks are one line. Stacks of weight 0 are left out. Lines are ordered by their frames'
 * names, so that equal profiles produce equal files. Writes chunks of about a megabyte; a chunk is reused after `write`
 * returns.
 */
export function writeFolded(profile: Profile, options: FoldedOptions, write: (chunk: Uint8Array) => void): void {
  const { header = [], valueType = profile.metadata.defaultValueType } = options;
  const text = ([weight]: LineWeights): string | null => (isZero(weight!) ? null : formatWeight(weight!));
  writeFoldedLines([{ profile, valueType }], header, text, write);
}

/**
 * Writes the stacks of several captures as {@link writeFolded} does those of one. `weightsText` returns what follows a
 * stack; null leaves its line out.
 */
export function writeFoldedLines(
  captures: readonly FoldedCapture[],
  header: readonly string[],
  weightsText: (weights: LineWeights) => string | null,
  write: (chunk: Uint8Array) => void,
): void {
  if (header.length > 0) write(new TextEncoder().encode(header.map((line) => `# ${line}\n`).join('')));
  const { names, paths, lines } = foldedLines(captures);
  const text = new FoldedText(names, paths.parent, paths.name, write);
  for (const { root, path, weights } of lines) {
    const written = weightsText(weights);
    if (written !== null) text.line(root, path, written);
  }
  text.flush();
}

const isZero = (weight: number | bigint): boolean => weight === 0 || weight === 0n;

/** Formats plain decimal digits, never an exponent, which readers of folded text do not accept. */
export function formatWeight(weight: number | bigint): string {
  const text = String(weight);
  if (typeof weight === 'bigint' || !text.includes('e')) return text;
  return Number.isInteger(weight) ? BigInt(weight).toString() : weight.toFixed(20).replace(/\.?0+$/, '');
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
  for (const {
    weights: [weight],
  } of foldedLines([{ profile, valueType }]).lines)
    if (weight! < 0) return true;
  return false;
}
