import type { Profile } from '../../model/profile.ts';
import { functionNames, type PatternMatcher } from '../search.ts';
import { regroup, withoutInlines, type Granularity } from './granularity.ts';
import { addLabelFrames } from './label-frames.ts';
import { matchLabels, type LabelFilter } from './label-filter.ts';

/**
 * How a profile is read before selection, transforms and totals: what a row represents and which labelled samples it
 * has. Plain JSON. Every table, graph and comparison follows it.
 */
export interface Reading {
  /** null: a function is identified by its name, module, file and first line, as in the profile. */
  readonly granularity: Granularity | null;
  /** false: an inlined function counts as the function that it was inlined into. */
  readonly inlines: boolean;
  /** Keeps only the samples whose labels match; null keeps all. */
  readonly labelFocus: LabelFilter | null;
  /** Removes the samples whose labels match; null removes none. */
  readonly labelIgnore: LabelFilter | null;
  /** Keys whose values become frames at the root, the first key outermost. */
  readonly labelRoots: readonly string[];
  /** Keys whose values become frames at the leaf, the last key innermost. */
  readonly labelLeaves: readonly string[];
}

interface ReadProfile {
  readonly profile: Profile;
  /** Names that patterns match, by function, without the line or address at the end of the row's name. */
  readonly names: readonly string[];
  /**
   * 1 for each sample of the original profile that the label filters keep, null if they keep all. `profile` contains
   * only these samples.
   */
  readonly kept: Uint8Array | null;
}

/** Applies a reading to a profile. Rejects with whatever the runner throws. */
export async function readProfile(profile: Profile, reading: Reading, patterns: PatternMatcher): Promise<ReadProfile> {
  const { granularity, labelFocus, labelIgnore } = reading;
  const framed = readFrames(profile, reading);
  const focused = labelFocus === null ? null : await matchLabels(profile, labelFocus, patterns);
  const ignored = labelIgnore === null ? null : await matchLabels(profile, labelIgnore, patterns);
  const kept =
    focused === null && ignored === null
      ? null
      : Uint8Array.from({ length: profile.samples.length }, (_, row) =>
          focused?.[row] !== 0 && (ignored?.[row] ?? 0) === 0 ? 1 : 0,
        );
  const chosen = kept === null ? framed : keepSamples(framed, kept);
  if (granularity === null) return { profile: chosen, names: functionNames(chosen), kept };
  return { ...regroup(chosen, granularity), kept };
}

/** The part of a reading that determines the frames of stacks. */
export type FramesReading = Pick<Reading, 'inlines' | 'labelRoots' | 'labelLeaves'>;

/** Returns the profile with label values as frames or without inlined frames, as requested. Samples keep their rows. */
export function readFrames(profile: Profile, { inlines, labelRoots, labelLeaves }: FramesReading): Profile {
  const labelled = addLabelFrames(profile, labelRoots, labelLeaves);
  return inlines ? labelled : withoutInlines(labelled);
}

/** Returns the profile with only the samples marked 1. */
function keepSamples(profile: Profile, kept: Uint8Array): Profile {
  const { samples } = profile;
  const pick = <A extends Int32Array | Float64Array | Uint8Array | Int16Array>(column: A): A =>
    column.filter((_, row) => kept[row] === 1) as A;
  return {
    ...profile,
    samples: {
      length: pick(samples.stack).length,
      stack: pick(samples.stack),
      thread: pick(samples.thread),
      event: samples.event && pick(samples.event),
      time: samples.time && pick(samples.time),
      ...(samples.duration ? { duration: pick(samples.duration) } : {}),
      cpu: samples.cpu && pick(samples.cpu),
      labelSet: samples.labelSet && pick(samples.labelSet),
      weights: samples.weights.map(pick),
      labelSets: samples.labelSets,
    },
  };
}
