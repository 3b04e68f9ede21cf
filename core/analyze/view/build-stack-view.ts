import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { TO_HIDDEN, TO_ROOT } from '../transforms/move-rows.ts';
import type { Selection, StackView } from './stack-view.ts';
import {
  applyTransform,
  dropEmptyRows,
  type ResolvedTransforms,
  type TransformStep,
} from '../transforms/transforms.ts';
import { selectRows, type WeightedRows } from './weighted-rows.ts';

/** All samples by the given value type (default: the profile's own default). */
export function wholeProfile(
  profile: Profile,
  valueType: ValueTypeIndex = profile.metadata.defaultValueType,
): Selection {
  return { valueType, threads: null, timeRange: null };
}

/**
 * Stacks by function under a selection and transforms, the latter applied in order. Samples of weight 0 (other events' samples among
 * them) don't show. Throws a RangeError where the value type does not exist, or the transforms were resolved for another profile.
 */
export function buildStackView(
  profile: Profile,
  selection: Selection = wholeProfile(profile),
  transforms: ResolvedTransforms | null = null,
): StackView {
  const { rows: selected, withoutTime } = selectRows(profile, selection);
  const { rows, hiddenBy } = applyAll(selected, stepsOf(profile, transforms), null);
  return toView(viewedProfile(profile, transforms), selection, rows, hiddenBy, withoutTime);
}

/** Rows of {@link SampleView.rowOfSample} that are none. */
export const NO_ROW = { withoutStack: TO_ROOT, hidden: TO_HIDDEN, notSelected: -3 } as const;

/** A view that still knows its samples. */
export interface SampleView {
  readonly view: StackView;
  /** By sample: 0 where the selection leaves it out. */
  readonly weights: Float64Array;
  /** By sample: the view's row that it ends in, or one of {@link NO_ROW}. */
  readonly rowOfSample: Int32Array;
}

/** As {@link buildStackView}, and where every sample lies. */
export function viewSamples(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): SampleView {
  const { rows: selected, weights, withoutTime, rowOfStack } = selectRows(profile, selection);
  const places: Places = { rowOfStack, withoutStack: TO_ROOT };
  const { rows, hiddenBy } = applyAll(selected, stepsOf(profile, transforms), places);
  const { stack } = profile.samples;
  const rowOfSample = new Int32Array(weights.length).fill(NO_ROW.notSelected);
  for (let sample = 0; sample < weights.length; sample++) {
    if (weights[sample] === 0) continue;
    rowOfSample[sample] = stack[sample]! < 0 ? places.withoutStack : rowOfStack[stack[sample]!]!;
  }
  const view = toView(viewedProfile(profile, transforms), selection, rows, hiddenBy, withoutTime);
  return { view, weights, rowOfSample };
}

/** What samples are followed by while transforms move them; changed in place. */
interface Places {
  readonly rowOfStack: Int32Array;
  withoutStack: number;
}

function applyAll(
  selected: WeightedRows,
  steps: readonly (TransformStep | null)[],
  places: Places | null,
): { rows: WeightedRows; hiddenBy: number[] } {
  let rows = selected;
  const hiddenBy = steps.map((step) => {
    if (step === null) return 0;
    const moved = applyTransform(rows, step);
    rows = moved.rows;
    if (places !== null) follow(places, moved.target, moved.hidesRoot);
    return moved.hidden;
  });
  if (rows === selected) return { rows, hiddenBy };
  const dropped = dropEmptyRows(rows);
  if (places !== null && dropped.moved !== null) follow(places, dropped.moved, false);
  return { rows: dropped.rows, hiddenBy };
}

function follow(places: Places, target: Int32Array, hidesRoot: boolean): void {
  const { rowOfStack } = places;
  const atRoot = hidesRoot ? TO_HIDDEN : TO_ROOT;
  for (let stack = 0; stack < rowOfStack.length; stack++) {
    const row = rowOfStack[stack]!;
    if (row >= 0) rowOfStack[stack] = target[row]!;
    else if (row === TO_ROOT) rowOfStack[stack] = atRoot;
  }
  if (places.withoutStack === TO_ROOT) places.withoutStack = atRoot;
}

/** What each transform does to rows; null: switched off. */
export function stepsOf(profile: Profile, transforms: ResolvedTransforms | null): readonly (TransformStep | null)[] {
  if (transforms === null) return [];
  if (transforms.base !== profile.functions) throw new RangeError('the transforms were resolved for another profile');
  return transforms.steps;
}

function viewedProfile(profile: Profile, transforms: ResolvedTransforms | null): Profile {
  if (transforms === null || transforms.functions === profile.functions) return profile;
  const { strings, functions } = transforms;
  return { ...profile, strings, functions };
}

function toView(
  profile: Profile,
  selection: Selection,
  rows: WeightedRows,
  hiddenBy: readonly number[],
  withoutTime: number,
): StackView {
  const { length, parent, func, self, count, withoutStack } = rows;
  let total = withoutStack;
  let sampleCount = rows.withoutStackCount;
  for (let row = 0; row < length; row++) {
    total += self[row]!;
    sampleCount += count[row]!;
  }
  const hidden = hiddenBy.reduce((sum, weight) => sum + weight, 0);
  return {
    profile,
    selection,
    length,
    parent,
    func,
    self,
    count,
    withoutStack,
    total,
    hidden,
    hiddenBy,
    sampleCount,
    withoutTime,
  };
}
