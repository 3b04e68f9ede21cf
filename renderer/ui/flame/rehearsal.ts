import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { createD3Chart } from './d3-chart.ts';
import { layoutOf, sliceRequest } from './drawn-slice.ts';
import { ROW_PX } from './flame-layout.ts';
import { frameColours, NO_SLOTS } from './frame-colour.ts';
import { flameSlice } from '../../../core/analyze/graph/tree-source.ts';
import { partToDraw } from '../../../core/analyze/graph/weight-range.ts';

const WIDTH_PX = 1200;
const ROWS = 24;
const CALLEES = 4;
const LEVELS = 6;
const FUNCTIONS = 40;

/**
 * Draws a made-up graph and zooms in it, one drawing a step, where nobody sees it. A browser runs code several times as fast once it
 * has compiled it: the first file that is opened, and the first click, find that done.
 */
export function* rehearseDrawing(): Generator<void> {
  const tree = madeUpTree();
  const names = madeUpNames();
  const chart = createD3Chart(document.createElement('div'), ROW_PX);
  const look = {
    format: { value: String, share: String },
    colourOf: frameColours({ mode: 'package', theme: 'dark', slots: NO_SLOTS }),
    matches: null,
    isLit: null,
    deltaLook: null,
    matchColour: null,
    theme: 'dark',
    fillerPaint: 'none',
    characterPx: 7,
  } as const;
  for (let root = 0; root <= LEVELS - 2; root++) {
    const rows = { firstDepth: 0, depthCount: ROWS };
    const data = flameSlice(names, tree, sliceRequest(root as CallNodeIndex, null, WIDTH_PX, rows));
    const part = partToDraw(null, data.rootTotal, WIDTH_PX);
    const layout = layoutOf({ data, part, viewPx: WIDTH_PX }, 'flame', ROWS * ROW_PX, ROW_PX);
    chart.draw({ ...look, data, layout });
    yield;
  }
  chart.destroy();
}

/** Each row has as many callees, the first of them the heaviest: node 1 is that of the root, node 2 that of node 1, and so on. */
function madeUpTree(): CallTree {
  const func: number[] = [];
  const parent: number[] = [];
  const depth: number[] = [];
  const end: number[] = [];
  const total: number[] = [];
  const add = (caller: number, level: number, weight: number): void => {
    const node = func.push(caller < 0 ? -1 : func.length % FUNCTIONS) - 1;
    parent.push(caller);
    depth.push(level);
    total.push(weight);
    end.push(0);
    const callees = level < LEVELS ? CALLEES : 0;
    for (let callee = 1; callee <= callees; callee++) add(node, level + 1, weight / 2 ** callee);
    end[node] = func.length;
  };
  add(-1, 0, 1);
  return {
    length: func.length,
    direction: 'top-down',
    func: Int32Array.from(func),
    parent: Int32Array.from(parent),
    depth: Int32Array.from(depth),
    end: Int32Array.from(end),
    self: new Float64Array(func.length),
    total: Float64Array.from(total),
    cutDepth: null,
  };
}

function madeUpNames(): NamedFunctions {
  const index = Int32Array.from({ length: FUNCTIONS }, (_, func) => func);
  const none = new Int32Array(FUNCTIONS).fill(FUNCTIONS);
  return {
    strings: [...Array.from(index, (func) => `package_${func % 7}.function_${func}`), ''],
    functions: {
      length: FUNCTIONS,
      name: index,
      module: none,
      file: none,
      line: new Int32Array(FUNCTIONS),
      kind: new Uint8Array(FUNCTIONS),
    },
  };
}
