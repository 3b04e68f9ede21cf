import { NO_STACK, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { reportNewerFormat } from '../../model/newer-format.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  isObject,
  lineOf,
  numberAt,
  numberOr,
  objectAt,
  textOr,
  type JsonObject,
} from '../text/json-value.ts';

/** Source: TimelineRecording.SerializationVersion. */
const NEWEST_VERSION = 1;

/** Builds the profile of a Safari recording. */
export function buildSafari(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const recording = objectAt(file['recording'], 'recording');
  const traces = arrayOrNone(recording['sampleStackTraces'], 'recording.sampleStackTraces');
  const durations = arrayOrNone(recording['sampleDurations'], 'recording.sampleDurations');
  if (traces.length === 0) {
    throw unsupported('a Safari recording without samples of scripts; record “JavaScript & Events”');
  }
  if (durations.length !== traces.length) {
    throw malformed(`there are ${traces.length} samples and ${durations.length} durations`);
  }
  const builder = new ProfileBuilder(2);
  const version = numberOr(file['version'], 0);
  reportNewerFormat(builder.diagnostics, { format: 'Safari recording', version, newest: NEWEST_VERSION });
  const thread = builder.thread(-1, -1, '');
  const startTime = numberOr(recording['startTime'], 0);
  traces.forEach((value, row) => {
    const trace = objectAt(value, `recording.sampleStackTraces[${row}]`);
    const duration = nanosecondsOf(numberAt(durations[row], `recording.sampleDurations[${row}]`));
    if (duration === null) throw malformed(`recording.sampleDurations[${row}] is beyond 2^53 ns`);
    addSample(builder, thread, trace, { row, startTime, duration });
  });
  countOthers(builder, recording);
  const endTime = numberOr(recording['endTime'], Number.NaN);
  return builder.finish(
    [
      { type: 'time', unit: 'nanoseconds' },
      { type: 'samples', unit: 'count' },
    ],
    {
      format: 'safari',
      tool: 'Safari',
      timeOrigin: clockOf(startTime),
      durationNs: finite((endTime - startTime) * 1e9) ?? null,
      comments: [textOr(recording['displayName'], '')].filter((name) => name !== ''),
    },
  );
}

/** Rounds to whole nanoseconds; null if they exceed 2^53. */
function nanosecondsOf(seconds: number): number | null {
  const nanoseconds = Math.round(seconds * 1e9);
  return Number.isSafeInteger(nanoseconds) ? nanoseconds : null;
}

/** Safari's clock counts seconds since its page started. */
function clockOf(seconds: number): bigint | null {
  const nanoseconds = nanosecondsOf(seconds);
  return nanoseconds === null ? null : BigInt(nanoseconds);
}

function addSample(
  builder: ProfileBuilder,
  thread: ThreadIndex,
  trace: JsonObject,
  { row, startTime, duration }: { readonly row: number; readonly startTime: number; readonly duration: number },
): void {
  const where = `recording.sampleStackTraces[${row}]`;
  const leafFirst = arrayAt(trace['stackFrames'], `${where}.stackFrames`);
  let stack: StackIndex = NO_STACK;
  for (const frame of leafFirst.toReversed()) {
    stack = addFrame(builder, stack, objectAt(frame, `a frame of ${where}`));
  }
  const time = numberOr(trace['timestamp'], Number.NaN);
  builder.sample({ stack, thread, time: finite((time - startTime) * 1e9) }, duration, 1);
}

function addFrame(builder: ProfileBuilder, caller: StackIndex, frame: JsonObject): StackIndex {
  const file = textOr(frame['url'], '');
  const func = builder.function({
    name: textOr(frame['name'], '') || '(anonymous)',
    file,
    line: lineOf(frame['line']),
    column: numberOr(frame['column'], 0),
    kind: file === '' ? FunctionKind.unknown : FunctionKind.jit,
  });
  const ran = frame['expressionLocation'];
  return builder.stack(caller, builder.frame({ func, line: isObject(ran) ? lineOf(ran['line']) : 0 }));
}

function countOthers(builder: ProfileBuilder, recording: JsonObject): void {
  const parts = ['records', 'markers', 'memoryPressureEvents'];
  const count = parts.reduce((sum, part) => sum + arrayOrNone(recording[part], `recording.${part}`).length, 0);
  if (count === 0) return;
  const message = 'Records of other instruments (network, layout, CPU…) were skipped.';
  builder.diagnostics.add('skipped-records', message, { severity: 'info', count });
}
