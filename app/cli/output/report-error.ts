import { errorCode, toEngineFailure, withRemedy } from '#app/engine/failure.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { withFailurePage } from '#core/contract/failure-pages.ts';
import { ImportFailure, describeFailure, messageOf } from '#core/model/failure.ts';
import { ExitCode } from '../command.ts';
import { exitCodeOf } from '../engine-errors.ts';
import { CliError } from '../errors.ts';
import { writeFailure } from './write-failure.ts';
import { fail, isVerbose, onPrintError, relay } from './terminal.ts';

/** Exit code of an internal error: EX_SOFTWARE in sysexits.h. */
const EXIT_INTERNAL = 70;

/** Prints an error as one line on stderr and returns its exit code. */
export function reportError(error: unknown): number {
  if (isClosedPipe(error)) return ExitCode.ok;
  const { line, exitCode } = explainError(error);
  fail(line);
  const isTraced = isVerbose() || process.env['FLAMEBENCH_DEBUG'] !== undefined;
  if (exitCode === EXIT_INTERNAL && isTraced && error instanceof Error) {
    relay(`${error.stack}\n`);
  }
  return exitCode;
}

/** Returns an error as one line, with its remedy. */
export function explainError(error: unknown): { line: string; exitCode: number } {
  if (error instanceof CliError) {
    return { line: withFailurePage(withRemedy(error.message, error.remedy), error.code), exitCode: error.exitCode };
  }
  const known = toEngineFailure(error);
  if (known !== null) {
    const line = withFailurePage(withRemedy(known.message, known.remedy), known.code);
    return { line, exitCode: exitCodeOf(known) };
  }
  if (error instanceof ImportFailure)
    return { line: withFailurePage(describeFailure(error), error.failure), exitCode: ExitCode.input };
  const message = messageOf(error);
  return {
    line: `internal error: ${message}; please report it, with -v for the stack trace`,
    exitCode: EXIT_INTERNAL,
  };
}

const isClosedPipe = (error: unknown): boolean => errorCode(error) === 'EPIPE';

/**
 * Exits without a message if the output pipe is closed, as in `flamebench top … | head`, or first ends the work that
 * {@link endOnClosedPipe} names.
 */
export function exitQuietlyOnClosedPipe(): void {
  onPrintError((error) => {
    if (isClosedPipe(error) && endWork !== null) return endWork();
    process.exit(isClosedPipe(error) ? ExitCode.ok : reportError(writeFailure(STDIO, error)));
  });
}

let endWork: (() => void) | null = null;

/** Calls `end` instead of exiting if the output pipe is closed, until `off`; nothing may be printed afterwards. */
export function endOnClosedPipe(end: () => void): { off(): void } {
  endWork = end;
  return {
    off() {
      endWork = null;
    },
  };
}
