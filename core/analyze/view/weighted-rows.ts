import type { Profile } from '../../model/profile.ts';
import { samplesPerRow } from '../../model/sample-counts.ts';
import { inPieces, type Steps } from '../../steps.ts';
import { RowTable } from './row-table.ts';
import { filteredWeights, type FilteredWeights, type SampleSteps as TransformSteps } from './selected-weights.ts';
import type { Selection, StackView } from './stack-view.ts';

/**
 * A stack table by function with the weight and the number of samples that end in each row. Transforms turn one such
 * table into another.
 */
export interface WeightedRows extends Pick<
  StackView,
  'length' | 'parent' | 'func' | 'self' | 'count' | 'withoutStack'
> {
  readonly withoutStackCount: number;
}

export interface SelectedRows extends FilteredWeights {
  readonly rows: WeightedRows;
  /** → rows, for the stacks of samples that are shown. */
  readonly rowOfStack: Int32Array;
  /** See `StackView`. */
  readonly weightSpread: number | null;
}

/**
 * Returns the selection's rows: stacks by function, only those on the stack of a sample with a weight other than 0 that
 * no label filter hides.
 */
export function* selectRows(profile: Profile, selection: Selection, steps: TransformSteps): Steps<SelectedRows> {
  const filtered = filteredWeights(profile, selection, steps);
  const { shown } = filtered;
  yield;
  const { stackRows, rowOfStack } = yield* foldFrames(profile, shown);
  yield;
  const rows = { ...stackRows, ...sumByRow(profile, selection, shown, rowOfStack, stackRows.length) };
  return {
    ...filtered,
    rows,
    rowOfStack,
    weightSpread: spreadOf(shown, samplesPerRow(profile, selection.valueType), rows),
  };
}

/** Returns the weight and the number of samples that end in each of `length` rows, given the selection's weights. */
export function sumByRow(
  profile: Profile,
  { valueType }: Selection,
  weights: Float64Array,
  rowOfStack: Int32Array,
  length: number,
): Pick<WeightedRows, 'self' | 'count' | 'withoutStack' | 'withoutStackCount'> {
  const { stack } = profile.samples;
  const perRow = samplesPerRow(profile, valueType);
  const self = new Float64Array(length);
  const count = new Float64Array(length);
  let withoutStack = 0;
  let withoutStackCount = 0;
  for (let sample = 0; sample < weights.length; sample++) {
    const weight = weights[sample]!;
    if (weight === 0) continue;
    if (stack[sample]! < 0) {
      withoutStack += weight;
      withoutStackCount += perRow?.[sample] ?? 1;
      continue;
    }
    const row = rowOfStack[stack[sample]!]!;
    self[row]! += weight;
    count[row]! += perRow?.[sample] ?? 1;
  }
  return { self, count, withoutStack, withoutStackCount };
}

/** See `StackView.weightSpread`. */
function spreadOf(weights: Float64Array, perRow: Float64Array | null, rows: WeightedRows): number | null {
  let squares = 0;
  for (let sample = 0; sample < weights.length; sample++) {
    if (weights[sample]! < 0) return null;
    squares += weights[sample]! ** 2 / (perRow?.[sample] ?? 1);
  }
  const total = rows.self.reduce((sum, weight) => sum + weight, rows.withoutStack);
  const samples = rows.count.reduce((sum, one) => sum + one, rows.withoutStackCount);
  return total === 0 ? null : (samples * squares) / (total * total);
}

/** Marks the stacks of samples with a weight, and their callers. Returns them and their number. */
export function liveStacks({ stacks, samples }: Profile, weights: Float64Array): { live: Uint8Array; count: number } {
  const live = new Uint8Array(stacks.length);
  for (let sample = 0; sample < weights.length; sample++) {
    if (weights[sample] !== 0 && samples.stack[sample]! >= 0) live[samples.stack[sample]!] = 1;
  }
  return { live, count: spreadToCallers(live, stacks.parent) };
}

/** Merges stacks that differ only by their frames' addresses or lines. */
function* foldFrames(
  profile: Profile,
  weights: Float64Array,
): Steps<{ stackRows: ReturnType<RowTable['finish']>; rowOfStack: Int32Array }> {
  const { stacks, frames } = profile;
  const { live, count } = liveStacks(profile, weights);
  yield;
  const table = new RowTable(count);
  const rowOfStack = new Int32Array(stacks.length);
  const folds = sharesFunctions(frames.func, profile.functions.length);
  yield* inPieces(stacks.length, (first, end) => {
    for (let stack = first; stack < end; stack++) {
      if (live[stack] === 0) continue;
      const caller = stacks.parent[stack]!;
      const callerRow = caller < 0 ? -1 : rowOfStack[caller]!;
      const func = frames.func[stacks.frame[stack]!]!;
      rowOfStack[stack] = folds ? table.intern(callerRow, func) : table.append(callerRow, func);
    }
  });
  return { stackRows: table.finish(), rowOfStack };
}

/** Marks the callers of all marked rows; callers have smaller indices. Returns the number of marked rows. */
export function spreadToCallers(live: Uint8Array, parent: Int32Array): number {
  let count = 0;
  for (let row = live.length - 1; row >= 0; row--) {
    if (live[row] === 0) continue;
    count += 1;
    if (parent[row]! >= 0) live[parent[row]!] = 1;
  }
  return count;
}

/** Returns whether frames share a function. If none do, stacks by frame are stacks by function. */
function sharesFunctions(frameFunction: Int32Array, functionCount: number): boolean {
  const seen = new Uint8Array(functionCount);
  for (const func of frameFunction) {
    if (seen[func] === 1) return true;
    seen[func] = 1;
  }
  return false;
}
