import type { ThreadIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { flags } from '../view/selected-weights.ts';
import type { TimeRange } from './grid.ts';
import { NO_ROW, type SampleView } from '../view/build-stack-view.ts';

/** A sample as a view shows it. */
export interface ShownSample {
  /** Nanoseconds after the profile's time origin. */
  readonly time: number;
  /** In the value type's unit. */
  readonly weight: number;
  /** Functions of the view, leaf first, at most `maxFrames`; empty if the sample has no stack. */
  readonly funcs: Int32Array;
  /** Number of frames of the whole stack. */
  readonly depth: number;
}

/** Selects the sample nearest to a time within a span, of some threads or (null) of all. */
export interface SampleQuery {
  readonly threads: readonly ThreadIndex[] | null;
  readonly time: number;
  readonly span: TimeRange;
}

/** Returns the visible sample nearest to a time; the earliest of equally near ones. Null if there is none. */
export function nearestSample(
  profile: Profile,
  samples: SampleView,
  moment: SampleQuery,
  maxFrames: number,
): ShownSample | null {
  const nearest = nearestTo(profile, samples, moment);
  if (nearest < 0) return null;
  const funcs = stackOf(samples, nearest);
  return {
    time: profile.samples.time![nearest]!,
    weight: samples.weights[nearest]!,
    funcs: funcs.slice(0, maxFrames),
    depth: funcs.length,
  };
}

/**
 * Returns the functions of the sample nearest to a time, leaf first; empty if it has no stack or if there is no sample.
 */
export function nearestStack(profile: Profile, samples: SampleView, moment: SampleQuery): Int32Array {
  const nearest = nearestTo(profile, samples, moment);
  return nearest < 0 ? new Int32Array(0) : stackOf(samples, nearest);
}

/** Returns −1 if there is none. */
function nearestTo(
  { samples, threads: { length: threadCount } }: Profile,
  { weights, rowOfSample }: SampleView,
  { threads, time, span: { start, end } }: SampleQuery,
): number {
  if (samples.time === null) return -1;
  const chosen = threads === null ? null : flags(threadCount, threads);
  let nearest = -1;
  for (let sample = 0; sample < samples.length; sample++) {
    if (weights[sample] === 0 || (chosen !== null && chosen[samples.thread[sample]!] === 0)) continue;
    const at = samples.time[sample]!;
    const shows = rowOfSample[sample]! >= 0 || rowOfSample[sample] === NO_ROW.withoutStack;
    if (!shows || !(at >= start && at < end)) continue;
    const before = nearest < 0 ? NaN : samples.time[nearest]!;
    const nearer = Math.abs(before - time) - Math.abs(at - time);
    if (nearest < 0 || nearer > 0 || (nearer === 0 && at < before)) nearest = sample;
  }
  return nearest;
}

function stackOf({ view, rowOfSample }: SampleView, sample: number): Int32Array {
  const funcs: number[] = [];
  for (let row = rowOfSample[sample]!; row >= 0; row = view.parent[row]!) funcs.push(view.func[row]!);
  return Int32Array.from(funcs);
}
