import type { Label, Profile } from '../../model/profile.ts';
import { scaleValue } from '../../units/pprof-format.ts';
import type { PatternMatcher } from '../search.ts';
import { labelUnits } from './labels.ts';

/**
 * A filter on samples' labels, like pprof's `-tagfocus` and `-tagignore`. Without a key, each of `patterns` must match
 * the `key:value` of some text label; with a key, one of them must match a value of that key. `values` are exact texts
 * of one key. A range applies to number labels and includes both ends.
 */
export type LabelFilter =
  | { readonly key: string; readonly values: readonly string[] }
  | { readonly key: string | null; readonly patterns: readonly string[] }
  | { readonly key: string | null; readonly from: number | null; readonly to: number | null; readonly unit: string };

/** Returns 1 for each sample that the filter matches. Rejects with whatever the runner throws. */
export async function matchLabels(
  profile: Profile,
  filter: LabelFilter,
  patterns: PatternMatcher,
): Promise<Uint8Array> {
  const { labelSet, labelSets, length } = profile.samples;
  const matched = new Uint8Array(length);
  if (labelSet === null) return matched;
  const sets =
    'values' in filter
      ? matchValues(labelSets, filter)
      : 'patterns' in filter
        ? await matchTexts(labelSets, filter.key, filter.patterns, patterns)
        : matchNumbers(labelSets, filter, labelUnits(profile));
  for (let sample = 0; sample < length; sample++) if (sets[labelSet[sample]!] === true) matched[sample] = 1;
  return matched;
}

type LabelSets = readonly (readonly Label[])[];

function matchValues(sets: LabelSets, { key, values }: Extract<LabelFilter, { values: unknown }>): boolean[] {
  const wanted = new Set(values);
  return sets.map((set) => set.some((label) => label.key === key && 'text' in label && wanted.has(label.text)));
}

async function matchTexts(
  sets: LabelSets,
  key: string | null,
  sources: readonly string[],
  runner: PatternMatcher,
): Promise<boolean[]> {
  const textOf = (label: Label): string | null => {
    if (!('text' in label)) return null;
    if (key === null) return `${label.key}:${label.text}`;
    return label.key === key ? label.text : null;
  };
  const texts = [...new Set(sets.flatMap((set) => set.map(textOf)).filter((text) => text !== null))];
  const hits: ReadonlySet<string>[] = [];
  for (const pattern of sources) {
    const matched = await runner.match(texts, { pattern, ignoreCase: false });
    hits.push(new Set(texts.filter((_, row) => matched[row] === 1)));
  }
  const matches = (set: readonly Label[], hit: ReadonlySet<string>): boolean =>
    set.some((label) => hit.has(textOf(label) ?? '') && textOf(label) !== null);
  return sets.map((set) =>
    key === null ? hits.every((hit) => matches(set, hit)) : hits.some((hit) => matches(set, hit)),
  );
}

function matchNumbers(
  sets: LabelSets,
  { key, from, to, unit }: Extract<LabelFilter, { from: number | null }>,
  units: ReadonlyMap<string, string>,
): boolean[] {
  return sets.map((set) =>
    set.some((label) => {
      if (!('number' in label) || (key !== null && label.key !== key)) return false;
      const scaled = scaleValue(label.number, units.get(label.key)!, unit);
      return scaled.unit === unit && (from === null || scaled.value >= from) && (to === null || scaled.value <= to);
    }),
  );
}
