import type { Command } from 'commander';
import { initClickHouse } from '#app/engine/fleet/clickhouse.ts';
import { serverTables } from '#app/engine/fleet/clickhouse-tables.ts';
import { isServerAddress, readServerAddress } from '#app/engine/fleet/server-address.ts';
import { openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { usageError } from '../errors.ts';
import { print } from '../output/terminal.ts';
import { loggingIn } from './log-in.ts';
import { fleetName } from './options.ts';

interface InitFlags {
  readonly to?: string;
  readonly login?: string;
  readonly cluster?: string;
  readonly ttl: number;
  readonly teams?: true;
  readonly print?: true;
}

/** The server's dates end in 2149. */
const MAX_DAYS = 36_500;

/** Makes the empty tables of a fleet, or prints the statements that do. */
export async function init(command: Command): Promise<void> {
  const { to, login, cluster, ttl, teams, print: isPrinted } = command.opts<InitFlags>();
  const name = fleetName('--to', to);
  if (ttl > MAX_DAYS) throw usageError(`--ttl: more than ${MAX_DAYS} days`, 'leave it out to keep captures');
  const options = { ttlDays: ttl === 0 ? null : ttl, byTeam: teams === true };
  if (!isServerAddress(name)) {
    if (cluster !== undefined || ttl > 0 || teams === true || isPrinted === true) {
      throw usageError(
        '--cluster, --ttl, --teams and --print are for ClickHouse',
        'name a database: clickhouse://HOST:8123/DATABASE',
      );
    }
    (await openFleetToPush(name)).close();
  } else if (cluster === undefined && isPrinted !== true) {
    await loggingIn(login, (given) => initClickHouse(name, given, options))();
  } else {
    if (cluster !== undefined && !/^[\w-]{1,64}$/.test(cluster)) {
      throw usageError('--cluster: not the name of a cluster', 'SHOW CLUSTERS lists them');
    }
    const { database } = readServerAddress(name);
    const statements = serverTables({ ...options, database, cluster: cluster ?? null });
    return print(statements.map((statement) => `${statement};\n`).join('\n'));
  }
  print(`${name}: ready for flamebench fleet push\n`);
}
