import type { ThreadIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import type { TimeRange } from './time-grid.ts';
import { NO_ROW, type SampleView } from './view-stacks.ts';

/** A sample as a view shows it. */
export interface ShownSample {
  /** Nanoseconds after the profile's time origin. */
  readonly time: number;
  /** In the value type's unit. */
  readonly weight: number;
  /** Functions of the view, leaf first, `maxFrames` at the most; empty where the sample has no stack. */
  readonly funcs: Int32Array;
  /** Frames of the whole stack. */
  readonly depth: number;
}

/** The sample of a thread nearest to a time, of those in the span that show; the earliest of equally near ones. Null: there is none. */
export function nearestSample(
  { samples }: Profile,
  { view, weights, rowOfSample }: SampleView,
  thread: ThreadIndex,
  time: number,
  { start, end }: TimeRange,
  maxFrames: number,
): ShownSample | null {
  if (samples.time === null) return null;
  let nearest = -1;
  for (let sample = 0; sample < samples.length; sample++) {
    if (samples.thread[sample] !== thread || weights[sample] === 0) continue;
    const at = samples.time[sample]!;
    const shows = rowOfSample[sample]! >= 0 || rowOfSample[sample] === NO_ROW.withoutStack;
    if (!shows || !(at >= start && at < end)) continue;
    const before = nearest < 0 ? NaN : samples.time[nearest]!;
    const nearer = Math.abs(before - time) - Math.abs(at - time);
    if (nearest < 0 || nearer > 0 || (nearer === 0 && at < before)) nearest = sample;
  }
  if (nearest < 0) return null;
  const funcs: number[] = [];
  let depth = 0;
  for (let row = rowOfSample[nearest]!; row >= 0; row = view.parent[row]!) {
    if (depth < maxFrames) funcs.push(view.func[row]!);
    depth += 1;
  }
  return { time: samples.time[nearest]!, weight: weights[nearest]!, funcs: Int32Array.from(funcs), depth };
}
