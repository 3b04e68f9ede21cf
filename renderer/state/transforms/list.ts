import type { Granularity } from '#core/analyze/reading/granularity.ts';
import type { LabelFilter } from '#core/analyze/reading/label-filter.ts';
import { isReading, type NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { fitName } from '../../ui/format.ts';
import { functionName } from '../function-text.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';

type List = readonly NamedTransform[];

/** Returns the list with another transform at its end. If it contains an equal one, that is enabled instead. */
export function added(list: List, transform: NamedTransform): List {
  const same = JSON.stringify({ ...transform, enabled: true });
  const at = list.findIndex((one) => JSON.stringify({ ...one, enabled: true }) === same);
  return at < 0 ? inOrder([...list, transform]) : replaced(list, at, { ...list[at]!, enabled: true });
}

export function replaced(list: List, index: number, transform: NamedTransform): List {
  return list.map((one, at) => (at === index ? transform : one));
}

export function removed(list: List, index: number): List {
  return list.filter((_, at) => at !== index);
}

/** Moves a transform to index `to` of the list without it; clamped to the list. */
export function moved(list: List, index: number, to: number): List {
  const rest = removed(list, index);
  const place = Math.max(0, Math.min(rest.length, to));
  return inOrder([...rest.slice(0, place), list[index]!, ...rest.slice(place)]);
}

/** Orders transforms as they are applied: first those that decide how samples are read. */
function inOrder(list: List): List {
  return [...list.filter(isReading), ...list.filter((one) => !isReading(one))];
}

/** Returns the granularity that the list sets; null for functions as recorded. */
export const granularityOf = (list: List): Granularity | null =>
  list.flatMap((one) => (one.kind === 'granularity' && one.enabled ? [one.rows] : [])).at(-1) ?? null;

export const showsInlines = (list: List): boolean =>
  list.every(({ kind, enabled }) => kind !== 'no-inlines' || !enabled);

/** Returns the list with another granularity; null for functions as recorded. */
export function withGranularity(list: List, rows: Granularity | null): List {
  const others = list.filter(({ kind }) => kind !== 'granularity');
  return rows === null ? others : inOrder([...others, { enabled: true, kind: 'granularity', rows }]);
}

/** Returns the list with frames for the values of a label key added or, if it has them, removed. */
export function toggledLabel(list: List, kind: 'label-root' | 'label-leaf', key: string): List {
  const others = list.filter((one) => one.kind !== kind || one.key !== key);
  const wasOn = list.some((one) => one.kind === kind && one.key === key && one.enabled);
  return wasOn ? others : inOrder([...others, { enabled: true, kind, key }]);
}

/** Returns the list with a label filter added; hidden values of one key are merged into one transform. */
export function withLabel(list: List, kind: 'keep-label' | 'hide-label', filter: LabelFilter): List {
  const at = list.findIndex(
    (one) => one.kind === 'hide-label' && one.enabled && 'values' in one.filter && one.filter.key === filter.key,
  );
  const one = list[at];
  const joins = kind === 'hide-label' && 'values' in filter && one?.kind === kind && 'values' in one.filter;
  if (!joins) return added(list, { enabled: true, kind, filter });
  const values = [...new Set([...one.filter.values, ...filter.values])];
  return replaced(list, at, { ...one, filter: { key: filter.key, values } });
}

export function withInlines(list: List, inlines: boolean): List {
  const others = list.filter(({ kind }) => kind !== 'no-inlines');
  return inlines ? others : inOrder([...others, { enabled: true, kind: 'no-inlines' }]);
}

export function toggled(list: List, index: number): List {
  const one = list[index]!;
  return replaced(list, index, { ...one, enabled: !one.enabled });
}

export function allEnabled(list: List, enabled: boolean): List {
  return list.map((one) => ({ ...one, enabled }));
}

/** Returns an untrusted name as one line of bounded length. */
export function shortName(functions: FunctionNames, func: number, maxLength = 36): string {
  return fitName(visibleText(functionName(functions, func).slice(0, 20_000)), maxLength);
}
