import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { mergeCaptures } from '#core/fleet/merge-captures.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import type { FleetType } from './read-fleet.ts';
import { minuteOf, type FleetSides } from './sides.ts';
import type { Side } from '#core/contract/side.ts';

/** A replicate as comparisons take captures. */
export interface ComparedReplicate {
  readonly profile: Profile;
  readonly selection: { readonly valueType: ValueTypeIndex; readonly threads: null; readonly timeRange: null };
  readonly transforms: ResolvedTransforms;
  readonly facts: CaptureFacts;
}

/** Returns the replicates of both sides as profiles that share their tables of functions and stacks. */
export function comparedSides(
  {
    dictionary,
    replicates,
    isUnpaired,
    ...groups
  }: Pick<FleetSides, Side | 'dictionary' | 'replicates' | 'isUnpaired'>,
  type: FleetType,
): Record<Side, ComparedReplicate[]> {
  const profileOf = profilesOver(dictionary);
  const side = (name: Side): ComparedReplicate[] =>
    groups[name].map((group) => {
      const { facts, period, divisor } = mergeCaptures(group.captures, {
        ...type,
        isUnpaired,
        minute: minuteOf(replicates, group),
      });
      const samples = group.samples.map((one) => ({ ...one, weight: one.weight / divisor }));
      const profile = profileOf(samples, { ...type, period, metadata: {} });
      const selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
      return { profile, selection, transforms: noTransforms(profile), facts };
    });
  return { before: side('before'), after: side('after') };
}

export const noTransforms = ({ strings, functions }: Profile): ResolvedTransforms => ({
  base: functions,
  strings,
  functions,
  steps: [],
  found: [],
});
