import type { Command } from 'commander';
import { openFleet } from '#app/engine/fleet/open-fleet.ts';
import type { FleetStore } from '#app/engine/fleet/store.ts';
import type { FleetFilter } from '#app/engine/fleet/select.ts';
import { loggingIn } from './log-in.ts';
import { fleetName, readFilter, type FilterFlags } from './options.ts';

/** What every action that reads a fleet gets. */
export interface OpenedFleet<Flags> {
  readonly fleet: FleetStore;
  readonly filter: FleetFilter;
  readonly flags: Flags;
}

interface CommonFlags extends FilterFlags {
  readonly in?: string;
  readonly login?: string;
  readonly type?: string;
}

/** Opens the fleet that the options name, for reading, and closes it afterwards. */
export async function withFleet<Flags extends object, Result>(
  command: Command,
  use: (opened: OpenedFleet<Flags & CommonFlags>) => Promise<Result>,
): Promise<Result> {
  const flags = command.opts<Flags & CommonFlags>();
  const filter = readFilter(flags);
  const name = fleetName('--in', flags.in);
  const fleet = await loggingIn(flags.login, (login) => openFleet(name, login))();
  try {
    return await use({ fleet, filter, flags });
  } finally {
    fleet.close();
  }
}
