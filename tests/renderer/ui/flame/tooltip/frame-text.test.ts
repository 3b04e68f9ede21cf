import { visibleText } from '#core/analyze/function-label.ts';
import { describe, expect, test } from 'vitest';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import { detailOfPath, frameDetail } from '../../../../../renderer/ui/flame/tooltip/frame-detail.ts';
import { deltaLabel, fillerLabel, frameLabel } from '../../../../../renderer/ui/flame/chart/frame-label.ts';
import {
  announcement,
  detailLines,
  fileAndLine,
  stackText,
  titleOf,
} from '../../../../../renderer/ui/flame/tooltip/frame-text.ts';
import { flameSlice, nodePath } from '../../../../../core/analyze/graph/tree-source.ts';
import { treeOf } from '../tree-of.ts';

const format = { value: (weight: number) => formatValue(weight, 'nanoseconds'), share: formatShare };

describe('labels', () => {
  test('shows a name in full, or shortened to fit', () => {
    const name = 'cmd/compile/internal/ssa.Compile';
    expect(frameLabel(name, 300, 6.63)).toBe(name);
    expect(frameLabel(name, 120, 6.63)).toBe('ssa.Compile');
    expect(frameLabel(name, 76, 6.63)).toBe('…Compile');
    expect(frameLabel(name, 40, 6.63)).toBe('Comp');
    expect(frameLabel(name, 12, 6.63)).toBe('');
    expect(frameLabel(name, 300, 13)).toBe('ssa.Compile');
  });

  test('counts wide characters as two', () => {
    expect(frameLabel('漢字仮名交じり文', 80, 10)).toBe('漢字仮');
    expect(frameLabel('👍👍', 49, 10)).toBe('👍👍');
  });

  test('makes control and direction characters visible, and nothing is markup', () => {
    expect(visibleText('a\u0000b\nc\u007f')).toBe('a␀b␊c␡');
    expect(visibleText('evil\u202etxt.exe')).toBe('evil\ufffdtxt.exe');
    expect(visibleText('</script><img onerror=1>')).toBe('</script><img onerror=1>');
  });

  test('fillers show the number of frames and their share', () => {
    expect(fillerLabel(1, '0.4 %')).toBe('… 1 frame, 0.4 %');
    expect(fillerLabel(12, '3.1 %')).toBe('… 12 frames, 3.1 %');
  });
});

describe('details', () => {
  const { profile, tree } = treeOf('main;work;read 300\nmain;work 100\nmain 200\nidle 400');
  const request = { widthPx: 1000, minWidthPx: 2, firstDepth: 0, depthCount: 9, maxFrames: 600 };
  const work = tree.func.findIndex((func) => profile.strings[profile.functions.name[func]!] === 'work');

  test('shares of all, of the zoomed root and of the parent', () => {
    const zoomed = flameSlice(profile, tree, { ...request, root: work as CallNodeIndex });
    const read = frameDetail(zoomed, 1);
    expect(detailLines(read, 1000, format)).toEqual([
      { label: 'self', text: '300 ns · 30.0 %' },
      { label: 'total', text: '300 ns · 30.0 %' },
      { label: 'of zoomed root', text: '75.0 %' },
      { label: 'of parent', text: '75.0 %' },
    ]);
    expect(announcement(read, 1000, format)).toContain('read, self 300 ns · 30.0 %');
    expect(titleOf(frameDetail(flameSlice(profile, tree, { ...request, root: 0 as CallNodeIndex }), 0), format)).toBe(
      'all',
    );
  });

  test('a path has the same details for its last frame as the slice', () => {
    const zoomed = flameSlice(profile, tree, { ...request, root: work as CallNodeIndex });
    const path = nodePath(profile, tree, (work + 1) as CallNodeIndex);
    expect(detailOfPath(path, work as CallNodeIndex)).toEqual({ ...frameDetail(zoomed, 1), start: null });
    expect(detailOfPath([], 0 as CallNodeIndex)).toMatchObject({ total: 0, depth: 0 });
  });

  test('a copied stack is root first, one frame per line', () => {
    expect(stackText(nodePath(profile, tree, (work + 1) as CallNodeIndex))).toBe('main\nwork\nread');
  });

  test('shortens a name of a megabyte', () => {
    const facts = { name: 'x'.repeat(1_000_000), module: '', file: 'y'.repeat(1000), line: 7, kind: FunctionKind.user };
    const frame = { node: 1 as CallNodeIndex, func: 0 as FunctionIndex };
    const detail = {
      ...frameDetail(flameSlice(profile, tree, { ...request, root: 0 as CallNodeIndex }), 1),
      frame,
      facts,
    };
    expect(titleOf(detail, format).length).toBeLessThanOrEqual(300);
    expect(fileAndLine(facts).length).toBeLessThanOrEqual(300);
    expect(fileAndLine({ ...facts, file: 'a.c' })).toBe('a.c:7');
    expect(fileAndLine({ ...facts, file: 'a.c', line: 0 })).toBe('a.c');
  });
});

describe('deltaLabel', () => {
  const around = { sign: '▲ ', tails: [' · only after', ' · new'] };

  test('adds a tail only with the whole identifier, a sign if there is room', () => {
    const at = (widthPx: number) => deltaLabel('a/very/long/path.Compile', around, widthPx, 6);
    expect([300, 180, 130, 100, 60, 22, 16].map(at)).toEqual([
      '▲ a/very/long/path.Compile · only after',
      '▲ path.Compile · only after',
      '▲ path.Compile · new',
      '▲ Compile · new',
      '▲ Compil',
      '▲',
      '▲',
    ]);
  });

  test('is a plain label without sign and tail', () => {
    for (const width of [300, 100, 60, 30, 12]) {
      const name = 'a/very/long/path.Compile';
      expect(deltaLabel(name, { sign: '', tails: [] }, width, 6)).toBe(frameLabel(name, width, 6));
    }
  });
});
