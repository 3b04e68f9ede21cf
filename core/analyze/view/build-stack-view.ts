import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { TO_HIDDEN, TO_ROOT } from './move-rows.ts';
import { finish, type Steps } from '../../steps.ts';
import type { Selection, StackView } from './stack-view.ts';
import { applyTransform, dropEmptyRows, type ResolvedTransforms, type TransformStep } from './transforms.ts';
import { selectRows, type SelectedRows, type WeightedRows } from './weighted-rows.ts';

/** Selects all samples of the given value type (default: the profile's default). */
export function wholeProfile(
  profile: Profile,
  valueType: ValueTypeIndex = profile.metadata.defaultValueType,
): Selection {
  return { valueType, threads: null, timeRange: null };
}

/**
 * Builds the stacks by function under a selection and transforms, which are applied in order. Samples of weight 0, such
 * as those of other events, are left out. Throws a RangeError if the value type does not exist or the transforms were
 * resolved for another profile.
 */
export function buildStackView(
  profile: Profile,
  selection: Selection = wholeProfile(profile),
  transforms: ResolvedTransforms | null = null,
): StackView {
  return finish(stackViewSteps(profile, selection, transforms));
}

/** Like {@link buildStackView}, in pieces. */
export function* stackViewSteps(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): Steps<StackView> {
  const steps = stepsOf(profile, transforms);
  const selected = yield* selectRows(profile, selection, steps);
  yield;
  const { rows, hiddenBy } = applyAll(selected, steps, null);
  yield;
  return toView(viewedProfile(profile, transforms), selection, rows, hiddenBy, selected);
}

/** Values of {@link SampleView.rowOfSample} that are not rows. */
export const NO_ROW = { withoutStack: TO_ROOT, hidden: TO_HIDDEN, notSelected: -3 } as const;

/** A view that keeps track of its samples. */
export interface SampleView {
  readonly view: StackView;
  /** By sample; 0 if the selection excludes it. */
  readonly weights: Float64Array;
  /** By sample: the view's row in which it ends, or one of {@link NO_ROW}. */
  readonly rowOfSample: Int32Array;
}

/** Like {@link buildStackView}, but also returns the row of every sample. */
export function viewSamples(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): SampleView {
  return finish(sampleViewSteps(profile, selection, transforms));
}

/** Like {@link viewSamples}, in pieces. */
export function* sampleViewSteps(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
): Steps<SampleView> {
  const steps = stepsOf(profile, transforms);
  const selected = yield* selectRows(profile, selection, steps);
  const { weights, shown, rowOfStack } = selected;
  const places: MovedRows = { rowOfStack, withoutStack: TO_ROOT };
  yield;
  const { rows, hiddenBy } = applyAll(selected, steps, places);
  yield;
  const { stack } = profile.samples;
  const rowOfSample = new Int32Array(weights.length).fill(NO_ROW.notSelected);
  for (let sample = 0; sample < weights.length; sample++) {
    if (weights[sample] === 0) continue;
    if (shown[sample] === 0) {
      rowOfSample[sample] = NO_ROW.hidden;
      continue;
    }
    rowOfSample[sample] = stack[sample]! < 0 ? places.withoutStack : rowOfStack[stack[sample]!]!;
  }
  const view = toView(viewedProfile(profile, transforms), selection, rows, hiddenBy, selected);
  return { view, weights, rowOfSample };
}

/** Tracks where samples end up while transforms move them; changed in place. */
interface MovedRows {
  readonly rowOfStack: Int32Array;
  withoutStack: number;
}

function applyAll(
  selected: SelectedRows,
  steps: readonly (TransformStep | null)[],
  places: MovedRows | null,
): { rows: WeightedRows; hiddenBy: number[] } {
  let { rows } = selected;
  const hiddenBy = steps.map((step, place) => {
    if (step === null) return 0;
    if (step.kind === 'samples') return selected.hiddenBy[place]!;
    const moved = applyTransform(rows, step);
    rows = moved.rows;
    if (places !== null) follow(places, moved.target, moved.hidesRoot);
    return moved.hidden;
  });
  if (rows === selected.rows) return { rows, hiddenBy };
  const dropped = dropEmptyRows(rows);
  if (places !== null && dropped.moved !== null) follow(places, dropped.moved, false);
  return { rows: dropped.rows, hiddenBy };
}

function follow(places: MovedRows, target: Int32Array, hidesRoot: boolean): void {
  const { rowOfStack } = places;
  const atRoot = hidesRoot ? TO_HIDDEN : TO_ROOT;
  for (let stack = 0; stack < rowOfStack.length; stack++) {
    const row = rowOfStack[stack]!;
    if (row >= 0) rowOfStack[stack] = target[row]!;
    else if (row === TO_ROOT) rowOfStack[stack] = atRoot;
  }
  if (places.withoutStack === TO_ROOT) places.withoutStack = atRoot;
}

/** Returns what each transform does; null if it is disabled, or was applied when the profile was read. */
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
  { withoutTime, weightSpread }: Pick<SelectedRows, 'withoutTime' | 'weightSpread'>,
): StackView {
  const { withoutStackCount, ...columns } = rows;
  const { length, self, count } = columns;
  let total = rows.withoutStack;
  let sampleCount = withoutStackCount;
  for (let row = 0; row < length; row++) {
    total += self[row]!;
    sampleCount += count[row]!;
  }
  const hidden = hiddenBy.reduce((sum, weight) => sum + weight, 0);
  return { ...columns, profile, selection, total, hidden, hiddenBy, sampleCount, withoutTime, weightSpread };
}
