import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { readServerAddress } from '#app/engine/fleet/server-address.ts';
import { readTraceLog, type TraceLogFilter } from '#app/engine/fleet/trace-log.ts';
import { writeNative } from '#core/model/native/write.ts';
import { countText } from '#core/units/format.ts';
import { usageError } from '../errors.ts';
import { libraryWords } from '../library/library-option.ts';
import { withLibrary } from '../library/open-library.ts';
import { jsonText } from '../output/json-text.ts';
import { print, showProgress, warn } from '../output/terminal.ts';
import { loggingIn } from './log-in.ts';
import { readTime } from './options.ts';

interface TraceLogFlags {
  readonly in?: string;
  readonly login?: string;
  readonly queryId?: readonly string[];
  readonly user?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly json?: true;
  readonly library?: string;
}

const MAX_NAME = 60;

/** Reads samples of a server's `trace_log`, and adds them to the library as one capture. */
export async function traceLog(command: Command): Promise<void> {
  const flags = command.opts<TraceLogFlags>();
  if (flags.in === undefined) throw usageError('no server is named', 'add --in clickhouse://HOST:8123/system');
  const { name } = readServerAddress(flags.in);
  const filter: TraceLogFilter = {
    queryIds: flags.queryId ?? [],
    users: flags.user ?? [],
    since: readTime('--since', flags.since),
    until: readTime('--until', flags.until),
  };
  if (filter.queryIds.length === 0 && filter.users.length === 0 && filter.since === null) {
    throw usageError('no samples are selected', 'add --query-id, --user or --since');
  }
  showProgress(`reading trace_log of ${name}`);
  const { profile, samples, warnings } = await loggingIn(flags.login, (login) => readTraceLog(name, login, filter))()
    // The question for a password takes the line's place.
    .finally(() => showProgress(''));
  for (const line of warnings) warn(line);
  const what = filter.queryIds[0] ?? filter.users[0] ?? new Date(filter.since!).toISOString();
  const { id } = await withLibrary(flags.library, (library) =>
    library.importFile(`clickhouse ${what.slice(0, MAX_NAME)}.flamebench`, Readable.from(writeNative(profile))),
  );
  if (flags.json === true) return print(jsonText({ id, samples }));
  const words = ['flamebench', 'open', id, ...libraryWords(flags.library)].join(' ');
  print(`${id}: ${countText(samples, 'sample')}; ${words} opens it\n`);
}
