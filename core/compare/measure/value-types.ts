import type { Profile, ValueType } from '../../model/profile.ts';
import type { ValueTypeIndex } from '../../model/brand.ts';
import { findUnit } from '../../units/units.ts';

/** perf's modifiers after an event: `cycles:u`, `cpu-clock:ppp`. */
const MODIFIERS = /:[ukhGHpPSDWeI]+$/;
/** A tracepoint or probe, `sched:sched_stat_sleep`, whose period has a meaning of its own. */
const TRACEPOINT = /^[\w-]+:[\w-]/;
/** Clocks that run only while the code runs. */
const ON_CPU_CLOCKS: ReadonlySet<string> = new Set(['cpu', 'cpu-clock', 'task-clock']);

export const withoutModifiers = (type: string): string => type.replace(MODIFIERS, '');

/** Returns whether values are time on a CPU; dividing it by CPU seconds gives 1. */
export function isOnCpuTime({ type, unit }: ValueType): boolean {
  return findUnit(unit)?.dimension === 'time' && ON_CPU_CLOCKS.has(withoutModifiers(type));
}

/** Returns whether values are numbers of samples, whatever each represents: twice the rate, twice the value. */
export function isSampleCount({ type, unit, column }: ValueType): boolean {
  if (column < 0) return true;
  const dimension = findUnit(unit)?.dimension;
  return dimension === 'count' && (unit === 'samples' || type === 'samples' || type === 'sample');
}

/**
 * Returns whether values count what exists at one moment (goroutines, threads): exact numbers without a duration, of
 * which growth is the finding.
 */
export const isCensus = ({ type, unit }: ValueType): boolean =>
  unit === 'count' && (type === 'goroutine' || type === 'threadcreate' || type === 'thread');

/** Returns whether values describe one moment, so that the duration does not affect them; includes memory in use. */
export const isOfOneMoment = (valueType: ValueType): boolean =>
  isCensus(valueType) || valueType.type === 'inuse_space' || valueType.type === 'inuse_objects';

/**
 * How weights consist of independent observations. squares: each sample is one observation, weighted by its own
 * recorded period; unit: a sample of weight w represents w ÷ weight observations; null: not at all (bytes, time off
 * CPU, goroutines), or unknown.
 */
export type CountModel = { readonly kind: 'squares' } | { readonly kind: 'unit'; readonly weight: number };

/** Returns the model of a value type; `weights` holds the samples' weights under it. */
export function countModel(profile: Profile, valueType: ValueTypeIndex, weights: Float64Array): CountModel | null {
  const chosen = profile.valueTypes[valueType]!;
  if (chosen.column < 0) return { kind: 'unit', weight: 1 };
  if (isCensus(chosen)) return null;
  if (isCountColumn(profile, chosen)) {
    return weights.every((weight) => Number.isInteger(weight) && weight >= 0) ? { kind: 'unit', weight: 1 } : null;
  }
  if (chosen.event >= 0) return TRACEPOINT.test(withoutModifiers(chosen.type)) ? null : { kind: 'squares' };
  const { period } = profile.metadata;
  const isPeriod = period !== null && period.type === chosen.type && period.unit === chosen.unit && period.value > 0;
  const dimension = findUnit(chosen.unit)?.dimension;
  return isPeriod && (dimension === 'time' || dimension === 'count') ? { kind: 'unit', weight: period.value } : null;
}

/** Folded text counts samples, also in files with two columns. */
const isCountColumn = ({ metadata }: Profile, valueType: ValueType): boolean =>
  isSampleCount(valueType) || (metadata.format === 'folded' && valueType.unit === 'count');
