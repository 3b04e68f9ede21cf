import type { Profile } from '../../model/profile.ts';
import { orderWithinBuckets } from '../tree/bucket-order.ts';
import { lastAtMost } from '../last-at-most.ts';
import { buildTimeTree, type TimeTree } from './time-tree.ts';
import { typicalInterval, widthsByTime, widthsByWeight } from './sample-widths.ts';
import type { TimeRange } from './time-grid.ts';
import { timeSpan } from './time-histogram.ts';
import { sortByTime } from './time-sort.ts';
import { NO_ROW, type SampleView } from '../view/build-stack-view.ts';

/**
 * Rows that a time-ordered tree may have, 40 bytes each. Where samples of many threads alternate, nearly every one opens all of its frames
 * anew.
 */
const MAX_TIME_ORDER_ROWS = 2_000_000;

export interface TimeOrderOptions {
  /**
   * What width means. weight: every sample is as wide as its weight, one after the other. time: nanoseconds; a sample is drawn where it was
   * taken and until the next one, but not beyond one interval where the next is far away: there nothing is drawn.
   */
  readonly axis: 'weight' | 'time';
  /** Nanoseconds between samples of a thread that keeps running; default: `typicalInterval`. Only for `time`. */
  readonly intervalNs?: number;
  /**
   * Within each of so many equal parts of the axis, samples are ordered by their stacks: from afar, what single samples share shows and
   * they themselves don't. Default: none, all are in the order of time.
   */
  readonly buckets?: number;
  readonly maxRows?: number;
}

/** Samples as they came: a flame chart. */
export interface TimeOrder {
  /**
   * Consecutive samples share the frames that both stacks begin with. Siblings are in the order of time, one function may have many of
   * them. Weights are in the unit of the axis; the root's self weight is what shows no stack.
   */
  readonly tree: TimeTree;
  readonly axis: TimeOrderOptions['axis'];
  /** The time that is covered: the selection's range, else the profile's; on the time axis with one interval after the last sample. */
  readonly span: TimeRange;
  /** What is side by side, in the order of time; on the time axis also what transforms hide, since it ends the sample before it. */
  readonly sample: Int32Array;
  /** Where each begins, in the unit of the axis; with buckets, before these change it. */
  readonly sampleStart: Float64Array;
  /** Samples of the view that have no time. On the weight axis they are the end of the root, without a stack. */
  readonly withoutTime: number;
  readonly withoutTimeWeight: number;
}

/** Null where no sample of the profile has a time. One thread is chosen by the view's selection; several are merged by time. */
export function timeOrder(samples: SampleView, options: TimeOrderOptions): TimeOrder | null {
  const { view, rowOfSample } = samples;
  const { profile } = view;
  const whole = timeSpan(profile);
  if (whole === null) return null;
  const { axis, maxRows = MAX_TIME_ORDER_ROWS } = options;
  const { timed, withoutTime, withoutTimeWeight } = splitByTime(samples, axis === 'time');
  const sample = sortByTime(timed, profile.samples.time!);
  const intervalNs = axis === 'time' ? (options.intervalNs ?? typicalInterval(profile, sample)) : 0;
  const span = view.selection.timeRange ?? { start: whole.start, end: whole.end - 1 + Math.max(1, intervalNs) };
  const widths =
    axis === 'time' ? widthsByTime(profile, sample, span, intervalNs) : widthsByWeight(sample, samples.weights);
  const rows = Int32Array.from(sample, (one) => rowOfSample[one]!);
  const rootTotal = axis === 'time' ? span.end - span.start : view.total;
  const uncovered =
    axis === 'time' ? rootTotal - widths.width.reduce((sum, width) => sum + width, 0) : withoutTimeWeight;
  const sampleStart = widths.start.slice();
  if (options.buckets !== undefined) orderWithinBuckets(view, rows, widths, rootTotal, options.buckets);
  return {
    tree: buildTimeTree(view, rows, widths, { rootTotal, uncovered }, maxRows),
    axis,
    span,
    sample,
    sampleStart,
    withoutTime,
    withoutTimeWeight,
  };
}

/** Samples of the view with a time, and what the others weigh. */
function splitByTime({ view, weights, rowOfSample }: SampleView, withHidden: boolean) {
  const time = view.profile.samples.time!;
  const first = withHidden ? NO_ROW.hidden : NO_ROW.withoutStack;
  const timed = new Int32Array(rowOfSample.length);
  let length = 0;
  let withoutTime = 0;
  let withoutTimeWeight = 0;
  for (let sample = 0; sample < rowOfSample.length; sample++) {
    const row = rowOfSample[sample]!;
    if (row < first) continue;
    if (!Number.isNaN(time[sample]!)) {
      timed[length++] = sample;
    } else if (row >= NO_ROW.withoutStack) {
      withoutTime += 1;
      withoutTimeWeight += weights[sample]!;
    }
  }
  return { timed: timed.slice(0, length), withoutTime, withoutTimeWeight };
}

/**
 * The time of what is drawn between two places of the axis; null where nothing is. By weight, samples of the very time of the last one are
 * in it too; with buckets, it is exact at their limits.
 */
export function timeRangeAt(order: TimeOrder, { samples }: Profile, first: number, last: number): TimeRange | null {
  const { axis, span, sample, sampleStart } = order;
  if (axis === 'time') return { start: span.start + first, end: span.start + last };
  const [from, to] = [drawnAt(order, first), drawnAt(order, last)];
  // What begins where the range ends is not in it.
  const until = to > from && sampleStart[to] === last ? to - 1 : to;
  if (sample.length === 0) return null;
  const end = samples.time![sample[until]!]!;
  return { start: samples.time![sample[from]!]!, end: end + Math.max(1, Math.abs(end) * Number.EPSILON) };
}

/** A place of the axis, or a time. */
export type MomentAt = { readonly place: number } | { readonly time: number };

/** A time, in nanoseconds after the profile's time origin, and where on the axis it is. */
export interface PlacedMoment {
  readonly time: number;
  readonly place: number;
}

/**
 * The moment that a place of the axis stands for, or where a time is. By weight both are of a sample, the one that is drawn at the place, or that
 * was the newest at the time: when it was taken, and where it begins. Null where no sample is.
 */
export function momentAt(order: TimeOrder, { samples }: Profile, at: MomentAt): PlacedMoment | null {
  const { axis, tree, span, sample, sampleStart, withoutTimeWeight } = order;
  if (axis === 'time') {
    const place = 'place' in at ? at.place : at.time - span.start;
    return place >= 0 && place < tree.total[0]! ? { place, time: span.start + place } : null;
  }
  const times = samples.time!;
  const timeOf = (place: number): number => times[sample[place]!]!;
  if (sample.length === 0) return null;
  let nearest;
  if ('place' in at) {
    // What has no time is the end of the axis.
    if (!(at.place >= 0 && at.place < tree.total[0]! - withoutTimeWeight)) return null;
    nearest = drawnAt(order, at.place);
  } else {
    if (!(at.time >= timeOf(0) && at.time <= timeOf(sample.length - 1))) return null;
    nearest = lastAtMost(at.time, sample.length, timeOf);
  }
  return { time: timeOf(nearest), place: sampleStart[nearest]! };
}

/** Which of its samples a graph by weight draws at a place of the axis. */
const drawnAt = ({ sampleStart }: TimeOrder, place: number): number =>
  lastAtMost(place, sampleStart.length, (at) => sampleStart[at]!);
