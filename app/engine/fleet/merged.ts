import { mergeCaptures, type MergedCaptures } from '#core/fleet/merge-captures.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import type { FleetStore } from './store.ts';
import { readFleetPart, type FleetGroup, type FleetPart, type FleetType } from './read-fleet.ts';
import { describeFilter, nothingSelected, type FleetFilter } from './select.ts';

interface Merged {
  readonly profile: Profile;
  /** Number of captures, and of selected ones that lack the value type. */
  readonly captures: number;
  readonly without: number;
}

/** Merges all selected captures to one profile, with their threads by name. */
export async function readMerged(
  fleet: FleetStore,
  filter: FleetFilter,
  type: FleetType,
  isUnpaired = false,
): Promise<Merged> {
  const part = await readFleetPart(fleet, filter, type, { replicates: 'all', withThreads: true });
  const [group] = part.groups;
  if (group === undefined || group.captures.length === 0) throw nothingSelected(fleet, [filter]);
  const profile = mergedProfile(part, group, type, describeFilter(filter), isUnpaired).profile;
  checkProfile(profile);
  return { profile, captures: group.captures.length, without: part.without };
}

/** Returns the profile of one group, with only the functions and stacks that it has. `what` describes the selection. */
export function mergedProfile(
  { frames, stacks }: Pick<FleetPart, 'frames' | 'stacks'>,
  { captures, samples }: FleetGroup,
  type: FleetType,
  what: string,
  isUnpaired: boolean,
  minute: number | null = null,
): MergedCaptures & { readonly profile: Profile } {
  const merged = mergeCaptures(captures, { ...type, isUnpaired, minute });
  const { facts, period, divisor } = merged;
  const hosts = new Set(captures.flatMap(({ host }) => host ?? [])).size;
  const described = `${what}: ${countText(captures.length, 'capture')} of ${countText(hosts, 'known host')}`;
  const used = new Set(samples.map(({ stack }) => stack));
  const profile = profilesOver({ frames, stacks: stacks.filter(({ id }) => used.has(id)) })(
    samples.map((one) => ({ ...one, weight: one.weight / divisor })),
    {
      ...type,
      period,
      metadata: {
        durationNs: facts.durationSeconds === null ? null : facts.durationSeconds * 1e9,
        rateHz: facts.rateHz,
        hostName: hosts === 1 ? facts.host : null,
        comments: [divisor === 1 ? described : `${described}; mean of the captures`],
      },
    },
  );
  return { ...merged, profile };
}
