import { Option, type Command } from 'commander';
import { MAX_JAVA_SECONDS } from '#core/contract/java.ts';
import { AP_LOADER, ASYNC_PROFILER_FILES } from '#collectors/java/async-profiler.ts';
import { usageError } from '../../errors.ts';
import { keepFile } from '../keep-file.ts';
import {
  declareAttached,
  declareSeriesOptions,
  noNextStep,
  readAttached,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

const PROFILES = ['flight-recorder', 'threads', 'async-profiler'] as const;

interface JavaFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly profile: (typeof PROFILES)[number];
  readonly seconds: number;
  readonly asyncProfiler?: string;
}

export const javaRow: RecordRow = {
  id: 'java',
  summary: 'record a running JVM with its Flight Recorder: CPU, allocations, locks; no restart',
  example: 'flamebench record java --pid 4242 --seconds 10',
  declare,
  async read(command) {
    const { profile, seconds, asyncProfiler, ...flags } = command.opts<JavaFlags>();
    if (asyncProfiler !== undefined && profile !== 'async-profiler')
      throw usageError('--async-profiler is for --profile async-profiler', 'give both, or neither');
    if (asyncProfiler !== undefined)
      await keepFile(asyncProfiler, ASYNC_PROFILER_FILES, 'async-profiler', `jar of ${AP_LOADER} on Maven Central`);
    const isDump = profile === 'threads';
    if (isDump && command.getOptionValueSource('seconds') === 'cli')
      throw usageError('--profile threads is a snapshot', 'leave out --seconds, or take several with --repeat');
    return readAttached(flags, (scope) => ({
      collector: 'java',
      scope,
      seconds,
      ...(profile === 'flight-recorder' ? {} : { profile }),
    }));
  },
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_JAVA_SECONDS).addOption(
    new Option(
      '--profile <profile>',
      'what: a recording of the Flight Recorder or async-profiler, or a snapshot of all threads',
    )
      .choices([...PROFILES])
      .default('flight-recorder'),
  );
  command.option(
    '--async-profiler <file>',
    `if the target has no asprof: send async-profiler’s library from this file, ${AP_LOADER}; it is kept for later recordings`,
  );
  declareSeriesOptions(command, 'also write the recording to this file; with --repeat, FILE-1…');
}
