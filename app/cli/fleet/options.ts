import { Option, type Command } from 'commander';
import type { FleetFilter } from '#app/engine/fleet/select.ts';
import { isServerAddress, readServerAddress } from '#app/engine/fleet/server-address.ts';
import { readTimeText } from '#core/fleet/time-text.ts';
import { FLEET_REDACTIONS } from '#core/fleet/redact-capture.ts';
import { usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { collect, rowCount } from '../option-values.ts';

/** The variable that names the fleet of all actions. */
const VARIABLE = 'FLAMEBENCH_FLEET';

const TARGET_FLEET = [
  '--to <fleet>',
  `the fleet’s file, created if missing, or its address (default: $${VARIABLE})`,
] as const;

const LOGIN_OPTION = [
  '--login <file>',
  'file with a server’s user and password, a line each (default: $FLAMEBENCH_FLEET_LOGIN)',
] as const;

export function declareStore(command: Command): void {
  command.option('--in <fleet>', `the fleet’s file or address (default: $${VARIABLE})`);
  command.option(...LOGIN_OPTION);
}

export function declareInit(command: Command): void {
  command
    .option(...TARGET_FLEET)
    .option(...LOGIN_OPTION)
    .option('--ttl <days>', 'days after which captures expire; 0: never', rowCount, 0)
    .option('--teams', 'let each user of the server read only what it pushed')
    .option('--cluster <name>', 'print the statements for this cluster instead of running them')
    .option('--print', 'print the statements instead of running them');
}

export function declareFilter(command: Command): void {
  command
    .option('--service <name>', 'only captures of this service (repeatable)', collect)
    .option('--release <name>', 'only captures of this release (repeatable)', collect)
    .option('--commit <id>', 'only captures of this commit (repeatable)', collect)
    .option('--host <name>', 'only captures of this host (repeatable)', collect)
    .option('--label <key=value>', 'only captures with this label (repeatable)', collect)
    .option('--id <id>', 'only the capture with this id, or a prefix of it (repeatable)', collect)
    .option('--since <time>', 'only captures from then on: 2026-11-21, 2026-11-21T17:44Z')
    .option('--until <time>', 'only captures before then');
}

export function declareType(command: Command): void {
  command.option('--type <type>', 'value type, as type or type/unit; default: that of most captures');
}

export function declarePush(command: Command): void {
  command
    .argument('[captures...]', 'files, or captures of the library by id or prefix of their name')
    .option(...TARGET_FLEET)
    .option(...LOGIN_OPTION)
    .option('--service <name>', 'the service that was recorded')
    .option('--release <name>', 'its release')
    .option('--commit <id>', 'its commit')
    .option('--host <name>', 'the host, if the captures state none, or another name')
    .option('--label <key=value>', 'a label of these captures (repeatable)', collect)
    .addOption(redactOption())
    .option('--from <format>', 'format of the files; overrides detection')
    .option('--watch', 'then push each new capture of the library, until Ctrl-C')
    .option('--json', 'print JSON')
    .option(...LIBRARY_OPTION);
}

export function declareReceive(command: Command): void {
  command
    .option(...TARGET_FLEET)
    .option(...LOGIN_OPTION)
    .option(
      '--listen <address:port>',
      'where to listen; beyond this machine only with a token and TLS',
      '127.0.0.1:4318',
    )
    .option('--token-file <file>', 'file with the token that requests must have: Authorization: Bearer TOKEN')
    .option('--cert <file>', 'certificate for TLS, PEM')
    .option('--key <file>', 'its key, PEM')
    .option('--max-body <mebibytes>', 'largest request in MiB, as sent and unpacked', rowCount, 16)
    .option('--label <key=value>', 'a label of these captures (repeatable)', collect)
    .addOption(redactOption());
}

const redactOption = (): Option =>
  new Option('--redact <kinds>', `what is replaced: ${FLEET_REDACTIONS.join(', ')}, or none`).default('home,user,host');

export interface FilterFlags {
  readonly service?: readonly string[];
  readonly release?: readonly string[];
  readonly commit?: readonly string[];
  readonly host?: readonly string[];
  readonly label?: readonly string[];
  readonly id?: readonly string[];
  readonly since?: string;
  readonly until?: string;
}

/** Returns the path or address of the fleet. */
export function fleetName(option: '--in' | '--to', given: string | undefined): string {
  const name = given ?? process.env[VARIABLE] ?? '';
  if (name === '') throw usageError('no fleet is named', `add ${option} FILE.duckdb, or set ${VARIABLE}`);
  // An address is checked at once: a refused one must go no further.
  return isServerAddress(name) ? readServerAddress(name).name : name;
}

export function declareTraceLog(command: Command): void {
  command
    .option('--in <address>', 'the server’s database of logs: clickhouse://HOST:8123/system')
    .option(...LOGIN_OPTION)
    .option('--query-id <id>', 'only samples of this query (repeatable)', collect)
    .option('--user <name>', 'only samples of this user’s queries (repeatable)', collect)
    .option('--since <time>', 'only samples from then on: 2026-11-21, 2026-11-21T17:44Z')
    .option('--until <time>', 'only samples before then')
    .option('--json', 'print JSON')
    .option(...LIBRARY_OPTION);
}

export function readFilter(flags: FilterFlags): FleetFilter {
  return {
    service: flags.service ?? [],
    release: flags.release ?? [],
    commit: flags.commit ?? [],
    host: flags.host ?? [],
    capture: flags.id ?? [],
    labels: (flags.label ?? []).map((text) => readPair('--label', text)),
    since: readTime('--since', flags.since),
    until: readTime('--until', flags.until),
  };
}

export function readPair(option: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${option} ${text}: not of the form KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function readTime(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = readTimeText(text);
  if (time !== null) return time;
  throw usageError(`${option}: '${text}' is not a time`, 'write 2026-11-21 (UTC) or 2026-11-21T17:44:00Z');
}

const FIELDS = ['service', 'release', 'commit', 'host'] as const;

/** Returns the common filter narrowed to a side: `release=1.4.2`, `until=2026-11-21`, or a label's `key=value`. */
export function readSide(option: '--before' | '--after', given: readonly string[], common: FleetFilter): FleetFilter {
  if (given.length === 0) {
    throw usageError(`the ${option.slice(2)} side is empty`, `add ${option} release=NAME, or another field or label`);
  }
  const fields = { service: [] as string[], release: [] as string[], commit: [] as string[], host: [] as string[] };
  const labels = [...common.labels];
  let { since, until } = common;
  for (const text of given) {
    const [key, value] = readPair(option, text);
    const field = FIELDS.find((one) => one === key);
    if (key === 'since') since = Math.max(since ?? -Infinity, readTime(`${option} since`, value)!);
    else if (key === 'until') until = Math.min(until ?? Infinity, readTime(`${option} until`, value)!);
    else if (field === undefined) labels.push([key, value]);
    else fields[field].push(value);
  }
  const narrowed = (field: (typeof FIELDS)[number]): readonly string[] => {
    if (fields[field].length === 0) return common[field];
    if (common[field].length > 0) throw usageError(`${option} and --${field} both name a ${field}`, 'leave one out');
    return fields[field];
  };
  return {
    ...common,
    labels,
    since,
    until,
    service: narrowed('service'),
    release: narrowed('release'),
    commit: narrowed('commit'),
    host: narrowed('host'),
  };
}
