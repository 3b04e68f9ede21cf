import { groupHistograms, type FunctionGroups, type GroupHistograms } from '#core/analyze/time/group-histograms.ts';
import { kindHistograms, type KindHistograms } from '#core/analyze/time/kind-histograms.ts';
import { nearestSample, nearestStack, type SampleQuery, type ShownSample } from '#core/analyze/time/nearest-sample.ts';
import { flags } from '#core/analyze/view/selected-weights.ts';
import { shownWeights, weightsThrough } from '#core/analyze/tables/stack-weights.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { steadyBuckets } from '#core/analyze/time/steady-buckets.ts';
import { subsecondHeatmap } from '#core/analyze/time/subsecond-heatmap.ts';
import { threadHistograms, type ThreadHistogram, type ThreadHistograms } from '#core/analyze/time/thread-histograms.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { timeHistogram, timeSpan } from '#core/analyze/time/histogram.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { viewSamples, type SampleView } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex, ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { samplesPerRow } from '#core/model/sample-counts.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { HeatMap, ThreadRows, TimeBars, TimeStrip } from '#core/analyze/time/strip.ts';

/** The view whose times are requested. */
export interface TimeSubject {
  /** As the view's transforms read it: samples are those of the profile. */
  readonly profile: Profile;
  readonly selection: Selection;
  readonly resolved: ResolvedTransforms;
  /** Identifies the transforms. */
  readonly transformsKey: string;
}

export interface TimeViews {
  /** Returns the number of buckets for a part of time, or for all of it if null; see `steadyBuckets`. */
  buckets(window: TimeRange | null, most: number): number;
  /** Returns null if no sample has a timestamp; so do the other methods. */
  strip(subject: TimeSubject, window: TimeRange | null, buckets: number): TimeStrip | null;
  /** Returns bars of the samples whose stacks contain the function, in the strip's buckets. */
  functionBars(subject: TimeSubject, window: TimeRange | null, buckets: number, func: FunctionIndex): TimeBars | null;
  /** Returns bars of the samples whose stacks end in a function of each group, in the same buckets. */
  groupBars(
    subject: TimeSubject,
    window: TimeRange | null,
    buckets: number,
    groups: FunctionGroups,
  ): GroupHistograms | null;
  threads(subject: TimeSubject, window: TimeRange | null, buckets: number): ThreadRows | null;
  /** Returns each thread's weight by the kind of code in which stacks end, in the same buckets. */
  threadKinds(
    subject: TimeSubject,
    window: TimeRange | null,
    buckets: number,
    threads: readonly ThreadIndex[],
  ): KindHistograms | null;
  /** Returns the thread's sample at a time, or the nearest within the span; null if none is shown. */
  sampleAt(subject: TimeSubject, thread: ThreadIndex, time: number, span: TimeRange): ShownSample | null;
  /** See `nearestStack`. */
  stackAt(subject: TimeSubject, moment: SampleQuery): Int32Array;
  heatMap(subject: TimeSubject, window: TimeRange | null, maxColumns: number): HeatMap | null;
  /** Returns totals without the time range. */
  withoutRange(subject: TimeSubject): { readonly total: number; readonly sampleCount: number };
}

/** Number of frames that fit into a tooltip. */
const MAX_TIP_FRAMES = 16;
/** Number of threads with a row of their own; their bars take 10 MB. */
const MAX_THREAD_ROWS = 4096;

