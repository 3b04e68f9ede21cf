import {
  NO_STACK,
  type FrameIndex,
  type StackIndex,
  type ThreadIndex,
  type ValueTypeIndex,
} from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { distinctNames } from '../stacks/distinct-names.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';
import { arrayAt, finite, indexAt, numberAt, numberOr, objectAt, textOr, type JsonObject } from '../text/json-value.ts';
import { OpenSpans } from '../stacks/open-spans.ts';

/**
 * speedscope's own files, also written by py-spy, rbspy, dotnet-trace and others: one or more profiles with shared
 * frames.
 */
export const speedscopeImporter: Importer = {
  id: 'speedscope',
  label: 'speedscope',
  extensions: ['speedscope.json', 'speedscope', 'json'],
  keeps:
    'all profiles (as threads), stacks with files and lines, weights in their units, times of start and end events',
  loses: 'columns of frames, empty stretches of time, times of py-spy’s samples (it leaves out idle threads)',
  differences: true,
  recognizedBy: "JSON that names speedscope's schema, or has `profiles` of `shared` frames",
  specification: 'https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts',
  sniff: sniffSpeedscope,
  start: () => new JsonSession('a speedscope file', buildSpeedscope),
};

function sniffSpeedscope({ text }: Head): SniffResult {
  if (!/^\s*\{/.test(text)) return 'no';
  if (text.includes('speedscope.app/file-format-schema.json')) return 'yes';
  const hasProfiles = /"type"\s*:\s*"(sampled|evented)"/.test(text) && /"unit"\s*:\s*"\w+"/.test(text);
  return hasProfiles || /"shared"\s*:\s*\{\s*"frames"\s*:\s*\[/.test(text) ? 'maybe' : 'no';
}

/** Units of the format, and the corresponding value types. */
const UNITS = new Map([
  ['none', { type: 'samples', unit: 'count' }],
  ['nanoseconds', { type: 'time', unit: 'nanoseconds' }],
  ['microseconds', { type: 'time', unit: 'microseconds' }],
  ['milliseconds', { type: 'time', unit: 'milliseconds' }],
  ['seconds', { type: 'time', unit: 'seconds' }],
  ['bytes', { type: 'space', unit: 'bytes' }],
]);
const NANOSECONDS = new Map([
  ['nanoseconds', 1],
  ['microseconds', 1e3],
  ['milliseconds', 1e6],
  ['seconds', 1e9],
]);

/** One of the file's profiles, and the destination of its samples. */
interface OutputProfile {
  readonly builder: ProfileBuilder;
  readonly frames: readonly FrameIndex[];
  /** For messages: `profiles[0]`. */
  readonly where: string;
  readonly add: (stack: StackIndex, at: number, weight: number) => void;
}

function buildSpeedscope(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const profiles = arrayAt(file['profiles'], 'profiles').map((profile, row) => objectAt(profile, `profiles[${row}]`));
  const units = [...new Set(profiles.map((profile) => textOr(profile['unit'], 'none')))];
  const builder = new ProfileBuilder(Math.max(1, units.length));
  const shared = objectAt(file['shared'], 'shared');
  const isPySpy = textOr(file['exporter'], '').startsWith('py-spy@');
  const frameOf = isPySpy ? addPythonFrame : addFrame;
  const frames = arrayAt(shared['frames'], 'shared.frames').map((frame, row) => frameOf(builder, frame, row));
  const names = distinctNames(profiles.map((profile) => ({ name: textOr(profile['name'], '') })));
  profiles.forEach((profile, row) => addProfile(builder, frames, units, profile, { name: names[row]!, row, isPySpy }));
  const active = numberOr(file['activeProfileIndex'], 0);
  return builder.finish(valueTypesOf(units), {
    format: 'speedscope',
    defaultValueType: Math.max(0, units.indexOf(textOr(profiles[active]?.['unit'], 'none'))) as ValueTypeIndex,
    tool: textOr(file['exporter'], '') || null,
    comments: typeof file['name'] === 'string' ? [file['name']] : [],
  });
}

function valueTypesOf(units: readonly string[]): ValueTypeKey[] {
  return (units.length === 0 ? ['none'] : units).map((unit) => {
    const known = UNITS.get(unit);
    if (known === undefined) throw malformed(`unknown unit ${JSON.stringify(unit)}`);
    return known;
  });
}

function addFrame(builder: ProfileBuilder, value: unknown, row: number): FrameIndex {
  const frame = objectAt(value, `shared.frames[${row}]`);
  const func = builder.function({
    name: textOr(frame['name'], '') || '(unnamed)',
    file: textOr(frame['file'], ''),
    line: numberOr(frame['line'], 0),
    column: numberOr(frame['col'], 0),
  });
  return builder.frame({ func });
}

/** py-spy states the line that was executing, and for native code the module in place of the file. */
function addPythonFrame(builder: ProfileBuilder, value: unknown, row: number): FrameIndex {
  const frame = objectAt(value, `shared.frames[${row}]`);
  const name = textOr(frame['name'], '') || '(unnamed)';
  const file = textOr(frame['file'], '');
  const line = numberOr(frame['line'], 0);
  if (line > 0) return builder.frame({ func: builder.function({ name, file }), line });
  const kind = /^0x[0-9a-f]+$/.test(name) ? FunctionKind.unresolved : FunctionKind.unknown;
  return builder.frame({ func: builder.function({ name, module: file, kind }) });
}

/** Reads `Process 7 Thread 8 "worker"` and `Thread 8 "worker"`, as py-spy names its profiles. */
function addPythonThread(builder: ProfileBuilder, name: string): ThreadIndex {
  const [, pid, tid, own] = /^(?:Process (\d{1,9}) )?Thread (\d{1,9}) "(.*)"$/s.exec(name) ?? [];
  if (tid === undefined) return builder.thread(-1, -1, name);
  return builder.thread(Number(pid ?? -1), Number(tid), own === '' ? name.replace(' ""', '') : own!);
}

function addProfile(
  builder: ProfileBuilder,
  frames: readonly FrameIndex[],
  units: readonly string[],
  profile: JsonObject,
  { name, row, isPySpy }: { readonly name: string; readonly row: number; readonly isPySpy: boolean },
): void {
  const where = `profiles[${row}]`;
  const unit = textOr(profile['unit'], 'none');
  const thread = isPySpy ? addPythonThread(builder, name) : builder.thread(-1, -1, name);
  const column = units.indexOf(unit);
  // Each of py-spy's samples weighs an interval, and the next one may have been taken much later.
  const nanoseconds = isPySpy ? null : (NANOSECONDS.get(unit) ?? null);
  const weights = units.map(() => 0);
  const target: OutputProfile = {
    builder,
    frames,
    where,
    add(stack, at, weight) {
      weights[column] = weight;
      builder.sample({ stack, thread, time: nanoseconds === null ? undefined : finite(at * nanoseconds) }, ...weights);
    },
  };
  if (profile['type'] === 'sampled') addSamples(target, profile);
  else if (profile['type'] === 'evented') addEvents(target, profile);
  else throw malformed(`${where} is neither sampled nor evented`);
}

function addSamples({ builder, frames, where, add }: OutputProfile, profile: JsonObject): void {
  const samples = arrayAt(profile['samples'], `${where}.samples`);
  const weights = arrayAt(profile['weights'], `${where}.weights`);
  if (samples.length !== weights.length) {
    throw malformed(`${where} has ${samples.length} samples and ${weights.length} weights`);
  }
  let at = numberOr(profile['startValue'], 0);
  samples.forEach((sample, row) => {
    let stack = NO_STACK;
    for (const index of arrayAt(sample, `${where}.samples[${row}]`)) {
      stack = builder.stack(stack, frames[indexAt(index, frames.length, `a frame of ${where}.samples[${row}]`)]!);
    }
    const weight = numberAt(weights[row], `${where}.weights[${row}]`);
    add(stack, at, weight);
    at += weight;
  });
}

function addEvents({ builder, frames, where, add }: OutputProfile, profile: JsonObject): void {
  const spans = new OpenSpans((caller, frame) => builder.stack(caller, frame), add);
  let last = numberOr(profile['startValue'], 0);
  arrayAt(profile['events'], `${where}.events`).forEach((value, row) => {
    const name = `${where}.events[${row}]`;
    const event = objectAt(value, name);
    const frame = frames[indexAt(event['frame'], frames.length, `${name}.frame`)]!;
    const at = numberAt(event['at'], `${name}.at`);
    if (at < last) throw malformed(`${name} is earlier than the one before it`);
    last = at;
    if (event['type'] === 'O') spans.open(frame, at);
    else if (event['type'] !== 'C') {
      builder.diagnostics.add('unknown-event', 'Events that neither open nor close a frame were skipped.');
    } else if (spans.top === frame) spans.close(at);
    else if (spans.within(frame) < 0) {
      builder.diagnostics.add('unmatched-end', 'Frames that were not open were closed.');
    } else {
      builder.diagnostics.add('early-end', 'Frames were closed before their callees, which end there too.');
      for (let inner = spans.within(frame); inner >= 0; inner--) spans.close(at);
    }
  });
  if (spans.depth === 0) return;
  builder.diagnostics.add('unfinished', 'Frames that were never closed end where their profile does.', {
    count: spans.depth,
  });
  const end = Math.max(last, numberOr(profile['endValue'], last));
  while (spans.depth > 0) spans.close(end);
}
