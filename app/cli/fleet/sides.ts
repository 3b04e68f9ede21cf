import { comparedSides, type ComparedReplicate } from '#app/engine/fleet/compared-sides.ts';
import type { FleetStore } from '#app/engine/fleet/store.ts';
import type { FleetType, Replicates } from '#app/engine/fleet/read-fleet.ts';
import { readFleetSides, type SideFilters } from '#app/engine/fleet/sides.ts';
import { DEFAULT_OPTIONS, type DiffCapture, type DiffSides } from '../diff/captures.ts';
import { say, warn } from '../output/terminal.ts';

/** Reads both sides of a comparison, merged to replicates by the engine. */
export async function readDiffSides(
  fleet: FleetStore,
  filters: SideFilters,
  type: FleetType,
  replicates: Replicates,
): Promise<DiffSides> {
  const { merged, warnings, ...read } = await readFleetSides(fleet, filters, type, { replicates, withThreads: false });
  for (const line of merged) say(line);
  for (const line of warnings) warn(line);
  const sides = comparedSides(read, type);
  const capture = (replicate: ComparedReplicate): DiffCapture => ({ ...replicate, named: [], document: null });
  return {
    before: sides.before.map(capture),
    after: sides.after.map(capture),
    options: DEFAULT_OPTIONS,
    experiment: null,
  };
}
