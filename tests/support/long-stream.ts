import type { Profile } from '#core/model/profile.ts';

const SECOND = 1e9;
/** Added to the thread IDs of each copy; larger than any of Linux. */
const COPY_TID = 5_000_000;

interface LongStream {
  readonly seconds: number;
  readonly samplesPerSecond: number;
}

/**
 * Yields a long recording made from a short one with times, second by second, as a live session reads it. The short one
 * repeats with later times; within a second, its samples repeat on other threads until there are enough.
 */
export function* longStream(
  recording: Profile,
  { seconds, samplesPerSecond: length }: LongStream,
): Generator<Profile, void> {
  const parts = wholeSeconds(recording);
  const { samples, threads: own } = recording;
  const copies = Math.ceil(length / Math.min(...parts.map((rows) => rows.length)));
  const copied = Array.from({ length: copies * own.length }, (_, thread) => thread);
  const threads = {
    length: copied.length,
    pid: Int32Array.from(copied, (thread) => own.pid[thread % own.length]!),
    tid: Int32Array.from(
      copied,
      (thread) => own.tid[thread % own.length]! + COPY_TID * Math.floor(thread / own.length),
    ),
    name: Int32Array.from(copied, (thread) => own.name[thread % own.length]!),
  };
  for (let second = 0; second < seconds; second++) {
    const part = second % parts.length;
    const rows = parts[part]!;
    const row = Int32Array.from({ length }, (_, index) => rows[index % rows.length]!);
    yield {
      ...recording,
      threads,
      samples: {
        ...samples,
        length,
        stack: row.map((at) => samples.stack[at]!),
        thread: row.map((at, index) => samples.thread[at]! + own.length * Math.floor(index / rows.length)),
        event: samples.event && Uint8Array.from(row, (at) => samples.event![at]!),
        time: Float64Array.from(row, (at) => samples.time![at]! + (second - part) * SECOND),
        cpu: null,
        labelSet: null,
        weights: samples.weights.map((weights) => Float64Array.from(row, (at) => weights[at]!)),
      },
    };
  }
}

/** Returns the rows of each whole second with samples. */
function wholeSeconds({ samples }: Profile): number[][] {
  const seconds: number[][] = [];
  samples.time?.forEach((time, row) => (seconds[Math.floor(time / SECOND)] ??= []).push(row));
  const whole = seconds.slice(0, -1);
  if (whole.length === 0 || whole.some((rows) => rows === undefined)) throw new RangeError('not a busy recording');
  return whole;
}
