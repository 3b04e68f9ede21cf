import type { Side } from '#core/contract/schemas.ts';
import { areUnpaired } from '#core/fleet/merge-captures.ts';
import { countText } from '#core/units/format.ts';
import { EngineFailure } from '../failure.ts';
import type { FleetStore } from './store.ts';
import { readFleetPart, type FleetGroup, type FleetPart, type FleetType, type Replicates } from './read-fleet.ts';
import { nothingSelected, type FleetFilter } from './select.ts';

export type SideFilters = Readonly<Record<Side, FleetFilter>>;

/** Both sides of a comparison, merged to replicates by the engine but not yet profiles. */
export interface FleetSides extends Readonly<Record<Side, readonly FleetGroup[]>> {
  /** Functions and stacks of both sides. */
  readonly dictionary: Pick<FleetPart, 'frames' | 'stacks'>;
  /** Hosts are compared as two samples, not host by host. */
  readonly isUnpaired: boolean;
  /** What was merged; what was left out or is compared otherwise than host by host. */
  readonly merged: readonly string[];
  readonly warnings: readonly string[];
}

const SIDES = ['before', 'after'] as const;

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
    if (captures > groups.length) {
      merged.push(
        `${side}: ${countText(captures, 'capture')} merged to ${countText(groups.length, 'replicate')}, one per host`,
      );
    }
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
  const isUnpaired = replicates === 'hosts' && areUnpaired(before!, after!);
  if (isUnpaired) {
    warnings.push(
      'fewer than 3 hosts are on both sides: hosts are compared as two samples, so how they differ is part of the result',
    );
  }
  const dictionary = {
    frames: [...parts.before.frames, ...parts.after.frames],
    stacks: [...parts.before.stacks, ...parts.after.stacks],
  };
  return { before: parts.before.groups, after: parts.after.groups, dictionary, isUnpaired, merged, warnings };
}
