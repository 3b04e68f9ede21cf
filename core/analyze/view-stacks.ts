import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import type { Selection, StackView, Transform } from './stack-view.ts';
import { applyTransform, dropEmptyRows, toSetTransform, type SetTransform } from './transforms.ts';
import { selectRows } from './weighted-rows.ts';

/** All samples by the given value type (default: the profile's own default). */
export function wholeProfile(
  profile: Profile,
  valueType: ValueTypeIndex = profile.metadata.defaultValueType,
): Selection {
  return { valueType, threads: null, timeRange: null };
}

/**
 * Stacks by function under a selection and transforms, the latter applied in order. Samples of weight 0 (other events' samples among
 * them) don't show. Throws a RangeError where the value type does not exist.
 */
export function viewStacks(
  profile: Profile,
  selection: Selection = wholeProfile(profile),
  transforms: readonly Transform[] | readonly SetTransform[] = [],
): StackView {
  const { rows: selected, withoutTime } = selectRows(profile, selection);
  let rows = selected;
  for (const transform of transforms) rows = applyTransform(rows, toSetTransform(transform, profile.functions.length));
  if (transforms.length > 0) rows = dropEmptyRows(rows);

  let total = rows.withoutStack;
  let sampleCount = rows.withoutStackCount;
  for (let row = 0; row < rows.length; row++) {
    total += rows.self[row]!;
    sampleCount += rows.count[row]!;
  }
  const { length, parent, func, self, withoutStack, hidden } = rows;
  return { profile, selection, length, parent, func, self, withoutStack, total, hidden, sampleCount, withoutTime };
}
