import type { FunctionIndex } from '../../model/brand.ts';
import { RowTable } from '../view/row-table.ts';
import { rowsWithin, subtreeTotals } from '../view/row-walk.ts';
import type { StackView } from '../view/stack-view.ts';

/**
 * Both halves of a sandwich count each stack once, from the outermost occurrence of the function on, so that each half
 * weighs the function's total.
 */

/**
 * Returns the callees' half: the stacks that contain the function, from it down to the leaf. The top-down tree's first
 * level is the function alone.
 */
export function calleesView(view: StackView, chosen: FunctionIndex): StackView {
  const { length, parent, func } = view;
  const table = new RowTable(length);
  const moved = new Int32Array(length);
  const self = new Float64Array(length);
  const count = new Float64Array(length);
  let total = 0;
  let sampleCount = 0;
  for (let row = 0; row < length; row++) {
    const caller = parent[row]! < 0 ? -1 : moved[parent[row]!]!;
    if (caller < 0 && func[row] !== chosen) {
      moved[row] = -1;
      continue;
    }
    const target = table.intern(caller, func[row]!);
    moved[row] = target;
    self[target]! += view.self[row]!;
    count[target]! += view.count[row]!;
    total += view.self[row]!;
    sampleCount += view.count[row]!;
  }
  const rows = table.finish();
  return {
    ...view,
    ...rows,
    self: self.subarray(0, rows.length),
    count: count.subarray(0, rows.length),
    withoutStack: 0,
    total,
    sampleCount,
    hidden: view.hidden + view.total - total,
  };
}

/**
 * Returns the callers' half: the stacks that contain the function, from the root down to it. The bottom-up tree's first
 * level is the function alone.
 */
export function callersView(view: StackView, chosen: FunctionIndex): StackView {
  const { length, parent, func } = view;
  const below = subtreeTotals(view, view.self);
  const samplesBelow = subtreeTotals(view, view.count);
  const self = new Float64Array(length);
  const count = new Float64Array(length);
  const within = rowsWithin(view, (row) => func[row] === chosen);
  let total = 0;
  let sampleCount = 0;
  for (let row = 0; row < length; row++) {
    if (func[row] !== chosen || (parent[row]! >= 0 && within[parent[row]!] === 1)) continue;
    self[row] = below[row]!;
    count[row] = samplesBelow[row]!;
    total += below[row]!;
    sampleCount += samplesBelow[row]!;
  }
  return { ...view, self, count, withoutStack: 0, total, sampleCount, hidden: view.hidden + view.total - total };
}
