import type { Command } from 'commander';
import { MAX_JAVA_SECONDS } from '#core/contract/java.ts';
import {
  declareAttached,
  declareSeriesOptions,
  noNextStep,
  readAttached,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

interface JavaFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly seconds: number;
}

export const javaRow: RecordRow = {
  id: 'java',
  summary: 'record a running JVM with its Flight Recorder: CPU, allocations, locks; no restart',
  example: 'flamebench record java --pid 4242 --seconds 10',
  declare,
  read(command) {
    const { seconds, ...flags } = command.opts<JavaFlags>();
    return readAttached(flags, (scope) => ({ collector: 'java', scope, seconds }));
  },
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_JAVA_SECONDS);
  declareSeriesOptions(command, 'also write the recording to this file; with --repeat, FILE-1…');
}
