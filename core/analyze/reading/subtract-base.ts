import type { StackIndex, ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import { copyStacks } from '../../model/join-events.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Label, Profile } from '../../model/profile.ts';
import type { TimeRange } from '../time/grid.ts';
import { selectedWeights } from '../view/selected-weights.ts';
import { BASE_LABEL } from './labels.ts';

/** The base lacks a value type of the profile. `message` is one sentence. */
export class BaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BaseError';
  }
}

/**
 * Subtracts a base from a profile, like pprof's `-base` or, with `labelled`, `-diff_base`. Samples with the same stack,
 * thread and labels are merged; those whose weight becomes zero are left out. `labelled` keeps the base's samples
 * separate under {@link BASE_LABEL}, so that shares refer to the base. `ranges` selects a time of the profile and of the
 * base, because the difference has no times; null: all. Throws a {@link BaseError} if value types differ.
 */
export function subtractBase(
  profile: Profile,
  base: Profile,
  labelled: boolean,
  ranges: readonly [profile: TimeRange | null, base: TimeRange | null] = [null, null],
): Profile {
  const columns = baseColumns(profile, base);
  const builder = new ProfileBuilder(profile.valueTypes.length);
  const sums = new SampleSums(builder, profile.valueTypes.length);
  sums.add(profile, ranges[0], [...profile.valueTypes.keys()], 1, []);
  sums.add(base, ranges[1], columns, -1, labelled ? [BASE_LABEL] : []);
  sums.finish();
  const valueTypes = profile.valueTypes.map(({ type, unit }, column) => ({ type, unit, event: -1, column }));
  const { diagnostics, metadata } = profile;
  return { ...builder.finish(valueTypes, { ...metadata, timeOrigin: null }), diagnostics };
}

/** Returns the base's column for each of the profile's value types, matched by type and unit. */
function baseColumns(profile: Profile, base: Profile): number[] {
  return profile.valueTypes.map(({ type, unit }) => {
    const found = base.valueTypes.findIndex((other) => other.type === type && other.unit === unit);
    if (found >= 0) return found;
    const others = base.valueTypes.map((other) => `${other.type}/${other.unit}`).join(', ');
    throw new BaseError(`the base has no ${type}/${unit}, only ${others}`);
  });
}

interface SummedSample {
  readonly stack: StackIndex;
  readonly thread: ThreadIndex;
  readonly labels: Label[];
  readonly weights: number[];
}

class SampleSums {
  readonly #builder: ProfileBuilder;
  readonly #columns: number;
  readonly #sums = new Map<string, SummedSample>();

  constructor(builder: ProfileBuilder, columns: number) {
    this.#builder = builder;
    this.#columns = columns;
  }

  add(
    profile: Profile,
    timeRange: TimeRange | null,
    valueTypes: readonly number[],
    sign: 1 | -1,
    extra: readonly Label[],
  ): void {
    const { samples, threads, strings } = profile;
    const stacks = copyStacks(this.#builder, profile);
    const weights = valueTypes.map((row) => {
      const selection = { valueType: row as ValueTypeIndex, threads: null, timeRange };
      return selectedWeights(profile, selection).weights;
    });
    const ownThreads = Array.from({ length: threads.length }, (_, row) =>
      this.#builder.thread(threads.pid[row]!, threads.tid[row]!, strings[threads.name[row]!]!),
    );
    for (let sample = 0; sample < samples.length; sample++) {
      if (weights.every((column) => column[sample] === 0)) continue;
      const set = samples.labelSet?.[sample] ?? -1;
      const labels = [...(set < 0 ? [] : samples.labelSets[set]!), ...extra];
      const stack = (samples.stack[sample]! < 0 ? -1 : stacks[samples.stack[sample]!]!) as StackIndex;
      const thread = ownThreads[samples.thread[sample]!]!;
      const key = `${stack} ${thread} ${labels.length === 0 ? '' : JSON.stringify(labels)}`;
      const sum = this.#sums.get(key) ?? {
        stack,
        thread,
        labels,
        weights: Array.from({ length: this.#columns }, () => 0),
      };
      this.#sums.set(key, sum);
      for (const [column, own] of weights.entries()) sum.weights[column]! += sign * own[sample]!;
    }
  }

  finish(): void {
    for (const { stack, thread, labels, weights } of this.#sums.values()) {
      if (weights.every((weight) => weight === 0)) continue;
      const labelSet = labels.length === 0 ? undefined : this.#builder.labelSet(labels);
      this.#builder.sample({ stack, thread, labelSet }, ...weights);
    }
  }
}
