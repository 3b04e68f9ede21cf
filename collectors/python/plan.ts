import { pythonNote, type PythonOptions } from '#core/contract/python.ts';
import { commandStep, type Plan } from '../collector.ts';

export const RAW_FILE = 'raw.speedscope.json';

/** py-spy's messages are parsed: no backtraces, no colours. */
export const PY_SPY_ENVIRONMENT = { LC_ALL: 'C', RUST_BACKTRACE: '0', RUST_LIB_BACKTRACE: '0', NO_COLOR: '1' };

/** Facts about the target that {@link planPython} needs. */
interface PythonFacts {
  /** Absolute path of py-spy. */
  readonly path: string;
  readonly version: string;
  /** See {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
}

/** py-spy prints its messages on stdout, too: they go to stderr, and the profile to the pipe, so no file is written. */
const APART = ['/bin/sh', '-c', 'exec "$@" 3>&1 >&2', 'sh'];

const SAMPLED = { running: 'running threads', gil: 'threads that hold the GIL', all: 'all threads' } as const;

/** Pure. */
export function planPython({ path, version, sudo }: PythonFacts, options: PythonOptions): Plan<PythonOptions> {
  const { scope, rateHz, seconds, threads, stacks, subprocesses } = options;
  const argv = [
    path,
    'record',
    '--pid',
    String(scope.pid),
    '--rate',
    String(rateHz),
    '--duration',
    String(seconds),
    ...(threads === 'gil' ? ['--gil'] : threads === 'all' ? ['--idle'] : []),
    ...(stacks === 'native' ? ['--native'] : stacks === 'without-pauses' ? ['--nonblocking'] : []),
    ...(subprocesses ? ['--subprocesses'] : []),
    '--full-filenames',
    '--format',
    'speedscope',
    '--output',
    '/dev/fd/3',
  ];
  return {
    collector: 'python',
    options,
    steps: [commandStep([...APART, ...argv])],
    piped: false,
    sudo,
    otherFiles: [],
    toolVersion: version,
    event: SAMPLED[threads],
    rateHz,
    note: pythonNote(options),
  };
}
