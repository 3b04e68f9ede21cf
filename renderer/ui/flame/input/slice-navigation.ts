import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';

/**
 * Steps between drawn frames. `child` is the widest one, or a filler only if all are too narrow; `next` and `previous`
 * move along the row, to cousins after the last sibling.
 */
export type WalkStep = 'parent' | 'child' | 'next' | 'previous';

/** Returns the row that a step reaches; null if none is drawn. Fillers count along a row. */
export function walk(slice: VisibleSlice, row: number, step: WalkStep): number | null {
  switch (step) {
    case 'parent': {
      const parent = slice.parent[row]!;
      return parent < 0 ? null : parent;
    }
    case 'child':
      return widestChild(slice, row);
    case 'next':
      return alongRow(slice, row, 1);
    case 'previous':
      return alongRow(slice, row, -1);
  }
}

function widestChild(slice: VisibleSlice, row: number): number | null {
  let widest: number | null = null;
  let filler: number | null = null;
  for (let other = row + 1; other < slice.length && slice.depth[other]! > slice.depth[row]!; other++) {
    if (slice.parent[other] !== row) continue;
    if (slice.node[other]! < 0) filler ??= other;
    else if (widest === null || slice.total[other]! > slice.total[widest]!) widest = other;
  }
  return widest ?? filler;
}

function alongRow(slice: VisibleSlice, row: number, step: 1 | -1): number | null {
  for (let other = row + step; other >= 0 && other < slice.length; other += step) {
    if (slice.depth[other] === slice.depth[row]) return other;
  }
  return null;
}

/** Returns the slice row that draws a node; −1 if there is none. */
export function rowOfNode(slice: VisibleSlice, node: number): number {
  return node < 0 ? -1 : slice.node.indexOf(node);
}

/**
 * Returns where walking starts if no frame is selected: the function's widest frame, else the root's widest child, else
 * the first frame.
 */
export function firstStop(slice: VisibleSlice, func: Int32Array, selectedFunction: number | null): number | null {
  let widest = -1;
  for (let row = 0; row < slice.length; row++) {
    if (func[row] === selectedFunction && (widest < 0 || slice.total[row]! > slice.total[widest]!)) widest = row;
  }
  if (widest >= 0) return widest;
  const first = slice.node[0] === 0 ? walk(slice, 0, 'child') : slice.node.findIndex((node) => node >= 0);
  return first === -1 ? null : first;
}
