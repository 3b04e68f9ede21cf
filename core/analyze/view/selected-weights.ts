import type { Profile, SampleTable } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import type { Selection } from './stack-view.ts';

type TimeRange = NonNullable<Selection['timeRange']>;

export interface SelectedWeights {
  /** By sample; 0 if the selection excludes it, a part if it covers a time that is partly in the range. */
  readonly weights: Float64Array;
  /**
   * Number of samples of the selection's threads and value type that a time range excluded because they have no time.
   */
  readonly withoutTime: number;
}

/** Returns the weight of every sample under a selection. */
export function selectedWeights(profile: Profile, { valueType, threads, timeRange }: Selection): SelectedWeights {
  const all = sampleWeights(profile, valueType);
  if (threads === null && timeRange === null) return { weights: all, withoutTime: 0 };
  const { samples } = profile;
  const threadChosen = threads === null ? null : flags(profile.threads.length, threads);
  const weights = new Float64Array(samples.length);
  let withoutTime = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    if (all[sample] === 0) continue;
    if (threadChosen !== null && threadChosen[samples.thread[sample]!] === 0) continue;
    if (timeRange !== null && Number.isNaN(samples.time?.[sample] ?? Number.NaN)) withoutTime += 1;
    const share = timeRange === null ? 1 : shareWithin(samples, sample, timeRange);
    if (share > 0) weights[sample] = all[sample]! * share;
  }
  return { weights, withoutTime };
}

/**
 * Returns the share of a sample that is within a range: 0 or 1, or a fraction if it covers a time that is partly in the
 * range. 0 without a time.
 */
export function shareWithin({ time, duration }: SampleTable, sample: number, { start, end }: TimeRange): number {
  const at = time === null ? Number.NaN : time[sample]!;
  const length = duration?.[sample] ?? 0;
  if (length === 0) return at >= start && at < end ? 1 : 0;
  const covered = Math.min(end, at + length / 2) - Math.max(start, at - length / 2);
  return covered > 0 ? Math.min(1, covered / length) : 0;
}

/** Keeps or hides samples, before stacks become rows. */
export interface SampleStep {
  readonly kind: 'samples';
  /** 1 per sample that the transform matches. */
  readonly matched: Uint8Array;
  /** Whether it keeps the matched samples or hides them. */
  readonly keeps: boolean;
}

/** Steps of transforms, of which only those of samples matter here. */
export type SampleSteps = readonly ({ readonly kind: string } | null)[];

const isSampleStep = (step: SampleSteps[number]): step is SampleStep => step?.kind === 'samples';

/** A selection's weights under label filters, and what these hide. */
export interface FilteredWeights extends SelectedWeights {
  /** `weights`, with 0 for samples that a filter hides. */
  readonly shown: Float64Array;
  /** By step: the weight that it hides of what earlier steps leave. */
  readonly hiddenBy: Float64Array;
}

/** Returns the selection's weights under the steps of samples. */
export function filteredWeights(profile: Profile, selection: Selection, steps: SampleSteps): FilteredWeights {
  const selected = selectedWeights(profile, selection);
  const hiddenBy = new Float64Array(steps.length);
  let shown = selected.weights;
  for (const [place, step] of steps.entries()) {
    if (!isSampleStep(step)) continue;
    const left = new Float64Array(shown.length);
    for (let sample = 0; sample < left.length; sample++) {
      if ((step.matched[sample] === 1) === step.keeps) left[sample] = shown[sample]!;
      else hiddenBy[place]! += shown[sample]!;
    }
    shown = left;
  }
  return { ...selected, shown, hiddenBy };
}

/**
 * Returns the given weights of samples within a range, and 0 for all others; samples that are partly in it count in
 * full. Counts the samples without a time.
 */
export function weightsWithin({ samples }: Profile, given: Float64Array, range: TimeRange): SelectedWeights {
  const weights = new Float64Array(given.length);
  let withoutTime = 0;
  for (let sample = 0; sample < given.length; sample++) {
    if (given[sample] === 0) continue;
    if (Number.isNaN(samples.time?.[sample] ?? Number.NaN)) withoutTime += 1;
    if (shareWithin(samples, sample, range) > 0) weights[sample] = given[sample]!;
  }
  return { weights, withoutTime };
}

/** Returns 1 for each of the given rows. */
export function flags(length: number, rows: Iterable<number>): Uint8Array {
  const set = new Uint8Array(length);
  for (const row of rows) set[row] = 1;
  return set;
}
