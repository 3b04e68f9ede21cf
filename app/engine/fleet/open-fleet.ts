import { isServerAddress } from './server-address.ts';
import type { FleetLogin, FleetStore } from './store.ts';

/** Opens a fleet for reading. `login` is a server's user and password, or the file with them. Rejects with an EngineFailure. */
export async function openFleet(name: string, login?: string | FleetLogin): Promise<FleetStore> {
  if (isServerAddress(name)) return (await import('./clickhouse.ts')).openClickHouse(name, login);
  return (await import('./duckdb.ts')).openDuckDb(name);
}

/** Opens a fleet for writing. Creates a file if there is none; never writes to a file or database that is not a fleet. */
export async function openFleetToPush(name: string, login?: string | FleetLogin): Promise<FleetStore> {
  if (isServerAddress(name)) return (await import('./clickhouse.ts')).openClickHouse(name, login);
  return (await import('./duckdb.ts')).openDuckDbToPush(name);
}
