import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { createTreeRows, hotPath, RowState, type TreeRows } from '#core/analyze/tree/tree-rows.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function treeOf(samples: readonly SampleSketch[]): { view: StackView; tree: CallTree } {
  const profile = profileFromSketch(samples);
  const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
  return { view, tree: buildCallTree(view, 'top-down') };
}

const heaviestFirst: RowOrder = { by: 'total', descending: true };

function childrenOf({ length, parent }: CallTree, node: number): number[] {
  return Array.from({ length }, (_, row) => row).filter((row) => row > 0 && parent[row] === node);
}

/** Returns the visible rows with the place of each among its siblings. */
function naiveRows(
  { profile }: StackView,
  tree: CallTree,
  { by, descending }: RowOrder,
  open: ReadonlySet<number>,
): { node: number; place: number; siblings: number }[] {
  const key = (node: number): number | string => {
    if (by === 'tree') return node;
    return by === 'name' ? functionLabel(profile, tree.func[node]!) : tree[by][node]!;
  };
  const compare = (a: number, b: number): number => {
    const order = key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
    return order * (descending ? -1 : 1) || a - b;
  };
  const below = (
    node: number,
    place: number,
    siblings: number,
  ): { node: number; place: number; siblings: number }[] => {
    const children = open.has(node) ? childrenOf(tree, node).toSorted(compare) : [];
    return [{ node, place, siblings }, ...children.flatMap((child, index) => below(child, index + 1, children.length))];
  };
  return below(0, 1, 1);
}

function drawn(view: StackView, rows: TreeRows): string[] {
  const window = rows.window(0, rows.length);
  return Array.from(window.node, (node, row) => {
    const sign = [' ', '+', '-'][window.state[row]!];
    return `${'  '.repeat(window.depth[row]!)}${sign}${functionLabel(view.profile, rows.tree.func[node]!)}`;
  });
}

const sample = (text: string, weight: number): SampleSketch => ({ stack: text.split(';'), weight });

