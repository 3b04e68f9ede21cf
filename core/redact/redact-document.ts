import { commandTitles, launchedCommand } from '../contract/launched-command.ts';
import type { CaptureDocument, CollectorOptions } from '../contract/schemas.ts';
import type { PprofOptions } from '../contract/pprof.ts';
import { REDACTED, redactArgv, redactCommandLine } from './redact-argv.ts';

/**
 * Returns the document with the secrets in its command lines redacted by the current rules, whoever wrote it: an
 * earlier version, or another Flamebench whose bundle was imported. A document written by this version is returned
 * unchanged.
 */
export function redactDocument(document: CaptureDocument): CaptureDocument {
  const { name, collector, process, options, readByPerf } = document;
  return {
    ...document,
    name: redactTitle(name, launchedCommand(document)),
    collector: collector && {
      ...collector,
      commands: collector.commands.map(redactArgv),
      ...(collector.requests === undefined ? {} : { requests: collector.requests.map(redactCommandLine) }),
    },
    process: process && { ...process, command: redactCommandLine(process.command) },
    ...(options === undefined ? {} : { options: redactOptions(options) }),
    ...(readByPerf === undefined ? {} : { readByPerf: { ...readByPerf, command: redactArgv(readByPerf.command) } }),
  };
}

/** Redacts the secrets in the command that the options launch, or in the requests that they make. */
export function redactOptions(options: CollectorOptions): CollectorOptions {
  if (options.collector === 'pprof') return redactRequests(options);
  if (options.collector !== 'perf') return options;
  const { scope } = options;
  if (scope.kind !== 'command') return options;
  const { argv, env } = scope;
  const redacted = {
    argv: redactArgv(argv),
    ...(env === undefined ? {} : { env: redactArgv(['env', ...env]).slice(1) }),
  };
  return { ...options, scope: { ...scope, ...redacted } };
}

function redactRequests(options: PprofOptions): PprofOptions {
  const { scope, headers, tls, ...rest } = options;
  return {
    ...rest,
    scope: scope.kind === 'url' ? { ...scope, url: redactArgv([scope.url])[0]! } : scope,
    ...(headers === undefined ? {} : { headers: headers.map(({ name }) => ({ name, value: REDACTED })) }),
    ...(tls === undefined ? {} : { tls: {} }),
  };
}

/** Redacts a name unless the user chose it. */
function redactTitle(name: string, argv: readonly string[]): string {
  const titles = commandTitles(argv);
  const at = titles.findIndex((title) => title !== '' && name.startsWith(title));
  return at < 0 ? name : `${commandTitles(redactArgv(argv))[at]}${name.slice(titles[at]!.length)}`;
}
