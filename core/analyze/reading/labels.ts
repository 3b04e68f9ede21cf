import type { Label, Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import { pprofValue } from '../../units/pprof-format.ts';
import { compareText } from '../compare-text.ts';
import type { Selection } from '../view/stack-view.ts';
import type { ResolvedTransforms } from '../transforms/transforms.ts';
import { NO_ROW, viewSamples } from '../view/build-stack-view.ts';
import { selectedWeights } from '../view/selected-weights.ts';

/** On the samples of a base (pprof's `-diff_base`); shares are of these then. */
export const BASE_LABEL: Label = { key: 'pprof::base', text: 'true' };

/** Labels of one set that have the key, in the profile's order. */
export const labelsOf = (set: readonly Label[], key: string): Label[] => set.filter((label) => label.key === key);

/**
 * The unit of each key's numbers: the first that a sample states; without one the key itself, as in pprof, which reads `bytes` into
 * Go's `request` and `alignment`.
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

/** What the values of one label key weigh; heaviest first, then by name. */
export interface LabelBreakdown {
  readonly key: string;
  /** Sum over the values: a sample with two values of the key counts twice. */
  readonly total: number;
  readonly values: readonly { readonly text: string; readonly weight: number }[];
}

/** The breakdown of a view by each label key, by key; `transforms` may hide samples. As pprof's `-tags`. */
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
  const keys = new Map<string, Map<string, number>>();
  for (const [row, set] of labelSets.entries()) {
    if (occurs[row] === 0) continue;
    for (const label of set) {
      const values = keys.get(label.key) ?? new Map<string, number>();
      keys.set(label.key, values);
      const text = 'text' in label ? label.text : pprofValue(label.number, units.get(label.key)!);
      values.set(text, (values.get(text) ?? 0) + weightOfSet[row]!);
    }
  }
  return [...keys]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, values]) => ({
      key,
      total: [...values.values()].reduce((sum, weight) => sum + weight, 0),
      values: [...values]
        .map(([text, weight]) => ({ text, weight }))
        .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || compareText(a.text, b.text)),
    }));
}

/**
 * What shares in pprof's tables are of: the sizes of all selected samples' weights, label filters and transforms aside; where there is a
 * base, of the base's alone. `unfiltered`: the profile before label filters.
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

/** Every label key of the profile that a sample of the value type has, by name. */
export function labelKeys(profile: Profile, { valueType }: Selection): readonly string[] {
  const { labelSet, labelSets } = profile.samples;
  if (labelSet === null) return [];
  const weights = sampleWeights(profile, valueType);
  const used = new Set(labelSet.filter((set, sample) => set >= 0 && weights[sample] !== 0));
  return [...new Set([...used].flatMap((set) => labelSets[set]!.map(({ key }) => key)))].sort(compareText);
}
