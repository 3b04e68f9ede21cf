import type { FunctionIndex } from '../../model/brand.ts';
import { rowsWithin } from '../view/row-walk.ts';
import type { NeighbourList } from '../tree/neighbours.ts';
import type { StackView, Selection, CallTree } from '../view/stack-view.ts';
import { NO_ROW, viewSamples, type SampleView } from '../view/build-stack-view.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import type { Profile } from '../../model/profile.ts';

/**
 * Returns where a function's total weight is spent: for the stacks that contain it, the weight that ends in each
 * function. The sum is the function's total. null takes all stacks.
 */
export function leafWeights(view: StackView, of: FunctionIndex | null): NeighbourList {
  const { profile, length, func, self } = view;
  const holds = rowsWithin(view, (row) => of === null || func[row] === of);
  const weight = new Float64Array(profile.functions.length);
  for (let row = 0; row < length; row++) if (holds[row] === 1) weight[func[row]!]! += self[row]!;
  const found = Int32Array.from(weight.keys()).filter((one) => weight[one] !== 0);
  found.sort((a, b) => weight[b]! - weight[a]! || a - b);
  return { length: found.length, func: found, weight: Float64Array.from(found, (one) => weight[one]!) };
}

/** Returns the weight of every sample whose stack contains the function at least once; 0 for all others. */
export function weightsThrough({ view, weights, rowOfSample }: SampleView, func: FunctionIndex): Float64Array {
  const holds = rowsWithin(view, (row) => view.func[row] === func);
  return weights.map((weight, sample) => {
    const row = rowOfSample[sample]!;
    return row >= 0 && holds[row] === 1 ? weight : 0;
  });
}

/**
 * Returns every sample's weight in a view: 0 if the selection excludes it or a transform hides it. The sum is the
 * view's total, except for rounding if weights are fractions.
 */
export function shownWeights(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
): Float64Array {
  const { weights, rowOfSample } = viewSamples(profile, selection, transforms);
  return weights.map((weight, sample) => {
    const row = rowOfSample[sample]!;
    return row === NO_ROW.hidden || row === NO_ROW.notSelected ? 0 : weight;
  });
}

/**
 * Returns the number of samples behind a call tree row: top-down, the samples that pass through its path; bottom-up,
 * the ones that end in it. Takes one pass over the view's rows, so trees need no column for it.
 */
export function samplesThrough(view: StackView, tree: CallTree, node: number): number {
  if (node === 0) return view.sampleCount;
  const path = new Int32Array(tree.depth[node]!);
  for (let at = node, place = path.length - 1; place >= 0; at = tree.parent[at]!, place--) path[place] = tree.func[at]!;
  return tree.direction === 'top-down' ? countBelow(view, path) : countEnding(view, path);
}

function countBelow({ length, parent, func, count }: StackView, path: Int32Array): number {
  /** Length of the path's prefix that leads to each row; the whole path for rows below its end. */
  const matched = new Int32Array(length);
  let samples = 0;
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    const before = caller < 0 ? 0 : matched[caller]!;
    if (before === path.length) matched[row] = before;
    else if ((caller < 0 || before > 0) && path[before] === func[row]) matched[row] = before + 1;
    if (matched[row] === path.length) samples += count[row]!;
  }
  return samples;
}

function countEnding({ length, parent, func, count }: StackView, leafFirst: Int32Array): number {
  let samples = 0;
  for (let row = 0; row < length; row++) {
    if (count[row] === 0) continue;
    let at = row;
    let place = 0;
    while (place < leafFirst.length && at >= 0 && func[at] === leafFirst[place]) {
      at = parent[at]!;
      place += 1;
    }
    if (place === leafFirst.length) samples += count[row]!;
  }
  return samples;
}
