import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { tooLarge, unsupported } from '../../model/failure.ts';
import { reportNewerFormat } from '../../model/newer-format.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { distinctNames } from '../stacks/distinct-names.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  indexAt,
  isObject,
  numberAt,
  numberOr,
  objectAt,
  textOr,
  type JsonObject,
} from '../text/json-value.ts';
import { processedThread } from './processed.ts';
import { isRaw, parseWithin, rawThread, type GeckoFrame, type GeckoThread } from './thread.ts';

/** Newest versions whose layout is known; PROCESSED_PROFILE_VERSION and GECKO_PROFILE_VERSION of the Firefox Profiler. */
const NEWEST_PROCESSED = 70;
const NEWEST_RAW = 36;

/** Number of columns of CPU time, after those of weights. */
const CPU = 1;

const WEIGHT_TYPES = new Map([
  ['samples', { type: 'samples', unit: 'count' }],
  ['tracing-ms', { type: 'time', unit: 'milliseconds' }],
  ['bytes', { type: 'space', unit: 'bytes' }],
]);
const CPU_UNITS = new Map([
  ['µs', 'microseconds'],
  ['ns', 'nanoseconds'],
  ['variable CPU cycles', 'cycles'],
]);

/** Builds the profile of a Firefox file in any of its layouts. */
export function buildGecko(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const profile = isObject(file['profile']) && !Array.isArray(file['threads']) ? file['profile'] : file;
  const meta = objectAt(profile['meta'], 'meta');
  const startTime = startOf(profile);
  const threads = threadsOf(profile, startTime);
  const weightTypes = [...new Set(threads.map(({ weightType }) => weightType))];
  const builder = new ProfileBuilder(weightTypes.length + CPU);
  const names = distinctNames(threads);
  threads.forEach((thread, row) => addThread(builder, { ...thread, name: names[row]! }, weightTypes));
  const interval = numberOr(meta['interval'], 0);
  const processed = numberOr(meta['preprocessedProfileVersion'], -1);
  reportNewerFormat(builder.diagnostics, {
    format: 'Firefox Profiler format',
    version: processed < 0 ? numberOr(meta['version'], 0) : processed,
    newest: processed < 0 ? NEWEST_RAW : NEWEST_PROCESSED,
  });
  return builder.finish(valueTypesOf(threads, weightTypes, meta), {
    format: 'gecko',
    startTime: epochNanoseconds(startTime),
    timeOrigin: 0n,
    rateHz: interval > 0 ? 1000 / interval : null,
    tool: textOr(meta['product'], '') || null,
    kernel: textOr(meta['oscpu'], '') || null,
  });
}

/** Returns when the process of a profile started, in milliseconds since 1970; NaN if unknown. */
const startOf = ({ meta }: JsonObject): number =>
  isObject(meta) ? numberOr(meta['startTime'], Number.NaN) : Number.NaN;

/** Splits the milliseconds, because as nanoseconds they have more digits than a double can hold. */
function epochNanoseconds(milliseconds: number): bigint | null {
  if (Number.isNaN(milliseconds)) return null;
  const whole = Math.trunc(milliseconds);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6));
}

function valueTypesOf(
  threads: readonly GeckoThread[],
  weightTypes: readonly string[],
  meta: JsonObject,
): ValueTypeKey[] {
  const types = weightTypes.map((weightType): ValueTypeKey => {
    const known = WEIGHT_TYPES.get(weightType);
    if (known === undefined) throw unsupported(`weights of type ${JSON.stringify(weightType)}`);
    return known;
  });
  if (types.length === 0) types.push({ type: 'samples', unit: 'count', column: -1 });
  if (threads.every(({ sampleCpu }) => sampleCpu === null)) return types;
  const units = isObject(meta['sampleUnits']) ? meta['sampleUnits'] : {};
  const unit = textOr(units['threadCPUDelta'], 'µs');
  return [...types, { type: 'cpu', unit: CPU_UNITS.get(unit) ?? unit, column: weightTypes.length }];
}

/** Maximum nesting of processes; Firefox has one process that starts all others. */
const MAX_LEVELS = 16;

/**
 * Returns the threads of the profile and of the other processes that it contains. The times of each process count from
 * its own start; the returned ones count from `origin`, in milliseconds since 1970.
 */
function threadsOf(profile: JsonObject, origin: number, within = '', level = 1): GeckoThread[] {
  if (level > MAX_LEVELS) throw tooLarge(`processes nested more than ${MAX_LEVELS} levels`);
  const later = startOf(profile) - origin || 0;
  const own = arrayAt(profile['threads'], `${within}threads`).flatMap((value, row) => {
    const where = `${within}threads[${row}]`;
    // Firefox before version 57 wrote the profile of another process as a text among the threads.
    if (typeof value === 'string') {
      return threadsOf(objectAt(parseWithin(value, where), where), origin, `${where}.`, level + 1);
    }
    const fields = objectAt(value, where);
    const thread = isRaw(fields) ? rawThread(fields, profile, where) : processedThread(fields, profile, where);
    return later === 0 ? thread : { ...thread, sampleTime: thread.sampleTime.map((time) => time + later) };
  });
  const others = arrayOrNone(profile['processes'], `${within}processes`).flatMap((value, row) =>
    threadsOf(objectAt(value, `${within}processes[${row}]`), origin, `${within}processes[${row}].`, level + 1),
  );
  return [...own, ...others];
}

function addThread(builder: ProfileBuilder, thread: GeckoThread, weightTypes: readonly string[]): void {
  const row = builder.thread(thread.pid, thread.tid, thread.name);
  const frames = thread.frames.map((frame) => addFrame(builder, frame));
  const stacks: StackIndex[] = [];
  thread.stackFrame.forEach((value, at) => {
    const frame = frames[indexAt(value, frames.length, `stackTable.frame[${at}] of ${thread.name}`)]!;
    const prefix = thread.stackPrefix[at];
    // A row's caller comes before it.
    const caller =
      typeof prefix === 'number'
        ? stacks[indexAt(prefix, at, `stackTable.prefix[${at}] of ${thread.name}`)]!
        : NO_STACK;
    stacks.push(builder.stack(caller, frame));
  });
  const column = weightTypes.indexOf(thread.weightType);
  const weights = Array.from({ length: weightTypes.length + CPU }, () => 0);
  thread.sampleStack.forEach((value, at) => {
    const stack =
      typeof value === 'number'
        ? stacks[indexAt(value, stacks.length, `samples.stack[${at}] of ${thread.name}`)]!
        : NO_STACK;
    weights[column] =
      thread.sampleWeight === null ? 1 : numberAt(thread.sampleWeight[at], `samples.weight[${at}] of ${thread.name}`);
    weights[weightTypes.length] = numberOr(thread.sampleCpu?.[at], 0);
    const time = thread.sampleTime[at] ?? Number.NaN;
    builder.sample({ stack, thread: row, time: finite(time * 1e6) }, ...weights);
  });
  if (thread.otherSamples > 0) {
    const message = 'Samples of allocations are not shown.';
    builder.diagnostics.add('other-samples', message, { severity: 'info', count: thread.otherSamples });
  }
}

function addFrame(
  builder: ProfileBuilder,
  { func, address, line, inline }: GeckoFrame,
): ReturnType<ProfileBuilder['frame']> {
  const hasAddress = Number.isSafeInteger(address) && address >= 0;
  return builder.frame({
    func: builder.function(func),
    line,
    inline,
    ...(hasAddress ? { address: BigInt(address) } : {}),
  });
}
