import type { Label, Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import { pprofValue } from '../../units/pprof-format.ts';
import { compareText } from '../compare-text.ts';
import type { Selection } from '../view/stack-view.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import { NO_ROW, viewSamples } from '../view/build-stack-view.ts';
import { selectedWeights } from '../view/selected-weights.ts';

/** Marks the samples of a base (pprof's `-diff_base`); shares then refer to the base. */
export const BASE_LABEL: Label = { key: 'pprof::base', text: 'true' };

/** Returns the labels of a set that have the key, in the profile's order. */
export const labelsOf = (set: readonly Label[], key: string): Label[] => set.filter((label) => label.key === key);

/**
 * Returns the unit of each key's numbers: the first that a sample states, otherwise the key itself. pprof does the
 * same, so that Go's `request` and `alignment` count as `bytes`.
 */
export function labelUnits({ samples: { labelSets } }: Profile): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  for (const label of labelSets.flat()) {
    if ('number' in label && (units.get(label.key) ?? '') === '') units.set(label.key, label.unit);
  }
  for (const [key, unit] of units) {
    if (unit === '') units.set(key, key === 'alignment' || key === 'request' ? 'bytes' : key);
  }
  return units;
}

/** The weight of each value of one label key, heaviest first, then by name. */
export interface LabelBreakdown {
  readonly key: string;
  /** Sum over the values. A sample with two values of the key counts twice. */
  readonly total: number;
  readonly values: readonly LabelValue[];
  /** Unit of the key's numbers; see {@link labelUnits}. */
  readonly unit: string;
}

export interface LabelValue {
  readonly text: string;
  readonly weight: number;
  /** Smallest and largest number with this text, in the key's unit; null for a text value. */
  readonly numbers: { readonly from: number; readonly to: number } | null;
}

/**
 * Returns a view's breakdown by each label key, ordered by key; `transforms` may hide samples. Like pprof's `-tags`.
 */
export function labelBreakdown(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): readonly LabelBreakdown[] {
  const { labelSet, labelSets } = profile.samples;
  if (labelSet === null) return [];
  const { weights, rowOfSample } = viewSamples(profile, selection, transforms);
  const weightOfSet = new Float64Array(labelSets.length);
  const occurs = new Uint8Array(labelSets.length);
  for (let sample = 0; sample < weights.length; sample++) {
    const set = labelSet[sample]!;
    if (set < 0 || rowOfSample[sample] === NO_ROW.hidden) continue;
    weightOfSet[set]! += weights[sample]!;
    occurs[set] = 1;
  }
  const units = labelUnits(profile);
  const keys = new Map<string, Map<string, LabelValue>>();
  for (const [row, set] of labelSets.entries()) {
    if (occurs[row] === 0) continue;
    for (const label of set) {
      const values = keys.get(label.key) ?? new Map<string, LabelValue>();
      keys.set(label.key, values);
      const text = 'text' in label ? label.text : pprofValue(label.number, units.get(label.key)!);
      const known = values.get(text);
      const weight = (known?.weight ?? 0) + weightOfSet[row]!;
      values.set(text, { text, weight, numbers: spanOf(label, known?.numbers ?? null) });
    }
  }
  return [...keys]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, values]) => ({
      key,
      unit: units.get(key) ?? '',
      total: [...values.values()].reduce((sum, { weight }) => sum + weight, 0),
      values: [...values.values()].sort(
        (a, b) => Math.abs(b.weight) - Math.abs(a.weight) || compareText(a.text, b.text),
      ),
    }));
}

function spanOf(label: Label, known: LabelValue['numbers']): LabelValue['numbers'] {
  if ('text' in label) return known;
  const { number } = label;
  return { from: Math.min(number, known?.from ?? number), to: Math.max(number, known?.to ?? number) };
}

/**
 * Returns the weight that shares in pprof's tables refer to: the sum of the absolute weights of all selected samples,
 * before label filters and transforms. With a base, only the base's samples count. `unfiltered` is the profile before
 * label filters.
 */
export function wholeWeight(unfiltered: Profile, selection: Selection): number {
  const { weights } = selectedWeights(unfiltered, selection);
  const { labelSet, labelSets } = unfiltered.samples;
  const isBase = labelSets.map((set) => labelsOf(set, BASE_LABEL.key).length > 0);
  let whole = 0;
  let base = 0;
  for (let sample = 0; sample < weights.length; sample++) {
    const size = Math.abs(weights[sample]!);
    whole += size;
    if (labelSet !== null && isBase[labelSet[sample]!] === true) base += size;
  }
  return base > 0 ? base : whole;
}

/** Returns how many different values of a key the profile's samples have. */
export function countLabelValues({ samples: { labelSets } }: Profile, key: string): number {
  const values = labelSets.flatMap((set) => labelsOf(set, key));
  return new Set(values.map((label) => ('text' in label ? label.text : `${label.number}\0${label.unit}`))).size;
}

/** Maximum number of keys offered for selection. */
const MAX_KEYS = 200;

/** Returns the label keys of a profile, by name; at most {@link MAX_KEYS}. */
export function labelKeysOf({ samples: { labelSets } }: Profile): readonly string[] {
  return [...new Set(labelSets.flatMap((set) => set.map(({ key }) => key)))].sort(compareText).slice(0, MAX_KEYS);
}

/** Returns the label keys that samples of the value type have, by name. */
export function labelKeys(profile: Profile, { valueType }: Selection): readonly string[] {
  const { labelSet, labelSets } = profile.samples;
  if (labelSet === null) return [];
  const weights = sampleWeights(profile, valueType);
  const used = new Set(labelSet.filter((set, sample) => set >= 0 && weights[sample] !== 0));
  return [...new Set([...used].flatMap((set) => labelSets[set]!.map(({ key }) => key)))].sort(compareText);
}
