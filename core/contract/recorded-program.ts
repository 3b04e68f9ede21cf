import { quoteArgv } from './quote-argv.ts';
import type { CaptureDocument } from './schemas.ts';

export interface RecordedProgram {
  /** As it was started. */
  readonly command: string | null;
  /** The same without the program's folders. */
  readonly program: string | null;
  /** The name that recording gives it. */
  readonly generated: string | null;
}

/** Longer command lines are cut in lists. Characters. */
const LONGEST_PROGRAM = 300;

/** The program that a capture was recorded of; nulls where its document does not say, as in imports and in captures of the whole system. */
export function recordedProgram({ collector, process }: CaptureDocument): RecordedProgram {
  const [command = []] = collector?.commands ?? [];
  const end = command.indexOf('--');
  if (process !== null) {
    const line = (process.command || process.name).slice(0, LONGEST_PROGRAM);
    return { command: line, program: withoutFolders(line), generated: `${process.name} (${process.pid})` };
  }
  if (end < 0) return { command: null, program: null, generated: null };
  const argv = command.slice(end + 1);
  const line = quoteArgv(argv).slice(0, LONGEST_PROGRAM);
  return { command: line, program: withoutFolders(line), generated: argv.slice(0, 4).join(' ').slice(0, 80) };
}

/** `server --port 80` for `/opt/app/server --port 80`. */
const withoutFolders = (line: string): string => line.replace(/^[^\s'/]*\/(?:[^\s'/]+\/)*(?=[^\s'/])/, '');
