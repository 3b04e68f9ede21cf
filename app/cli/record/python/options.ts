import type { Command } from 'commander';
import { DEFAULT_PYTHON_HZ, MAX_PYTHON_HZ, MAX_PYTHON_SECONDS } from '#core/contract/python.ts';
import { PY_SPY_BUILDS, SENT_VERSION } from '#collectors/python/builds.ts';
import { usageError } from '../../errors.ts';
import { wholeNumberOption } from '../../option-values.ts';
import { keepFile } from '../keep-file.ts';
import {
  declareAttached,
  declareSeriesOptions,
  noNextStep,
  readAttached,
  type AskedRecording,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

interface PythonFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly rate: number;
  readonly seconds: number;
  readonly gil?: true;
  readonly idle?: true;
  readonly native?: true;
  readonly nonblocking?: true;
  readonly subprocesses?: true;
  readonly sudo?: true;
  readonly sendPySpy?: true;
  readonly pySpy?: string;
}

export const pythonRow: RecordRow = {
  id: 'python',
  summary: 'sample a running Python process by its functions, with py-spy; no restart',
  example: 'flamebench record python --pid 4242 --seconds 10',
  declare,
  read: readPythonRequest,
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_PYTHON_SECONDS)
    .option('--rate <hz>', 'samples of each thread per second', wholeNumberOption(1, MAX_PYTHON_HZ), DEFAULT_PYTHON_HZ)
    .option('--gil', 'only threads that hold the global interpreter lock')
    .option('--idle', 'all threads, including those that wait')
    .option('--native', 'also the frames of C and C++ code')
    .option('--nonblocking', 'do not pause the process: samples may be wrong or missing')
    .option('--subprocesses', 'also the Python processes that it started')
    .option('--sudo', 'over ssh: record as root, with sudo')
    .option('--send-py-spy', 'send py-spy for the recording if there is none; fetched from PyPI unless it is kept here')
    .option('--py-spy <file>', 'as --send-py-spy, from this wheel or program; nothing is fetched');
  declareSeriesOptions(command, 'also write the profile to this file; with --repeat, FILE-1…');
}

/** Throws a usage error for conflicting options. */
async function readPythonRequest(command: Command): Promise<AskedRecording> {
  const flags = command.opts<PythonFlags>();
  const { rate: rateHz, seconds } = flags;
  if (flags.gil === true && flags.idle === true) throw usageError('--gil and --idle exclude each other');
  if (flags.native === true && flags.nonblocking === true)
    throw usageError('--native needs pauses', 'leave out --nonblocking');
  if (flags.sendPySpy === true && flags.pySpy !== undefined)
    throw usageError('--send-py-spy and --py-spy exclude each other');
  const send = flags.sendPySpy === true ? 'fetched' : flags.pySpy === undefined ? null : 'kept';
  if (flags.pySpy !== undefined)
    await keepFile(flags.pySpy, PY_SPY_BUILDS, 'py-spy', `wheel of ${SENT_VERSION} on PyPI: ${WHEELS}`);
  return readAttached(flags, (scope) => ({
    collector: 'python',
    scope,
    rateHz,
    seconds,
    threads: flags.gil === true ? 'gil' : flags.idle === true ? 'all' : 'running',
    stacks: flags.native === true ? 'native' : flags.nonblocking === true ? 'without-pauses' : 'python',
    subprocesses: flags.subprocesses === true,
    ...(flags.sudo === true ? { asRoot: true } : {}),
    ...(send === null ? {} : { send }),
  }));
}

const WHEELS = PY_SPY_BUILDS.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)).join(' or ');
