import type { Label, Profile } from '../../model/profile.ts';
import { scaleValue } from '../../units/pprof-format.ts';
import type { PatternRunner } from '../transforms/resolve-transforms.ts';
import { labelUnits } from './labels.ts';

/**
 * Samples by their labels, as pprof's `-tagfocus` and `-tagignore`. Of `patterns` without a key each must match `key:value` of some text
 * label; with a key, one must match a value of that key. A range is of number labels, both ends included.
 */
export type LabelFilter = { readonly key: string | null } & (
  | { readonly patterns: readonly string[] }
  | { readonly from: number | null; readonly to: number | null; readonly unit: string }
);

const RANGE = /^(?:([+-]?\d+)([A-Za-z]+)?)?(:)?(?:([+-]?\d+)([A-Za-z]+)?)?$/;

/** Reads `REGEX`, `REGEX,REGEX`, `key=REGEX`, `32kb`, `:64kb`, `4mb:`, `key=12kb:64mb`. */
export function parseLabelFilter(text: string): LabelFilter {
  const equals = text.indexOf('=');
  const key = equals < 0 ? null : text.slice(0, equals);
  const value = text.slice(equals + 1);
  return { key, ...(parseRange(value) ?? { patterns: value.split(',') }) };
}

/** Null where the text is no range: it is a pattern then. */
function parseRange(text: string): { from: number | null; to: number | null; unit: string } | null {
  const [, first, firstUnit = '', colon, second, secondUnit = ''] = RANGE.exec(text) ?? [];
  if (first === undefined && second === undefined) return null;
  const lower = first === undefined ? null : scaleValue(Number(first), firstUnit, firstUnit);
  const unit = lower?.unit ?? scaleValue(Number(second), secondUnit, secondUnit).unit;
  const upper = second === undefined ? null : scaleValue(Number(second), secondUnit, unit);
  if (upper !== null && upper.unit !== unit) return null;
  if (colon === undefined)
    return lower === null || upper !== null ? null : { from: lower.value, to: lower.value, unit };
  return { from: lower?.value ?? null, to: upper?.value ?? null, unit };
}

/** 1 per sample that the filter matches. Rejects with what the runner throws. */
export async function matchLabels(profile: Profile, filter: LabelFilter, patterns: PatternRunner): Promise<Uint8Array> {
  const { labelSet, labelSets, length } = profile.samples;
  const matched = new Uint8Array(length);
  if (labelSet === null) return matched;
  const sets =
    'patterns' in filter
      ? await matchTexts(labelSets, filter.key, filter.patterns, patterns)
      : matchNumbers(labelSets, filter, labelUnits(profile));
  for (let sample = 0; sample < length; sample++) if (sets[labelSet[sample]!] === true) matched[sample] = 1;
  return matched;
}

type LabelSets = readonly (readonly Label[])[];

async function matchTexts(
  sets: LabelSets,
  key: string | null,
  sources: readonly string[],
  runner: PatternRunner,
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
