import { describeFound, describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform, Pattern } from '#core/analyze/transforms/named-transform.ts';
import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import type { Profile } from '#core/model/profile.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from './pattern-runner.ts';
import { warn } from '../output/terminal.ts';
import { patternOf, type GivenTransform } from './transform-options.ts';

/** Transforms that fit the profile they were resolved for. */
export interface AppliedTransforms {
  readonly transforms: readonly NamedTransform[];
  readonly resolved: ResolvedTransforms;
}

/** Finds what transforms are about. A usage error where one of the command line finds nothing; one of a file may. `matched`: names that patterns match. */
export async function applyTransforms(
  profile: Profile,
  given: readonly GivenTransform[],
  matched?: readonly string[],
): Promise<AppliedTransforms> {
  const names = new Map<Pattern | null, string>(given.map(({ transform, name }) => [patternOf(transform), name]));
  const transforms = given.map(({ transform }) => transform);
  const runner = createLimitedPatternRunner((pattern) => names.get(pattern) ?? 'a pattern');
  const resolved = await resolveTransforms(profile, transforms, runner, matched);
  for (const [index, one] of given.entries()) refuseUnfound(one, [resolved.found[index] ?? null]);
  return { transforms, resolved };
}

/** `found`: in each of the profiles; null where the transform is off. */
export function refuseUnfound({ name, text, transform }: GivenTransform, found: readonly (number | null)[]): void {
  if (text === null || found.some((functions) => functions !== 0)) return;
  const nothing = transform.kind === 'rename' ? 'changes no name' : 'matches no function';
  throw usageError(`${name} ${text} ${nothing}`, 'check its spelling and case');
}

/** One line on stderr for each transform: what it does, what it found, what it hid of the whole. */
export function reportTransforms({ transforms, resolved }: AppliedTransforms, view: StackView): void {
  const { unit } = view.profile.valueTypes[view.selection.valueType]!;
  const whole = view.total + view.hidden;
  for (const [index, transform] of transforms.entries()) {
    const found = resolved.found[index] ?? null;
    const hidden = view.hiddenBy[index] ?? 0;
    const hid = hidden === 0 ? 'hid nothing' : `hid ${formatValue(hidden, unit)} (${formatShare(hidden, whole)})`;
    const effect = found === null ? 'off' : `${describeFound(transform, found)}, ${hid}`;
    warn(`${describeTransform(transform)}: ${effect}`);
  }
}
