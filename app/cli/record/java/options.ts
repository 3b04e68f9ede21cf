import { Option, type Command } from 'commander';
import { MAX_JAVA_SECONDS } from '#core/contract/java.ts';
import { usageError } from '../../errors.ts';
import {
  declareAttached,
  declareSeriesOptions,
  noNextStep,
  readAttached,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

const PROFILES = ['flight-recorder', 'threads'] as const;

interface JavaFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly profile: (typeof PROFILES)[number];
  readonly seconds: number;
}

export const javaRow: RecordRow = {
  id: 'java',
  summary: 'record a running JVM with its Flight Recorder: CPU, allocations, locks; no restart',
  example: 'flamebench record java --pid 4242 --seconds 10',
  declare,
  read(command) {
    const { profile, seconds, ...flags } = command.opts<JavaFlags>();
    const isDump = profile === 'threads';
    if (isDump && command.getOptionValueSource('seconds') === 'cli')
      throw usageError('--profile threads is a snapshot', 'leave out --seconds, or take several with --repeat');
    return readAttached(flags, (scope) => ({ collector: 'java', scope, seconds, ...(isDump ? { profile } : {}) }));
  },
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_JAVA_SECONDS).addOption(
    new Option('--profile <profile>', 'what: a recording of the Flight Recorder, or a snapshot of all threads')
      .choices([...PROFILES])
      .default('flight-recorder'),
  );
  declareSeriesOptions(command, 'also write the recording to this file; with --repeat, FILE-1…');
}
