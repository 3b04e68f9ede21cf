import type { Profile } from '../../model/profile.ts';
import { orderWithinBuckets } from './bucket-order.ts';
import { lastAtMost } from '../../model/last-at-most.ts';
import { buildTimeTree, type TimeTree } from './tree.ts';
import { typicalInterval, widthsByTime, widthsByWeight } from './sample-widths.ts';
import type { TimeRange } from './grid.ts';
import { timeSpan } from './histogram.ts';
import { sortByTime } from './sort.ts';
import { NO_ROW, type SampleView } from '../view/build-stack-view.ts';

/**
 * Maximum rows of a time-ordered tree, 40 bytes each. If samples of many threads alternate, nearly every sample opens
 * all of its frames again.
 */
const MAX_TIME_ORDER_ROWS = 2_000_000;

export interface TimeOrderOptions {
  /**
   * Meaning of the width. weight: samples follow one another, each as wide as its weight. time: nanoseconds; a sample
   * is drawn from its time to the next one, but for at most one interval if the next one is far away, which leaves a
   * gap.
   */
  readonly axis: 'weight' | 'time';
  /** Nanoseconds between samples of a thread that keeps running; default: `typicalInterval`. Only for `time`. */
  readonly intervalNs?: number;
  /**
   * Orders samples by their stacks within each of this many equal parts of the axis, so that the frames that samples
   * share remain visible from afar. Default: all samples are in the order of time.
   */
  readonly buckets?: number;
  readonly maxRows?: number;
}

/** Samples in the order of time: a flame chart. */
export interface TimeOrder {
  /**
   * Consecutive samples share the frames with which both stacks begin. Siblings are in the order of time, and one
   * function may have many of them. Weights are in the unit of the axis; the root's self weight is the width without a
   * stack.
   */
  readonly tree: TimeTree;
  readonly axis: TimeOrderOptions['axis'];
  /**
   * The time covered: the selection's range, or the profile's; on the time axis, one interval is added after the last
   * sample.
   */
  readonly span: TimeRange;
  /**
   * Samples along the axis, in the order of time. On the time axis, this includes samples hidden by transforms, because
   * they end the sample before them.
   */
  readonly sample: Int32Array;
  /** Start of each sample, in the unit of the axis; with buckets, before they are applied. */
  readonly sampleStart: Float64Array;
  /**
   * Number of samples of the view that have no time. On the weight axis they come at the end of the root, without a
   * stack.
   */
  readonly withoutTime: number;
  readonly withoutTimeWeight: number;
}

/**
 * Orders a view's samples by time, or returns null if no sample of the profile has a time. Uses the threads of the
 * view's selection, merged by time if there are several.
 */
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

/** Returns the view's samples that have a time, and the number and weight of the others. */
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
 * Returns the time range drawn between two places of the axis, or null if nothing is drawn there. On the weight axis it
 * includes all samples taken at the same time as the last one; with buckets, it is exact only at their limits.
 */
export function timeRangeAt(order: TimeOrder, { samples }: Profile, first: number, last: number): TimeRange | null {
  const { axis, span, sample, sampleStart } = order;
  if (axis === 'time') return { start: span.start + first, end: span.start + last };
  const [from, to] = [drawnAt(order, first), drawnAt(order, last)];
  // A sample that starts where the range ends is not in it.
  const until = to > from && sampleStart[to] === last ? to - 1 : to;
  if (sample.length === 0) return null;
  const end = samples.time![sample[until]!]!;
  return { start: samples.time![sample[from]!]!, end: end + Math.max(1, Math.abs(end) * Number.EPSILON) };
}

/** A place of the axis, or a time. */
export type MomentAt = { readonly place: number } | { readonly time: number };

/** A time, in nanoseconds after the profile's time origin, and its place on the axis. */
export interface PlacedMoment {
  readonly time: number;
  readonly place: number;
}

/**
 * Returns the time at a place of the axis, or the place of a time. On the weight axis both are those of a sample: the
 * one drawn at the place, or the latest one at the time. Returns the time at which it was taken and the place where it
 * starts; null if there is no sample.
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
    // Samples without a time are at the end of the axis.
    if (!(at.place >= 0 && at.place < tree.total[0]! - withoutTimeWeight)) return null;
    nearest = drawnAt(order, at.place);
  } else {
    if (!(at.time >= timeOf(0) && at.time <= timeOf(sample.length - 1))) return null;
    nearest = lastAtMost(at.time, sample.length, timeOf);
  }
  return { time: timeOf(nearest), place: sampleStart[nearest]! };
}

/** Returns the sample that a graph by weight draws at a place of the axis. */
const drawnAt = ({ sampleStart }: TimeOrder, place: number): number =>
  lastAtMost(place, sampleStart.length, (at) => sampleStart[at]!);
