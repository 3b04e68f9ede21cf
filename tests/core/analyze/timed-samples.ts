import { timeOrder, type TimeOrder, type TimeOrderOptions } from '#core/analyze/time/order.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { viewSamples } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { resolved, sketches, type FunctionTransform, type SampleSketch } from '../../support/sketch-profile.ts';

export const byWeight: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

export function orderOf(
  profile: Profile,
  options: TimeOrderOptions,
  selection: Selection = byWeight,
  transforms: readonly FunctionTransform[] = [],
): TimeOrder | null {
  return timeOrder(viewSamples(profile, selection, resolved(profile, transforms)), options);
}

export const at = (time: number | null, stack: string, weight = 1, tid = 1): SampleSketch => ({
  stack: stack.split(';').filter(Boolean),
  weight,
  time,
  tid,
});

/** Samples with a weight of at least 1; a sample of weight 0 is not in the view. */
export const timed = sketches.map((samples) => samples.map((one) => ({ ...one, weight: one.weight + 1 })));
