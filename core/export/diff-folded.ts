import { functionRef, type NamedFunctions } from '../analyze/function-ref.ts';
import type { Comparison, ComparedSide } from '../compare/comparison.ts';
import type { MeasuredCapture } from '../compare/measure/measured-capture.ts';
import type { Profile } from '../model/profile.ts';
import { formatWeight, writeFoldedLines } from './folded.ts';
import type { FoldedCapture, LineWeights } from './folded-lines.ts';
import { SIDES } from '../contract/side.ts';

interface FoldedSides {
  readonly before: readonly FoldedCapture[];
  readonly after: readonly FoldedCapture[];
}

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
  const captures = SIDES.flatMap((side) => {
    const { captures, functions, factors, parts } = comparison[side];
    return sides[side].flatMap((capture, at) => {
      const { scale, exposure } = factors[at]!;
      if (parts[at] === 0 || exposure === 0) return [];
      const profile = withMatchedNames(capture.profile, captures[at]!, functions[at]!, comparison.matched.table);
      return [{ side, profile, valueType: capture.valueType, scale, exposure, part: parts[at]! }];
    });
  });
  const whole = comparison.normalised.kind === 'share' ? weightAfter(comparison.after) : 1;
  const weightsText = (weights: LineWeights): string | null => {
    const means = { before: 0, after: 0 };
    captures.forEach(({ side, scale, exposure, part }, at) => {
      means[side] += ((Number(weights[at]!) * scale) / exposure) * part;
    });
    const [before, after] = [plainNumber(means.before * whole), plainNumber(means.after * whole)];
    return before === '0' && after === '0' ? null : `${before} ${after}`;
  };
  writeFoldedLines(captures, header, weightsText, write);
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

/** Formats numbers with 15 digits, like Perl. */
const plainNumber = (value: number): string =>
  formatWeight(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
