import { functionRef, type FunctionRef, type NamedFunctions } from '../../analyze/function-ref.ts';
import { buildCallTree } from '../../analyze/tree/call-tree.ts';
import type { TreeShape } from '../../analyze/view/row-walk.ts';
import type { CallTree } from '../../analyze/view/stack-view.ts';
import type { SectionOf } from '../../contract/report/report.ts';
import type { FunctionIndex } from '../../model/brand.ts';
import type { PreparedCapture } from '../prepare.ts';

/** Returns a graph's tree, and the row that fills its width: the deepest of the zoom's frames that exists. */
export function zoomedTree(
  section: SectionOf<'flame'>,
  capture: PreparedCapture,
): { readonly tree: CallTree; readonly root: number; readonly isWhole: boolean } {
  const tree = section.direction === 'top-down' ? capture.tree : buildCallTree(capture.stacks, 'bottom-up');
  return { tree, ...zoomedRow(tree, capture.stacks.profile, section.zoom) };
}

/** Returns the row of the deepest of a zoom's frames that exists, and whether it is the last one. */
export function zoomedRow(
  tree: TreeShape,
  names: NamedFunctions,
  zoom: readonly FunctionRef[],
): { readonly root: number; readonly isWhole: boolean } {
  let root = 0;
  for (const wanted of zoom) {
    const next = childCalled(tree, names, root, wanted);
    if (next === null) break;
    root = next;
  }
  return { root, isWhole: tree.depth[root] === zoom.length };
}

function childCalled(tree: TreeShape, names: NamedFunctions, parent: number, wanted: FunctionRef): number | null {
  for (let child = parent + 1; child < tree.end[parent]!; child = tree.end[child]!) {
    const { name, module } = functionRef(names, tree.func[child]!);
    if (name === wanted.name && module === wanted.module) return child;
  }
  return null;
}

/** Returns the section's function (in any module if it names none), or the one with most self weight; else null. */
export function sandwichFunction(section: SectionOf<'sandwich'>, capture: PreparedCapture): FunctionIndex | null {
  const { stats, stacks } = capture;
  let best = -1;
  for (let row = 0; row < stats.length; row++) {
    const { name, module } = functionRef(stacks.profile, stats.func[row]!);
    const wanted = section.func;
    const isWanted = wanted === null || (wanted.name === name && (wanted.module === '' || wanted.module === module));
    if (isWanted && (best < 0 || stats.self[row]! > stats.self[best]!)) best = row;
  }
  return best < 0 ? null : (stats.func[best]! as FunctionIndex);
}
