import type { Profile } from '../../model/profile.ts';
import type { TimeRange } from './time-grid.ts';

/** Samples side by side: where each begins, how wide it is, and whether it begins where the one before it ends (1) or after a gap (0). */
export interface SampleSpans {
  readonly start: Float64Array;
  readonly width: Float64Array;
  readonly adjoins: Uint8Array;
}

/** Each as wide as its weight, without gaps. */
export function widthsByWeight(sample: Int32Array, weights: Float64Array): SampleSpans {
  const start = new Float64Array(sample.length);
  const width = new Float64Array(sample.length);
  for (let place = 0, end = 0; place < sample.length; place++) {
    start[place] = end;
    width[place] = weights[sample[place]!]!;
    end += width[place]!;
  }
  return { start, width, adjoins: new Uint8Array(sample.length).fill(1) };
}

/** A gap of up to this many intervals is a sample that came late, not a pause. */
const LATE = 2;

/**
 * Each from its time until the next one of the list, in nanoseconds after `span.start`; where that is more than {@link LATE} intervals
 * away, one interval long and then a gap. The last ends with the span at the latest.
 */
export function widthsByTime(
  { samples }: Profile,
  sample: Int32Array,
  span: TimeRange,
  intervalNs: number,
): SampleSpans {
  const time = samples.time!;
  const start = Float64Array.from(sample, (one) => time[one]! - span.start);
  const width = new Float64Array(sample.length);
  const adjoins = new Uint8Array(sample.length);
  for (let place = 0; place < sample.length; place++) {
    const isLast = place + 1 === sample.length;
    const limit = isLast ? span.end - span.start : start[place + 1]!;
    const room = limit - start[place]!;
    const reaches = !isLast && room <= LATE * intervalNs;
    width[place] = reaches ? room : Math.min(room, intervalNs);
    if (reaches) adjoins[place + 1] = 1;
  }
  return { start, width, adjoins };
}

/** Gaps that are looked at: every so many-th of a longer list. */
const MAX_GAPS = 20_000;

/**
 * Nanoseconds between two samples of a thread that keeps running: by the rate that the profile states, else the lower quartile of what
 * lies between samples of one thread (pauses are longer), else 1. `sample`: in the order of time.
 */
export function typicalInterval({ samples, threads, metadata }: Profile, sample: Int32Array): number {
  if (metadata.rateHz !== null && metadata.rateHz > 0) return 1e9 / metadata.rateHz;
  const last = new Float64Array(threads.length).fill(Number.NaN);
  const step = Math.max(1, Math.ceil(sample.length / MAX_GAPS));
  const gaps: number[] = [];
  for (let place = 0; place < sample.length; place++) {
    const at = samples.time![sample[place]!]!;
    const thread = samples.thread[sample[place]!]!;
    const gap = at - last[thread]!;
    if (gap > 0 && place % step === 0) gaps.push(gap);
    last[thread] = at;
  }
  return Float64Array.from(gaps).sort()[gaps.length >>> 2] ?? 1;
}
