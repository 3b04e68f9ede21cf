import { commandTitles, launchedCommand } from './launched-command.ts';
import { quoteArgv } from './quote-argv.ts';
import type { CaptureDocument } from './schemas.ts';

interface RecordedProgram {
  /** As it was started. */
  readonly command: string | null;
  /** The same without the program's folders. */
  readonly program: string | null;
  /** The names that recording generates for it, in this version and earlier ones. */
  readonly generated: readonly string[];
}

/** Maximum characters of a command line in lists. */
const LONGEST_PROGRAM = 300;

/**
 * Returns the program that a capture recorded; nulls if its document does not state it, as for imports and for captures
 * of the whole system.
 */
export function recordedProgram(document: CaptureDocument): RecordedProgram {
  const { process } = document;
  if (process !== null) {
    const line = (process.command || process.name).slice(0, LONGEST_PROGRAM);
    return { command: line, program: withoutFolders(line), generated: [`${process.name} (${process.pid})`] };
  }
  const argv = launchedCommand(document);
  if (argv.length === 0) return { command: null, program: null, generated: [] };
  const line = quoteArgv(argv).slice(0, LONGEST_PROGRAM);
  return { command: line, program: withoutFolders(line), generated: commandTitles(argv) };
}

/** Returns `server --port 80` for `/opt/app/server --port 80`. */
const withoutFolders = (line: string): string => line.replace(/^[^\s'/]*\/(?:[^\s'/]+\/)*(?=[^\s'/])/, '');
