import type { CallTree, StackView } from '../view/stack-view.ts';

/**
 * Samples whose stacks a row of the view's call tree stands for: top-down those that pass through its path, bottom-up those that end in
 * it. One pass over the view's rows, so that trees need no column of their own.
 */
export function samplesThrough(view: StackView, tree: CallTree, node: number): number {
  if (node === 0) return view.sampleCount;
  const path = new Int32Array(tree.depth[node]!);
  for (let at = node, place = path.length - 1; place >= 0; at = tree.parent[at]!, place--) path[place] = tree.func[at]!;
  return tree.direction === 'top-down' ? countBelow(view, path) : countEnding(view, path);
}

function countBelow({ length, parent, func, count }: StackView, path: Int32Array): number {
  /** Functions of the path that lead to each row; all of them below its end. */
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