describe('tree rows', () => {
  const { view, tree } = treeOf([
    sample('main;parse;read', 3),
    sample('main;compile;opt', 5),
    sample('main;compile;emit', 6),
    sample('main;compile', 1),
    sample('exit', 2),
  ]);
  const nodeOf = (name: string): number =>
    [...tree.func.keys()].find((node) => functionLabel(view.profile, tree.func[node]!) === name)!;

  test('show the root and its children initially, heaviest first', () => {
    expect(drawn(view, createTreeRows(view.profile, tree, heaviestFirst))).toEqual(['-all', '  +main', '   exit']);
  });

  test('open and close singly, by depth and by subtree, and are revealed', () => {
    const rows = createTreeRows(view.profile, tree, { by: 'tree', descending: false });
    rows.reveal(nodeOf('emit'));
    const revealed = ['-all', '   exit', '  -main', '    -compile', '       emit', '       opt', '    +parse'];
    expect(drawn(view, rows)).toEqual(revealed);
    expect(rows.indexOf(nodeOf('opt'))).toBe(5);
    expect(rows.indexOf(nodeOf('read'))).toBe(-1);
    rows.setOpen(nodeOf('main'), false);
    expect(drawn(view, rows)).toEqual(['-all', '   exit', '  +main']);
    rows.setOpen(nodeOf('main'), true);
    expect(drawn(view, rows)).toEqual(revealed);
    rows.openToDepth(0);
    expect(drawn(view, rows)).toEqual(['+all']);
    rows.openToDepth(2);
    expect(drawn(view, rows)).toEqual(['-all', '   exit', '  -main', '    +compile', '    +parse']);
    rows.setSubtreeOpen(nodeOf('main'), true);
    expect(rows.length).toBe(tree.length);
    rows.setSubtreeOpen(nodeOf('main'), false);
    expect(rows.length).toBe(3);
  });

  test('do not open a leaf', () => {
    const rows = createTreeRows(view.profile, tree, heaviestFirst);
    rows.setOpen(nodeOf('exit'), true);
    expect(rows.isOpen(nodeOf('exit'))).toBe(false);
    expect(rows.window(2, 1).state[0]).toBe(RowState.leaf);
  });

  test('follow the hot path to the heaviest child, or the first among equals', () => {
    const names = [...hotPath(tree, 0)].map((node) => functionLabel(view.profile, tree.func[node]!));
    expect(names).toEqual(['all', 'main', 'compile', 'emit']);
    const rows = createTreeRows(view.profile, tree, heaviestFirst);
    expect(rows.openHotPath(0)).toBe(nodeOf('emit'));
    expect(drawn(view, rows)).toEqual([
      '-all',
      '  -main',
      '    -compile',
      '       emit',
      '       opt',
      '    +parse',
      '   exit',
    ]);
    const tied = treeOf([sample('b', 1), sample('a', 1)]);
    expect(functionLabel(tied.view.profile, tied.tree.func[hotPath(tied.tree, 0)[1]!]!)).toBe('a');
    expect([...hotPath(tied.tree, 1)]).toEqual([1]);
  });

  test('stay open in the tree of another selection', () => {
    const rows = createTreeRows(view.profile, tree, heaviestFirst);
    rows.openHotPath(0);
    const other = buildCallTree(
      buildStackView(view.profile, { ...view.selection, valueType: 0 as ValueTypeIndex }),
      'bottom-up',
    );
    const same = createTreeRows(view.profile, tree, heaviestFirst);
    same.openLike(rows);
    expect(drawn(view, same)).toEqual(drawn(view, rows));
    const bottomUp = createTreeRows(view.profile, other, heaviestFirst);
    bottomUp.openLike(rows);
    expect(drawn(view, bottomUp)).toEqual(['-all', '  +compile', '  +emit', '   exit', '  +opt', '  +read']);
    rows.setOpen(0, false);
    same.openLike(rows);
    expect(same.length).toBe(1);
  });

  test('are open again in a later tree after those that lacked them, unless they were closed', () => {
    const profile = profileFromSketch([
      { ...sample('main;a;b;c', 5), time: 10 },
      { ...sample('main;d', 1), time: 20 },
    ]);
    const inTime = (start: number, end: number, before: TreeRows | null): TreeRows => {
      const timeRange = { start, end };
      const view = buildStackView(profile, { ...wholeProfile(profile, 1 as ValueTypeIndex), timeRange });
      const rows = createTreeRows(profile, buildCallTree(view, 'top-down'), heaviestFirst);
      if (before !== null) rows.openLike(before);
      return rows;
    };
    const all = inTime(0, 30, null);
    all.setSubtreeOpen(0, true);
    const none = inTime(25, 30, inTime(15, 30, all));
    expect(none.length).toBe(1);
    const again = inTime(0, 30, none);
    expect(again.length).toBe(all.length);
    const closed = inTime(15, 30, again);
    closed.setSubtreeOpen(0, false);
    closed.setOpen(0, true);
    expect(inTime(0, 30, closed).length).toBe(2);
  });
});

const orders = fc.record({
  by: fc.constantFrom('tree' as const, 'name' as const, 'total' as const, 'self' as const),
  descending: fc.boolean(),
});
/** Sketches that also have wide levels, because long lists of children are kept and counted. */
const wideSketches = fc
  .tuple(sketches, fc.integer({ min: 0, max: 150 }), fc.constantFrom<string[]>([], ['a'], ['a', 'b']))
  .map(([samples, count, stack]): SampleSketch[] => [
    ...samples,
    ...Array.from({ length: count }, (_, index) => ({
      stack: [...stack, `w${(index * 37) % 101}`, 'x'],
      weight: index % 5,
    })),
  ]);
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('open' as const, 'close' as const, 'reveal' as const), node: fc.nat() }),
    fc.record({ do: fc.constantFrom('open below' as const, 'close below' as const, 'hot' as const), node: fc.nat() }),
    fc.record({ do: fc.constant('depth' as const), depth: fc.nat(6) }),
    fc.record({ do: fc.constant('sort' as const), order: orders }),
  ),
  { maxLength: 12 },
);

