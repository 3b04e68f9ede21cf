import type { CaptureDocument, CollectorOptions } from '../contract/schemas.ts';
import type { PprofOptions } from '../contract/pprof.ts';
import { REDACTED, redactArgv, redactCommandLine } from './redact-argv.ts';

/**
 * Returns the document with the secrets of its command lines redacted by today's rules, whoever wrote it: an earlier version, or another
 * Flamebench whose bundle was imported. A document that this version wrote stays as it is.
 */
export function redactDocument(document: CaptureDocument): CaptureDocument {
  const { name, collector, process, options, readByPerf } = document;
  return {
    ...document,
    name: redactTitle(name, recordedCommand(document)),
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

/** Options with the secrets of the command that they launch, or of the requests that they make, redacted. */
export function redactOptions(options: CollectorOptions): CollectorOptions {
  if (options.collector === 'pprof') return redactRequests(options);
  const { scope } = options;
  return scope.kind === 'command' ? { ...options, scope: { ...scope, argv: redactArgv(scope.argv) } } : options;
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

/** The name that a capture of a launched command has until the user gives it another one. */
export const commandTitle = (argv: readonly string[]): string => argv.slice(0, 4).join(' ').slice(0, 80);

/** What Flamebench launched; empty where it launched nothing. */
function recordedCommand({ options, collector }: CaptureDocument): readonly string[] {
  if (options !== undefined) return options.scope.kind === 'command' ? options.scope.argv : [];
  const command = collector?.commands[0] ?? [];
  return command.includes('--') ? command.slice(command.indexOf('--') + 1) : [];
}

/** A name that the user chose is the user's. */
function redactTitle(name: string, argv: readonly string[]): string {
  const title = commandTitle(argv);
  return title !== '' && name.startsWith(title) ? `${commandTitle(redactArgv(argv))}${name.slice(title.length)}` : name;
}
