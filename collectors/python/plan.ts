import { pythonNote, type PythonOptions } from '#core/contract/python.ts';
import { commandStep, TARGET_FOLDER, type Plan } from '../collector.ts';
import { readScript } from '../read-script.ts';
import type { PySpyBuild } from './builds.ts';

export const RAW_FILE = 'raw.speedscope.json';

/** py-spy's messages are parsed: no backtraces, no colours. */
export const PY_SPY_ENVIRONMENT = { LC_ALL: 'C', RUST_BACKTRACE: '0', RUST_LIB_BACKTRACE: '0', NO_COLOR: '1' };

const RUN_SENT = readScript(new URL('./run-sent.sh', import.meta.url));

/** The file of the private folder that {@link RUN_SENT} runs a copy of. */
export const SENT_FILE = 'py-spy';

/** A build that is sent. */
interface SentPySpy {
  readonly build: PySpyBuild;
  readonly isFetched: boolean;
}

export interface PythonPlan extends Plan<PythonOptions> {
  /** Absent: the target's own py-spy runs. */
  readonly sent?: PySpyBuild;
}

/** Facts about the target that {@link planPython} needs. */
interface PythonFacts {
  /** Absolute path of py-spy, or the one that is sent. */
  readonly pySpy: string | SentPySpy;
  readonly version: string;
  /** See {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
}

/** py-spy prints its messages on stdout, too: they go to stderr, and the profile to the pipe, so no file is written. */
const APART = ['/bin/sh', '-c', 'exec "$@" 3>&1 >&2', 'sh'];

const SAMPLED = { running: 'running threads', gil: 'threads that hold the GIL', all: 'all threads' } as const;

const programOf = (pySpy: PythonFacts['pySpy']): string[] =>
  typeof pySpy === 'string'
    ? [pySpy]
    : ['/bin/sh', '-c', RUN_SENT, 'flamebench', `${TARGET_FOLDER}/${SENT_FILE}`, pySpy.build.sha256];

/** Pure. */
export function planPython({ pySpy, version, sudo }: PythonFacts, options: PythonOptions): PythonPlan {
  const { scope, rateHz, seconds, threads, stacks, subprocesses } = options;
  const sent = typeof pySpy === 'string' ? null : pySpy;
  const argv = [
    ...programOf(pySpy),
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
    steps: [
      ...(sent?.isFetched === true
        ? [{ kind: 'request', method: 'GET', url: sent.build.url, headers: [] } as const]
        : []),
      commandStep([...APART, ...argv]),
    ],
    ...(sent === null
      ? {}
      : { sent: sent.build, remark: `py-spy ${version} is sent, checked by its SHA-256, and deleted before it runs` }),
    piped: false,
    sudo,
    otherFiles: [],
    toolVersion: version,
    event: SAMPLED[threads],
    rateHz,
    note: pythonNote(options),
  };
}
