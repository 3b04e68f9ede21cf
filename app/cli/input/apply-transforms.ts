import { describeFound, describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { Pattern } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { transformProfile } from '#core/analyze/transforms/transform-profile.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import type { Profile } from '#core/model/profile.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import { usageError } from '../errors.ts';
import { reportTime } from './choose-time.ts';
import { createLimitedPatternRunner } from './pattern-runner.ts';
import { warn } from '../output/terminal.ts';
import { patternOf, type GivenTransform } from './transform-options.ts';

/** Transforms resolved for a profile. */
export interface AppliedTransforms {
  /** The profile as the transforms read it. */
  readonly profile: Profile;
  /** Names that patterns match, by function of `profile`. */
  readonly names: readonly string[];
  readonly transforms: readonly NamedTransform[];
  readonly resolved: ResolvedTransforms;
}

/**
 * Resolves transforms. Throws a usage error if one from the command line matches nothing; one from a file may.
 * `matched` holds the names that patterns match.
 */
export async function applyTransforms(
  recorded: Profile,
  given: readonly GivenTransform[],
  matched?: readonly string[],
): Promise<AppliedTransforms> {
  const names = new Map<Pattern | null, string>(given.map(({ transform, name }) => [patternOf(transform), name]));
  const transforms = given.map(({ transform }) => transform);
  const runner = createLimitedPatternRunner((pattern) => names.get(pattern) ?? 'a pattern');
  const { profile, resolved, read } = await transformProfile(recorded, transforms, runner, matched);
  for (const [index, one] of given.entries()) refuseUnfound(one, index, [resolved.found[index] ?? null]);
  return { profile, names: read.names, transforms, resolved };
}

/**
 * Throws if a transform, the `place`th of the list, matches in none of the profiles. `found` holds the matches by
 * profile, null if the transform is off.
 */
export function refuseUnfound(
  { name, text, transform }: GivenTransform,
  place: number,
  found: readonly (number | null)[],
): void {
  if (text === null || found.some((functions) => functions !== 0)) return;
  const nothing = transform.kind === 'rename' ? 'changes no name' : 'matches no function';
  const remedy = `check its spelling and case${place === 0 ? '' : ', and what the transforms before it leave'}`;
  throw usageError(`${name} ${text} ${nothing}`, remedy);
}

/**
 * Reports on stderr what a view leaves out: each transform with what it found and hid of the whole, and the selected
 * time.
 */
export function reportView(
  { transforms, resolved }: Pick<AppliedTransforms, 'transforms' | 'resolved'>,
  view: StackView,
): void {
  const { unit } = view.profile.valueTypes[view.selection.valueType]!;
  const whole = view.total + view.hidden;
  for (const [index, transform] of transforms.entries()) {
    const found = resolved.found[index] ?? null;
    const hidden = view.hiddenBy[index] ?? 0;
    const hid = hidden === 0 ? 'hid nothing' : `hid ${formatValue(hidden, unit)} (${formatShare(hidden, whole)})`;
    const effect = found === null ? 'off' : `${describeFound(transform, found)}, ${hid}`;
    warn(`${describeTransform(transform)}: ${effect}`);
  }
  reportTime(view);
}
