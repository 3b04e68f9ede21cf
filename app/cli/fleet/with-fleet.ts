import type { Command } from 'commander';
import { openFleet, type FleetFile } from '#app/engine/fleet/duckdb.ts';
import { chooseFleetType, type FleetType } from '#app/engine/fleet/read-fleet.ts';
import type { FleetFilter } from '#app/engine/fleet/select.ts';
import { inputError } from '../errors.ts';
import { describeFilter, fleetPath, readFilter, type FilterFlags } from './options.ts';

/** What every action that reads a fleet gets. */
export interface OpenedFleet<Flags> {
  readonly fleet: FleetFile;
  readonly filter: FleetFilter;
  readonly flags: Flags;
}

interface CommonFlags extends FilterFlags {
  readonly in?: string;
  readonly type?: string;
}

/** Opens the fleet that the options name, for reading, and closes it afterwards. */
export async function withFleet<Flags extends object, Result>(
  command: Command,
  use: (opened: OpenedFleet<Flags & CommonFlags>) => Promise<Result>,
): Promise<Result> {
  const flags = command.opts<Flags & CommonFlags>();
  const filter = readFilter(flags);
  const fleet = await openFleet(fleetPath('--in', flags.in));
  try {
    return await use({ fleet, filter, flags });
  } finally {
    fleet.close();
  }
}

/** Returns the value type to read; throws if the filters select no capture. */
export async function typeOf(
  fleet: FleetFile,
  filters: readonly FleetFilter[],
  wanted: string | undefined,
): Promise<FleetType> {
  const type = await chooseFleetType(fleet, filters, wanted);
  if (type !== null) return type;
  throw nothingSelected(fleet, filters.map(describeFilter).join('; '));
}

export const nothingSelected = (fleet: FleetFile, what: string) =>
  inputError(`${fleet.path} has no captures of: ${what}`, 'flamebench fleet list shows what it has');

const DEFAULT_ROWS = 20;

/** Returns the rows to print: 20 by default, all for programs. */
export function rowLimitOf(flags: { readonly number?: number; readonly json?: true; readonly csv?: true }): number {
  const rows = flags.number ?? (flags.json === true || flags.csv === true ? 0 : DEFAULT_ROWS);
  return rows === 0 ? Infinity : rows;
}