test('show the same rows as a list of all rows after any sequence of steps', () => {
  fc.assert(
    fc.property(wideSketches, orders, steps, fc.nat(), fc.nat(40), (samples, firstOrder, list, pick, count) => {
      const { view, tree } = treeOf(samples);
      const rows = createTreeRows(view.profile, tree, firstOrder);
      const open = new Set([0]);
      let order = firstOrder;
      const inner = (node: number): boolean => tree.end[node]! > node + 1;
      const ancestors = (node: number): number[] =>
        node <= 0 ? [] : [tree.parent[node]!, ...ancestors(tree.parent[node]!)];
      for (const step of list) {
        if (step.do === 'depth') {
          rows.openToDepth(step.depth);
          open.clear();
          for (let node = 0; node < tree.length; node++) if (tree.depth[node]! < step.depth) open.add(node);
        } else if (step.do === 'sort') {
          rows.sort(step.order);
          ({ order } = step);
        } else {
          const node = step.node % tree.length;
          const subtree = Array.from({ length: tree.end[node]! - node }, (_, row) => node + row);
          if (step.do === 'open') rows.setOpen(node, true);
          if (step.do === 'close') rows.setOpen(node, false);
          if (step.do === 'reveal') rows.reveal(node);
          if (step.do === 'open below') rows.setSubtreeOpen(node, true);
          if (step.do === 'close below') rows.setSubtreeOpen(node, false);
          if (step.do === 'hot') rows.openHotPath(node);
          if (step.do === 'open') open.add(node);
          if (step.do === 'close') open.delete(node);
          if (step.do === 'reveal') for (const above of ancestors(node)) open.add(above);
          if (step.do === 'open below') for (const below of subtree) open.add(below);
          if (step.do === 'close below') for (const below of subtree) open.delete(below);
          if (step.do === 'hot') for (const at of hotPath(tree, node)) open.add(at);
        }
        const expected = naiveRows(view, tree, order, open);
        expect(rows.length).toBe(expected.length);
        const first = pick % (expected.length + 3);
        const window = rows.window(first, count);
        const part = expected.slice(first, first + count);
        expect([...window.node]).toEqual(part.map(({ node }) => node));
        expect([...window.place]).toEqual(part.map(({ place }) => place));
        expect([...window.siblings]).toEqual(part.map(({ siblings }) => siblings));
        expect([...window.depth]).toEqual(part.map(({ node }) => tree.depth[node]));
        expect([...window.state]).toEqual(
          part.map(({ node }) => (inner(node) ? (open.has(node) ? RowState.open : RowState.closed) : RowState.leaf)),
        );
        const node = pick % tree.length;
        expect(rows.indexOf(node)).toBe(expected.findIndex((row) => row.node === node));
      }
    }),
    { numRuns: 150 },
  );
});

describe('large trees', () => {
  /** Makes a tree of 1 + 100 + 10,000 + 1,000,000 nodes without a profile. */
  function millionNodes(): CallTree {
    const length = 1_010_101;
    const columns = () => new Int32Array(length);
    const [func, parent, depth, end] = [columns(), columns(), columns(), columns()];
    const [self, total] = [new Float64Array(length), new Float64Array(length)];
    let next = 0;
    const add = (below: number, level: number): number => {
      const node = next++;
      parent[node] = below;
      depth[node] = level;
      if (level < 3) for (let child = 0; child < 100; child++) total[node]! += total[add(node, level + 1)]!;
      else self[node] = total[node] = (node * 7919) % 1000;
      end[node] = next;
      return node;
    };
    add(-1, 0);
    return { length, direction: 'top-down', func, parent, depth, end, self, total, cutDepth: null };
  }

  test('never builds a list of all rows for 1,000,000 nodes', { timeout: 60_000 }, () => {
    const tree = millionNodes();
    const rows = createTreeRows(profileFromSketch([]), tree, heaviestFirst);
    rows.openToDepth(Infinity);
    expect(rows.length).toBe(tree.length);
    const window = rows.window(500_000, 40);
    expect(window.length).toBe(40);
    for (const [row, node] of window.node.entries()) expect(rows.indexOf(node)).toBe(500_000 + row);
    expect(rows.window(tree.length - 1, 40).length).toBe(1);
    rows.setOpen(window.node[39]!, false);
    rows.setOpen(tree.parent[window.node[0]!]!, false);
    expect(rows.length).toBe(tree.length - 100);
  });

  test('handles a stack of 100,000 frames', { timeout: 60_000 }, () => {
    const length = 100_001;
    const tree: CallTree = {
      length,
      direction: 'top-down',
      func: new Int32Array(length),
      parent: Int32Array.from({ length }, (_, node) => node - 1),
      depth: Int32Array.from({ length }, (_, node) => node),
      end: new Int32Array(length).fill(length),
      self: new Float64Array(length),
      total: new Float64Array(length).fill(1),
      cutDepth: null,
    };
    const rows = createTreeRows(profileFromSketch([]), tree, heaviestFirst);
    expect(rows.openHotPath(0)).toBe(100_000);
    expect(rows.length).toBe(length);
    expect([...rows.window(99_999, 5).node]).toEqual([99_999, 100_000]);
    rows.openToDepth(0);
    rows.reveal(100_000);
    expect(rows.indexOf(100_000)).toBe(100_000);
  });
});
