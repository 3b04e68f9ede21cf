import { readScript } from '../read-script.ts';
import { runToEnd } from './run-to-end.ts';
import { withRuns, type Target } from './target.ts';

/** Environment variable of every process that a recording starts; its value identifies the recording. */
export const MARK = 'FLAMEBENCH_RECORDING';

/** Returns the same target, with the recording's mark on every process, including children. */
export const markRuns = (target: Target, recordingId: string): Target =>
  withRuns(
    target,
    (access) =>
      (argv, options = {}) =>
        access.run(argv, { ...options, env: { ...options.env, [MARK]: recordingId } }),
  );

/** Processes by name. */
export interface Leftovers {
  readonly ended: readonly string[];
  /** Did not end, not even when killed. */
  readonly left: readonly string[];
}

const SCRIPT = readScript(new URL('./leftovers.sh', import.meta.url));

/**
 * Ends the processes that a recording left running, as far as the target's user may see them; processes that ran as
 * root are ended only by their own watchdog.
 */
export async function endLeftovers(target: Target, recordingId: string): Promise<Leftovers> {
  const { stdout } = await runToEnd(target, ['/bin/sh', '-c', SCRIPT, 'flamebench', `${MARK}=${recordingId}`]);
  const lines = new TextDecoder().decode(stdout).split('\n');
  const named = (kind: string): Map<string, string> =>
    new Map(
      lines
        .map((line) => line.split(' '))
        .flatMap(([word, pid, ...name]) => (word === kind && pid !== undefined ? [[pid, name.join(' ')]] : [])),
    );
  const left = named('left');
  const ended = [...named('found')].filter(([pid]) => !left.has(pid)).map(([, name]) => name);
  return { ended, left: [...left.values()] };
}
