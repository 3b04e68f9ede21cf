import type { Profile } from '../../model/profile.ts';
import { functionNames } from '../search.ts';
import type { PatternRunner } from '../transforms/resolve-transforms.ts';
import { regroup, withoutInlines, type Granularity } from './granularity.ts';
import { addLabelFrames } from './label-frames.ts';
import { matchLabels, type LabelFilter } from './label-filter.ts';

/**
 * How a profile is read before it is selected, transformed and counted: what a row stands for and which labelled samples are there.
 * Plain JSON. Every table, graph and comparison of the result follows it.
 */
export interface Reading {
  /** null: a function is its name, module, file and first line, as the profile has it. */
  readonly granularity: Granularity | null;
  /** false: functions that were inlined count as the function that they were inlined into. */
  readonly inlines: boolean;
  /** Only samples whose labels match; null: all. */
  readonly labelFocus: LabelFilter | null;
  /** Without the samples whose labels match; null: all. */
  readonly labelIgnore: LabelFilter | null;
  /** Keys whose values become frames at the root, the first key outermost. */
  readonly labelRoots: readonly string[];
  /** The same at the leaf, the last key innermost. */
  readonly labelLeaves: readonly string[];
}

export const PLAIN_READING: Reading = {
  granularity: null,
  inlines: true,
  labelFocus: null,
  labelIgnore: null,
  labelRoots: [],
  labelLeaves: [],
};

export interface ReadProfile {
  readonly profile: Profile;
  /** By function: the name that patterns match, without the line or address that its row's name ends in. */
  readonly names: readonly string[];
  /** 1 per sample that the label filters keep; null: all. `profile` has only these. */
  readonly kept: Uint8Array | null;
}

/** True where it changes nothing. */
export function isPlain({ granularity, inlines, labelFocus, labelIgnore, labelRoots, labelLeaves }: Reading): boolean {
  const hasLabels = labelFocus !== null || labelIgnore !== null || labelRoots.length + labelLeaves.length > 0;
  return granularity === null && inlines && !hasLabels;
}

/** The profile as `reading` has it. Rejects with what the runner throws. */
export async function readProfile(profile: Profile, reading: Reading, patterns: PatternRunner): Promise<ReadProfile> {
  const { granularity, inlines, labelFocus, labelIgnore, labelRoots, labelLeaves } = reading;
  const labelled = addLabelFrames(profile, labelRoots, labelLeaves);
  const focused = labelFocus === null ? null : await matchLabels(profile, labelFocus, patterns);
  const ignored = labelIgnore === null ? null : await matchLabels(profile, labelIgnore, patterns);
  const kept =
    focused === null && ignored === null
      ? null
      : Uint8Array.from({ length: profile.samples.length }, (_, row) =>
          focused?.[row] !== 0 && (ignored?.[row] ?? 0) === 0 ? 1 : 0,
        );
  const chosen = kept === null ? labelled : keepSamples(labelled, kept);
  const called = inlines ? chosen : withoutInlines(chosen);
  if (granularity === null) return { profile: called, names: functionNames(called), kept };
  return { ...regroup(called, granularity), kept };
}

/** The profile with the samples marked 1 only. */
function keepSamples(profile: Profile, kept: Uint8Array): Profile {
  const { samples } = profile;
  const rows = Int32Array.from(kept.keys()).filter((row) => kept[row] === 1);
  const pick = <A extends Int32Array | Float64Array | Uint8Array | Int16Array>(column: A): A => {
    const picked = column.slice(0, rows.length) as A;
    for (let row = 0; row < rows.length; row++) picked[row] = column[rows[row]!]!;
    return picked;
  };
  const pickOptional = <A extends Int32Array | Float64Array | Uint8Array | Int16Array>(column: A | null): A | null =>
    column === null ? null : pick(column);
  return {
    ...profile,
    samples: {
      length: rows.length,
      stack: pick(samples.stack),
      thread: pick(samples.thread),
      event: pickOptional(samples.event),
      time: pickOptional(samples.time),
      cpu: pickOptional(samples.cpu),
      labelSet: pickOptional(samples.labelSet),
      weights: samples.weights.map(pick),
      labelSets: samples.labelSets,
    },
  };
}
