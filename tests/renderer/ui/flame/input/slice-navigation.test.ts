import { describe, expect, test } from 'vitest';
import { visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import { flameKey } from '../../../../../renderer/ui/flame/input/keyboard.ts';
import { firstStop, rowOfNode, walk } from '../../../../../renderer/ui/flame/input/slice-navigation.ts';
import { nameOf, treeOf } from '../tree-of.ts';

const { profile, tree } = treeOf('a;b 10\na;c 30\na 5\nd;e 20\nz 1');
const slice = visibleSlice(tree, { root: 0, widthPx: 100, minWidthPx: 5, firstDepth: 0, depthCount: 9 });
const rowNamed = (name: string) =>
  Array.from(slice.node.keys()).find(
    (row) => slice.node[row]! >= 0 && nameOf(profile, tree, slice.node[row]!) === name,
  )!;
const nameAt = (row: number | null) => (row === null ? null : nameOf(profile, tree, slice.node[row]!));

describe('walk', () => {
  test('child is the widest, parent goes back', () => {
    expect(nameAt(walk(slice, rowNamed('a'), 'child'))).toBe('c');
    expect(nameAt(walk(slice, rowNamed('c'), 'parent'))).toBe('a');
    expect(nameAt(walk(slice, rowNamed('all'), 'parent'))).toBeNull();
    expect(nameAt(walk(slice, rowNamed('b'), 'child'))).toBeNull();
  });

  test('moves along a row to siblings, then cousins, then fillers', () => {
    expect(nameAt(walk(slice, rowNamed('b'), 'next'))).toBe('c');
    expect(nameAt(walk(slice, rowNamed('c'), 'next'))).toBe('e');
    expect(nameAt(walk(slice, rowNamed('e'), 'previous'))).toBe('c');
    const filler = walk(slice, rowNamed('d'), 'next')!;
    expect(slice.fillerNodes[filler]).toBe(1);
    expect(walk(slice, filler, 'next')).toBeNull();
    expect(nameAt(walk(slice, filler, 'previous'))).toBe('d');
  });

  test('a filler is a child only if there is no frame', () => {
    const { tree: many } = treeOf(Array.from({ length: 50 }, (_, row) => `a;b${row} 1`).join('\n'));
    const narrow = visibleSlice(many, { root: 0, widthPx: 100, minWidthPx: 5, firstDepth: 0, depthCount: 9 });
    expect(narrow.fillerNodes[walk(narrow, 1, 'child')!]).toBe(50);
  });

  test('starts at the selected function, else at the root’s widest child', () => {
    const func = slice.node.map((node) => (node < 0 ? -1 : tree.func[node]!));
    expect(nameAt(firstStop(slice, func, null))).toBe('a');
    expect(nameAt(firstStop(slice, func, func[rowNamed('e')]!))).toBe('e');
    expect(nameAt(firstStop(slice, func, 9999))).toBe('a');
  });

  test('returns no row for nodes that are not drawn', () => {
    expect(rowOfNode(slice, -1)).toBe(-1);
    expect(rowOfNode(slice, tree.length - 1)).toBe(-1);
    expect(slice.node[rowOfNode(slice, 1)]).toBe(1);
  });
});

describe('flameKey', () => {
  const press = { key: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

  test('up and down follow the picture', () => {
    expect(flameKey({ ...press, key: 'ArrowUp' }, 'flame')).toEqual({ kind: 'walk', step: 'child' });
    expect(flameKey({ ...press, key: 'ArrowUp' }, 'icicle')).toEqual({ kind: 'walk', step: 'parent' });
  });

  test('plus and minus zoom, Shift with an arrow pans', () => {
    expect(flameKey({ ...press, key: '+', shiftKey: true }, 'flame')).toEqual({ kind: 'scale', factor: 1.5 });
    expect(flameKey({ ...press, key: '-' }, 'flame')).toEqual({ kind: 'scale', factor: 1 / 1.5 });
    expect(flameKey({ ...press, key: 'ArrowLeft', shiftKey: true }, 'flame')).toEqual({ kind: 'pan', share: -0.2 });
  });

  test('n and Shift n search in either direction', () => {
    expect(flameKey({ ...press, key: 'n' }, 'flame')).toEqual({ kind: 'match', step: 1 });
    expect(flameKey({ ...press, key: 'N', shiftKey: true }, 'flame')).toEqual({ kind: 'match', step: -1 });
  });

  test('ignores keys with Ctrl, Alt or Meta', () => {
    expect(flameKey({ ...press, key: 'c', ctrlKey: true }, 'flame')).toBeNull();
    expect(flameKey({ ...press, key: 'F10' }, 'flame')).toBeNull();
    expect(flameKey({ ...press, key: 'F10', shiftKey: true }, 'flame')).toEqual({ kind: 'menu' });
  });
});
