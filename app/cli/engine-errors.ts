import { EngineFailure } from '#app/engine/failure.ts';
import { ExitCode } from './command.ts';
import { CliError } from './errors.ts';

/** What the engine or the library says in one line, as the command's own. */
export function toCliError(error: unknown): unknown {
  if (!(error instanceof EngineFailure)) return error;
  const exitCode = error.code === 'disk-full' ? ExitCode.captureFailed : ExitCode.usage;
  return new CliError(exitCode, error.message.replace(/\.$/, ''), error.remedy);
}
