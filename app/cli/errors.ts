import { ExitCode } from './command.ts';

/** Ends the command with one line on stderr and an exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** The remedy, one sentence. */
  readonly remedy: string | null;
  /** Code of the failure or id of the check behind it, for its page in docs/failures; null: none. */
  readonly code: string | null;

  constructor(exitCode: ExitCode, message: string, remedy: string | null = null, code: string | null = null) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.remedy = remedy;
    this.code = code;
  }
}

export const usageError = (message: string, remedy: string | null = null): CliError =>
  new CliError(ExitCode.usage, message, remedy);
export const inputError = (message: string, remedy: string | null = null): CliError =>
  new CliError(ExitCode.input, message, remedy);
export const captureError = (message: string, remedy: string | null = null, code: string | null = null): CliError =>
  new CliError(ExitCode.captureFailed, message, remedy, code);

/** Removes the `error: ` prefix of commander's messages and joins its suggestions to one line. */
export const usageMessage = ({ message }: Error): string =>
  message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .trim();

/** Adds the name of one of several inputs to the errors of what is chosen in it. */
export function inInput<T>(name: string, choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(error.exitCode, `${name}: ${error.message}`, error.remedy, error.code);
  }
}