/** Caches the samples' weights under the latest transforms, since zooming and selecting threads do not change them. */
export function createTimeViews(profile: Profile): TimeViews {
  const whole = timeSpan(profile);
  let placed: { readonly key: string; readonly samples: SampleView } | null = null;
  let known: { readonly key: string; readonly all: Float64Array; readonly shown: Float64Array } | null = null;

  /** Returns the weights of all threads at all times. */
  function weigh({ profile: read, selection: { valueType }, resolved, transformsKey }: TimeSubject) {
    const key = `${valueType} ${transformsKey}`;
    if (known?.key !== key) {
      const all = sampleWeights(profile, valueType);
      const everything: Selection = { valueType, threads: null, timeRange: null };
      const changesNothing = resolved.steps.every((step) => step === null);
      known = { key, all, shown: changesNothing ? all : shownWeights(read, everything, resolved) };
    }
    return known;
  }

  /** Returns the samples' rows in the view of all threads and times. */
  function place({ profile: read, selection: { valueType }, resolved, transformsKey }: TimeSubject): SampleView {
    const key = `${valueType} ${transformsKey}`;
    if (placed?.key !== key) {
      placed = { key, samples: viewSamples(read, { valueType, threads: null, timeRange: null }, resolved) };
    }
    return placed.samples;
  }

  function ofThreads(weights: Float64Array, threads: Selection['threads']): Float64Array {
    if (threads === null) return weights;
    const chosen = flags(profile.threads.length, threads);
    return weights.map((weight, sample) => (chosen[profile.samples.thread[sample]!] === 1 ? weight : 0));
  }

  return {
    buckets(window, most) {
      const span = window ?? whole;
      return span === null ? most : steadyBuckets(profile, span, most);
    },
    strip(subject, window, buckets) {
      const { all, shown } = weigh(subject);
      const within: Selection = { ...subject.selection, timeRange: window };
      const drawn = timeHistogram(profile, within, buckets, ofThreads(shown, subject.selection.threads));
      if (drawn === null || whole === null) return null;
      const before =
        all === shown ? null : timeHistogram(profile, within, buckets, ofThreads(all, subject.selection.threads));
      const hidden = before?.weight.map((weight, bucket) => weight - drawn.weight[bucket]!) ?? null;
      return {
        ...drawn,
        valueType: subject.selection.valueType,
        whole,
        hidden: hidden?.some((weight) => weight !== 0) === true ? hidden : null,
      };
    },
    functionBars(subject, window, buckets, func) {
      const { selection } = subject;
      const weights = ofThreads(weightsThrough(place(subject), func), selection.threads);
      const drawn = timeHistogram(profile, { ...selection, timeRange: window }, buckets, weights);
      if (drawn === null) return null;
      const { start, end, columns, rows, weight } = drawn;
      return { start, end, columns, rows, weight };
    },
    groupBars(subject, window, buckets, groups) {
      const samplesPlaced = place(subject);
      const weights = ofThreads(samplesPlaced.weights, subject.selection.threads);
      return groupHistograms(profile, samplesPlaced, weights, window, buckets, groups);
    },
    threads(subject, window, buckets) {
      const { shown } = weigh(subject);
      /** Restricts the histograms to a part of time, keeping the threads ranked over the whole. */
      const zoomed = ({ threads, rest }: ThreadHistograms, within: Selection): ThreadHistograms => {
        const kept =
          rest === null
            ? shown
            : ofThreads(
                shown,
                threads.map(({ thread }) => thread),
              );
        return threadHistograms(profile, within, buckets, MAX_THREAD_ROWS, kept)!;
      };
      const everyThread: Selection = { ...subject.selection, threads: null, timeRange: null };
      const ranked = threadHistograms(profile, everyThread, window === null ? buckets : 1, MAX_THREAD_ROWS, shown);
      if (ranked === null) return null;
      const drawn = window === null ? ranked : zoomed(ranked, { ...everyThread, timeRange: window });
      const byThread = new Map(drawn.threads.map((row) => [row.thread, row]));
      const { start, end, columns } = drawn;
      return {
        valueType: subject.selection.valueType,
        start,
        end,
        columns,
        rows: ranked.threads.map(({ thread, total, sampleCount }) => ({
          thread,
          total,
          sampleCount,
          weight: byThread.get(thread)?.weight ?? null,
          samples: byThread.get(thread)?.samples ?? null,
        })),
        more: ranked.rest?.threadCount ?? 0,
        maxWeight: drawn.maxWeight,
        total: sumOf(ranked.threads) + (ranked.rest?.total ?? 0),
      };
    },
    threadKinds: (subject, window, buckets, threads) =>
      kindHistograms(profile, place(subject), window, buckets, threads),
    sampleAt: (subject, thread, time, span) =>
      nearestSample(profile, place(subject), { threads: [thread], time, span }, MAX_TIP_FRAMES),
    stackAt: (subject, moment) => nearestStack(profile, place(subject), moment),
    heatMap(subject, window, maxColumns) {
      const shown = ofThreads(weigh(subject).shown, subject.selection.threads);
      const within: Selection = { ...subject.selection, timeRange: window };
      const drawn = subsecondHeatmap(profile, within, { maxColumns, shown, wholeColumns: true });
      if (drawn === null || whole === null) return null;
      const { withoutTime: _, ...map } = drawn;
      return { ...map, valueType: subject.selection.valueType, whole };
    },
    withoutRange(subject) {
      const weights = ofThreads(weigh(subject).shown, subject.selection.threads);
      const perRow = samplesPerRow(profile, subject.selection.valueType);
      let total = 0;
      let sampleCount = 0;
      for (const [sample, weight] of weights.entries()) {
        total += weight;
        if (weight !== 0) sampleCount += perRow?.[sample] ?? 1;
      }
      return { total, sampleCount };
    },
  };
}

const sumOf = (threads: readonly ThreadHistogram[]): number => threads.reduce((sum, { total }) => sum + total, 0);
