import { readFleetPart, type FleetPart, type FleetType, type Replicates } from '#app/engine/fleet/read-fleet.ts';
import type { FleetFile } from '#app/engine/fleet/duckdb.ts';
import type { FleetFilter } from '#app/engine/fleet/select.ts';
import { areUnpaired, mergeCaptures } from '#core/fleet/merge-captures.ts';
import { profilesOver } from '#core/fleet/merged-profile.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import type { Side } from '#core/contract/schemas.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import { DEFAULT_OPTIONS, type DiffCapture, type DiffSides } from '../diff/captures.ts';
import { usageError } from '../errors.ts';
import { say, warn } from '../output/terminal.ts';
import { describeFilter } from './options.ts';
import { nothingSelected } from './with-fleet.ts';

export type SideFilters = Readonly<Record<Side, FleetFilter>>;

/** Reads both sides of a comparison, merged to replicates by the engine. */
export async function readFleetSides(
  fleet: FleetFile,
  filters: SideFilters,
  type: FleetType,
  replicates: Replicates,
): Promise<DiffSides> {
  const read = (side: Side): Promise<FleetPart> =>
    readFleetPart(fleet, filters[side], type, { replicates, withThreads: false });
  const parts = { before: await read('before'), after: await read('after') };
  for (const side of ['before', 'after'] as const) {
    const { groups, without } = parts[side];
    if (without > 0) {
      warn(`${side}: ${countText(without, 'capture')} without ${type.type}/${type.unit} left out`);
    }
    if (groups.length === 0) throw nothingSelected(fleet, describeFilter(filters[side]));
    const captures = groups.reduce((sum, group) => sum + group.captures.length, 0);
    if (captures > groups.length) {
      say(
        `${side}: ${countText(captures, 'capture')} merged to ${countText(groups.length, 'replicate')}, one per host`,
      );
    }
  }
  return mergeSides(parts, type, replicates);
}

function mergeSides(parts: Readonly<Record<Side, FleetPart>>, type: FleetType, replicates: Replicates): DiffSides {
  const captures = (side: Side) => parts[side].groups.flatMap((group) => group.captures);
  const [before, after] = [captures('before'), captures('after')];
  const ids = new Set(before.map(({ id }) => id));
  const twice = after.find(({ id }) => ids.has(id));
  if (twice !== undefined) {
    throw usageError(`the capture ${twice.name} is on both sides`, 'name sides that have no capture in common');
  }
  const isUnpaired = replicates === 'hosts' && areUnpaired(before, after);
  if (isUnpaired) {
    warn(
      'fewer than 3 hosts are on both sides: hosts are compared as two samples, so how they differ is part of the result',
    );
  }
  const profileOf = profilesOver({
    frames: [...parts.before.frames, ...parts.after.frames],
    stacks: [...parts.before.stacks, ...parts.after.stacks],
  });
  const side = (name: Side): DiffCapture[] =>
    parts[name].groups.map((group): DiffCapture => {
      const { facts, period, divisor } = mergeCaptures(group.captures, { ...type, isUnpaired });
      const samples = group.samples.map((one) => ({ ...one, weight: one.weight / divisor }));
      const profile = profileOf(samples, { ...type, period, metadata: {} });
      return {
        profile,
        selection: { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null },
        transforms: noTransforms(profile),
        named: [],
        document: null,
        facts,
      };
    });
  return { before: side('before'), after: side('after'), options: DEFAULT_OPTIONS, experiment: null };
}

export const noTransforms = ({ strings, functions }: Profile): ResolvedTransforms => ({
  base: functions,
  strings,
  functions,
  steps: [],
  found: [],
});
