import { toEngineFailure, type EngineFailure } from '#app/engine/failure.ts';
import { UNREADABLE_INPUT } from '#app/engine/files/file-source.ts';
import { ExitCode } from './command.ts';
import { CliError, usageError } from './errors.ts';
import { CompareRefusal } from '#core/model/failure.ts';

/**
 * Converts failures of the engine or library and refused comparisons to errors of the command; other errors are returned
 * unchanged.
 */
export function toCliError(error: unknown): unknown {
  if (error instanceof CompareRefusal) return usageError(error.message);
  const known = toEngineFailure(error);
  return known === null
    ? error
    : new CliError(exitCodeOf(known), known.message.replace(/\.$/, ''), known.remedy, known.code);
}

/** Throws {@link toCliError}'s error, for `catch()` of a promise. */
export function rethrow(error: unknown): never {
  throw toCliError(error);
}

/** Codes of failures of the machine or a host. */
const OF_THE_WORLD: ReadonlySet<string> = new Set([
  'container-not-reached',
  'disk-full',
  'fleet-away',
  'no-space',
  'not-connected',
  'not-started',
]);
/** Codes of failures caused by the input file. */
const OF_THE_INPUT: ReadonlySet<string> = new Set([
  UNREADABLE_INPUT,
  'empty-capture',
  'go-trace-failed',
  'not-a-profile',
  'perf-script-crashed',
  'perf-script-failed',
  'perf-script-too-old',
]);

export function exitCodeOf({ code }: EngineFailure): ExitCode {
  if (OF_THE_INPUT.has(code)) return ExitCode.input;
  return OF_THE_WORLD.has(code) ? ExitCode.captureFailed : ExitCode.usage;
}
