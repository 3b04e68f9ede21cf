import type { Profile } from '../../model/profile.ts';
import { RowTable } from './row-table.ts';
import { filteredWeights } from './selected-weights.ts';
import type { Selection } from './stack-view.ts';
import { applyTransform, type RowStep, type TransformStep, type ResolvedTransforms } from './transforms.ts';
import { stepsOf } from './build-stack-view.ts';
import { liveStacks, sumByRow, type WeightedRows } from './weighted-rows.ts';

/**
 * The rows of a view by frame: rows that differ only by address or line stay separate. Rows without samples may be
 * included.
 */
interface FrameView {
  readonly rows: WeightedRows;
  /**
   * → the profile's frames, by row: the row's frame before transforms. If calls were folded into one, the outermost.
   */
  readonly frame: Int32Array;
}

/** Like `buildStackView`, but rows keep their frames. For single queries: identical rows are not merged. */
export function viewFrames(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): FrameView {
  const steps = stepsOf(profile, transforms);
  let { rows, frame } = selectFrames(profile, selection, steps);
  for (const step of steps) {
    if (step === null || step.kind === 'samples') continue;
    const before = frame;
    const { rows: moved, target } = applyTransform(rows, step, new DistinctRows(rows.length));
    frame = originOf(step, target, moved.length).map((row) => before[row]!);
    rows = moved;
  }
  return { rows, frame };
}

/** Rows that are never merged, so that each comes from one row and has its frame. */
class DistinctRows extends RowTable {
  override intern(parent: number, func: number): number {
    return this.append(parent, func);
  }
}

/** Returns the old row from which each new one was made. */
function originOf(step: RowStep, target: Int32Array, length: number): Int32Array {
  // These keep every row in its place and only move samples.
  if (step.kind === 'drop-without' || step.kind === 'focus-self' || ('path' in step && step.from === 'leaf')) {
    return Int32Array.from(target.keys());
  }
  const origin = new Int32Array(length).fill(-1);
  // Rows that fold into a row were below it, so they come after it.
  for (let row = 0; row < target.length; row++) {
    const moved = target[row]!;
    if (moved >= 0 && origin[moved] === -1) origin[moved] = row;
  }
  return origin;
}

function selectFrames(profile: Profile, selection: Selection, steps: readonly (TransformStep | null)[]): FrameView {
  const { stacks, frames } = profile;
  const { shown } = filteredWeights(profile, selection, steps);
  const { live, count } = liveStacks(profile, shown);
  const table = new RowTable(count);
  const frame = new Int32Array(count);
  const rowOfStack = new Int32Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    if (live[stack] === 0) continue;
    const caller = stacks.parent[stack]!;
    frame[table.length] = stacks.frame[stack]!;
    rowOfStack[stack] = table.append(caller < 0 ? -1 : rowOfStack[caller]!, frames.func[stacks.frame[stack]!]!);
  }
  return { rows: { ...table.finish(), ...sumByRow(profile, selection, shown, rowOfStack, count) }, frame };
}
