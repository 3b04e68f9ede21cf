import type { CaptureDocument, CollectorOptions } from '../contract/schemas.ts';
import { redactArgv, redactCommandLine } from './redact-argv.ts';

/**
 * Returns the document with the secrets of its command lines redacted by today's rules, whoever wrote it: an earlier version, or another
 * Flamebench whose bundle was imported. A document that this version wrote stays as it is.
 */
export function redactDocument(document: CaptureDocument): CaptureDocument {
  const { name, collector, process, options, readByPerf } = document;
  return {
    ...document,
    name: redactTitle(name, recordedCommand(document)),
    collector: collector && { ...collector, commands: collector.commands.map(redactArgv) },
    process: process && { ...process, command: redactCommandLine(process.command) },
    ...(options === undefined ? {} : { options: redactOptions(options) }),
    ...(readByPerf === undefined ? {} : { readByPerf: { ...readByPerf, command: redactArgv(readByPerf.command) } }),
  };
}

/** Options with the secrets of the command that they launch redacted. */
export function redactOptions(options: CollectorOptions): CollectorOptions {
  const { scope } = options;
  return scope.kind === 'command' ? { ...options, scope: { ...scope, argv: redactArgv(scope.argv) } } : options;
}

/** The name that a capture of a launched command has until the user gives it another one. */
export const commandTitle = (argv: readonly string[]): string => argv.slice(0, 4).join(' ').slice(0, 80);

/** What Flamebench launched; empty if it launched nothing. */
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
