import { compareText } from '../analyze/compare-text.ts';
import { functionRef, type NamedFunctions } from '../analyze/function-ref.ts';
import type { Comparison, ComparedSide } from '../compare/comparison.ts';
import type { MeasuredCapture } from '../compare/measure/measured-capture.ts';
import type { SideDesign } from '../compare/measure/measures.ts';
import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import { writeFolded } from './folded.ts';

/** A capture of a side: its visible part and the value type. */
export interface FoldedCapture {
  readonly profile: Profile;
  readonly valueType: ValueTypeIndex;
}

interface FoldedSides {
  readonly before: readonly FoldedCapture[];
  readonly after: readonly FoldedCapture[];
}

/** Characters written at a time. */
const CHUNK_LENGTH = 2 ** 20;

/** A stack's weight on both sides. */
type StackWeights = [before: number, after: number];

/**
 * Writes `root;caller;leaf before after` lines like difffolded.pl and inferno-diff-folded, in the order of the stacks:
 * the stacks of each capture's folded text, functions under the names by which the comparison matched them, weights
 * normalised. Shares are written relative to after's weight, so that both sides have the same total (difffolded.pl's
 * `-n`); fractions are kept. `header` holds the first lines, each written after `# `; a line must not contain a line
 * end, nor end in a space and a number.
 */
export function writeDiffFolded(
  sides: FoldedSides,
  comparison: Comparison,
  header: readonly string[],
  write: (chunk: Uint8Array) => void,
): void {
  const pairs = new Map<string, StackWeights>();
  for (const [place, side] of (['before', 'after'] as const).entries()) {
    const parts = captureParts(comparison[side], comparison.design[side]);
    for (const [at, capture] of sides[side].entries()) {
      if (parts[at] === 0) continue;
      const { captures, functions } = comparison[side];
      const profile = withMatchedNames(capture.profile, captures[at]!, functions[at]!, comparison.matched.table);
      addStacks(pairs, place as 0 | 1, { ...capture, profile }, comparison[side], at, parts[at]!);
    }
  }
  const scale = comparison.normalised.kind === 'share' ? weightAfter(comparison.after) : 1;
  const encoder = new TextEncoder();
  let text = header.map((line) => `# ${line}\n`).join('');
  for (const [stack, pair] of [...pairs].sort(([a], [b]) => compareText(a, b))) {
    const [before, after] = pair.map((value) => plainNumber(value * scale)) as [string, string];
    if (before !== '0' || after !== '0') text += `${stack} ${before} ${after}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    write(encoder.encode(text));
    text = '';
  }
  write(encoder.encode(text));
}

/**
 * Returns the weight of each capture in the side's mean: all hosts count the same, and so do all captures of a host.
 */
function captureParts({ captures }: ComparedSide, { groups }: SideDesign): number[] {
  const parts = captures.map(() => 0);
  for (const group of groups) for (const place of group) parts[place] = 1 / (group.length * groups.length);
  return parts;
}

function addStacks(
  pairs: Map<string, StackWeights>,
  place: 0 | 1,
  { profile, valueType }: FoldedCapture,
  { factors }: ComparedSide,
  at: number,
  part: number,
): void {
  const { scale, exposure } = factors[at]!;
  if (exposure === 0) return;
  const decoder = new TextDecoder();
  let rest = '';
  writeFolded(profile, { valueType }, (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const blank = line.lastIndexOf(' ');
      const stack = line.slice(0, blank);
      const pair = pairs.get(stack) ?? [0, 0];
      pairs.set(stack, pair);
      pair[place] += ((Number(line.slice(blank + 1)) * scale) / exposure) * part;
    }
  });
}

/** Returns the profile with functions named as in the comparison; functions on no visible stack keep their names. */
function withMatchedNames(
  profile: Profile,
  { view }: MeasuredCapture,
  functions: Int32Array,
  table: NamedFunctions,
): Profile {
  const names = new Map<string, string>();
  functions.forEach((matched, own) => {
    if (matched >= 0) names.set(keyOf(view.profile, own), table.strings[table.functions.name[matched]!]!);
  });
  const strings = [...profile.strings];
  const places = new Map<string, number>();
  const rename = (own: number, func: number): number => {
    const name = names.get(keyOf(profile, func));
    if (name === undefined || name === strings[own]) return own;
    if (!places.has(name)) places.set(name, strings.push(name) - 1);
    return places.get(name)!;
  };
  return { ...profile, functions: { ...profile.functions, name: profile.functions.name.map(rename) }, strings };
}

const keyOf = (profile: NamedFunctions, func: number): string => {
  const { name, module } = functionRef(profile, func);
  return `${module}\n${name}`;
};

/** Returns the mean weight of the side's captures, in the unit of the first one. */
const weightAfter = ({ factors }: ComparedSide): number =>
  factors.reduce((sum, { scale, exposure }) => sum + scale * exposure, 0) / factors.length;

/**
 * Formats numbers like Perl, with 15 digits, but never with an exponent, which readers of folded text do not accept.
 */
function plainNumber(value: number): string {
  const text = String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}
