import type { Profile } from '../../model/profile.ts';
import type { TimeRange } from './grid.ts';

/**
 * Spans of samples along an axis: start, width, and whether the sample adjoins the previous one (1) or follows a gap
 * (0).
 */
export interface SampleSpans {
  readonly start: Float64Array;
  readonly width: Float64Array;
  readonly adjoins: Uint8Array;
}

/** Makes each sample as wide as its weight, without gaps. */
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

/** A distance of up to this many intervals counts as a late sample, a longer one as a pause. */
const LATE = 2;

/**
 * Makes each sample span from its time to the next sample of the list, in nanoseconds after `span.start`. If the next
 * one is more than {@link LATE} intervals away, the sample is one interval long and a gap follows. The last one ends no
 * later than the span.
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

/** Maximum number of gaps that are examined; longer lists are sampled evenly. */
const MAX_GAPS = 20_000;

/**
 * Returns the nanoseconds between two samples of a thread that keeps running: from the rate that the profile states,
 * otherwise the lower quartile of the distances between samples of a thread (pauses are longer), otherwise 1. `sample`
 * must be ordered by time.
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
