import { areUnpaired, type FleetCapture } from '#core/fleet/merge-captures.ts';
import { countText } from '#core/units/format.ts';
import { listText } from '#core/units/list-text.ts';
import { EngineFailure } from '../failure.ts';
import type { FleetStore } from './store.ts';
import {
  MINUTE_MS,
  readFleetPart,
  type FleetGroup,
  type FleetPart,
  type FleetType,
  type Replicates,
} from './read-fleet.ts';
import { nothingSelected, type FleetFilter } from './select.ts';
import { SIDES, type Side } from '#core/contract/side.ts';

export type SideFilters = Readonly<Record<Side, FleetFilter>>;

/** Both sides of a comparison, merged to replicates by the engine but not yet profiles. */
export interface FleetSides extends Readonly<Record<Side, readonly FleetGroup[]>> {
  /** Functions and stacks of both sides. */
  readonly dictionary: Pick<FleetPart, 'frames' | 'stacks'>;
  readonly replicates: Replicates;
  /** Hosts are compared as two samples, not host by host; or the minutes of several hosts together. */
  readonly isUnpaired: boolean;
  /** What was merged; what was left out or is compared otherwise than host by host. */
  readonly merged: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads both sides. Throws a failure if one is empty, or if a capture is on both. `withThreads` keeps threads apart. */
export async function readFleetSides(
  fleet: FleetStore,
  filters: SideFilters,
  type: FleetType,
  { replicates, withThreads }: { readonly replicates: Replicates; readonly withThreads: boolean },
): Promise<FleetSides> {
  const read = (side: Side): Promise<FleetPart> =>
    readFleetPart(fleet, filters[side], type, { replicates, withThreads });
  const parts = { before: await read('before'), after: await read('after') };
  const merged: string[] = [];
  const warnings: string[] = [];
  for (const side of SIDES) {
    const { groups, without } = parts[side];
    if (without > 0)
      warnings.push(`${side}: ${countText(without, 'capture')} without ${type.type}/${type.unit} left out`);
    if (groups.length === 0) throw nothingSelected(fleet, [filters[side]]);
    const captures = groups.reduce((sum, group) => sum + group.captures.length, 0);
    merged.push(
      `${side}: ${captures > groups.length ? `${countText(captures, 'capture')} merged to ` : ''}${countText(groups.length, 'replicate')}, one per ${replicates.slice(0, -1)}`,
    );
  }
  const [before, after] = SIDES.map((side) => parts[side].groups.flatMap((group) => group.captures));
  const ids = new Set(before!.map(({ id }) => id));
  const twice = after!.find(({ id }) => ids.has(id));
  if (twice !== undefined) {
    throw new EngineFailure(
      'usage',
      `the capture ${twice.name} is on both sides`,
      'name sides that have no capture in common',
    );
  }
  const isUnpaired =
    replicates === 'minutes' ? haveManyHosts(before!, after!) : replicates === 'hosts' && areUnpaired(before!, after!);
  if (replicates === 'hosts' && isUnpaired) {
    warnings.push(
      'fewer than 3 hosts are on both sides: hosts are compared as two samples, so how they differ is part of the result',
    );
  }
  if (replicates === 'hosts' && parts.before.groups.length === 1 && parts.after.groups.length === 1) {
    warnings.push('one host a side: with minutes as replicates, its captures can have a verdict');
  }
  const dictionary = {
    frames: [...parts.before.frames, ...parts.after.frames],
    stacks: [...parts.before.stacks, ...parts.after.stacks],
  };
  return {
    before: parts.before.groups,
    after: parts.after.groups,
    dictionary,
    replicates,
    isUnpaired,
    merged,
    warnings,
  };
}

/**
 * Returns whether the sides have several hosts, which minutes are then sums of. Throws a failure if they have different
 * ones: how hosts differ would count as a change.
 */
function haveManyHosts(before: readonly FleetCapture[], after: readonly FleetCapture[]): boolean {
  const hosts = [before, after].map((side) => new Set(side.map(({ host }) => host)));
  const [one, other] = [hosts[0]!, hosts[1]!];
  if (one.size === 1 && other.size === 1) return false;
  const different = [...new Set([...one, ...other])]
    .filter((host) => one.has(host) !== other.has(host))
    .map((host) => host ?? 'an unknown one');
  if (different.length === 0) return true;
  throw new EngineFailure(
    'usage',
    `hosts that are on one side only (${listText(different)}) can't be compared by minute`,
    'name hosts that are on both sides (--host), or take hosts as replicates',
  );
}

/** Returns the Unix milliseconds at which the replicate's minute starts; null if replicates are not minutes. */
export const minuteOf = (replicates: Replicates, { captures }: FleetGroup): number | null =>
  replicates === 'minutes' ? Math.floor(captures[0]!.time / MINUTE_MS) * MINUTE_MS : null;
