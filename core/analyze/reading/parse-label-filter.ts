import { scaleValue } from '../../units/pprof-format.ts';
import type { LabelFilter } from './label-filter.ts';

const RANGE = /^(?:([+-]?\d+)([A-Za-z]+)?)?(:)?(?:([+-]?\d+)([A-Za-z]+)?)?$/;

/** Parses `REGEX`, `REGEX,REGEX`, `key=REGEX`, `32kb`, `:64kb`, `4mb:` and `key=12kb:64mb`. */
export function parseLabelFilter(text: string): LabelFilter {
  const equals = text.indexOf('=');
  const key = equals < 0 ? null : text.slice(0, equals);
  const value = text.slice(equals + 1);
  return { key, ...(parseRange(value) ?? { patterns: value.split(',') }) };
}

/** Returns null if the text is not a range; it is then a pattern. */
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
