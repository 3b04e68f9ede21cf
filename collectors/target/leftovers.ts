import { readScript } from '../read-script.ts';
import { runToEnd } from './run-to-end.ts';
import type { RunOptions, RunningProcess, Target } from './target.ts';

/** In the environment of all that a recording starts, its value names the recording. */
const MARK = 'FLAMEBENCH_RECORDING';

/** The same target, where everything that runs carries the recording's mark, children included. */
export function markRuns(target: Target, recordingId: string): Target {
  const marked =
    (access: Pick<Target, 'run'>) =>
    (argv: readonly string[], options: RunOptions = {}): Promise<RunningProcess> =>
      access.run(argv, { ...options, env: { ...options.env, [MARK]: recordingId } });
  const { root } = target;
  return {
    ...target,
    run: marked(target),
    ...(root === undefined ? {} : { root: { sudoArgv: () => root.sudoArgv(), run: marked(root) } }),
  };
}

/** Processes by name. */
export interface Leftovers {
  readonly ended: readonly string[];
  /** Did not end, not even when killed. */
  readonly left: readonly string[];
}

const SCRIPT = readScript(new URL('./leftovers.sh', import.meta.url));

/** Ends what a recording left running, of the processes that the target's user may see: what ran as root ends by its own watchdog alone. */
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
