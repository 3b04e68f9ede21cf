import { cleanMessage } from '../message-log.ts';
import { explain, type Explanation, type RecordingFailure } from '../recording-failure.ts';
import { isUnknown } from '../target/target.ts';
import type { ScriptFailure } from './script-run.ts';

const NEWER = 'use a newer perf: choose another target, such as the machine that recorded';

/** Messages of `perf script` and of the copy for it: tools/perf/util/header.c, session.c. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /No space left on device|Disk quota exceeded/,
    code: 'no-space',
    message: 'the temporary folder has no room for the recording',
    remedy: 'set TMPDIR there to a folder on a larger disk, or free some space',
  },
  {
    pattern: /incompatible file format|unsupported ABI|file uses a more recent|magic\/endian check failed/,
    code: 'perf-script-too-old',
    message: 'this perf doesn’t know the file',
    remedy: NEWER,
  },
  {
    pattern: /failed to process type|unknown feature|bad event|zstd/i,
    code: 'perf-script-too-old',
    message: 'this perf doesn’t know a part of the file',
    remedy: NEWER,
  },
];
const CRASHES: ReadonlySet<string | null> = new Set(['SIGBUS', 'SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL']);

/** Explains why perf did not read a recording. */
export function explainScriptFailure({ message, said, exit }: ScriptFailure): RecordingFailure {
  if (isUnknown(exit)) {
    return { code: 'not-connected', message: 'the connection was lost', remedy: 'connect again' };
  }
  if (CRASHES.has(exit.signal)) {
    const crashed = `perf crashed on the recording (${exit.signal})`;
    return {
      code: 'perf-script-crashed',
      message: crashed,
      remedy: 'copy the file again, or use another perf',
    };
  }
  const known = explain(said, EXPLANATIONS);
  const last = cleanMessage(said.trim().split('\n').at(-1) ?? '').slice(0, 300);
  if (known !== null) return { ...known, message: last === '' ? known.message : `${known.message} (${last})` };
  return { code: 'perf-script-failed', message, remedy: null };
}
