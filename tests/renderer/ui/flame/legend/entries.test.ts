import { expect, test } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { NO_SLOTS, type ColourScheme } from '#core/colour/frame-colour.ts';
import {
  legendMatches,
  legendOf,
  legendShare,
  type LegendEntry,
} from '../../../../../renderer/ui/flame/legend/entries.ts';
import { flameSlice } from '../../../../../core/analyze/graph/tree-source.ts';
import { treeOf } from '../tree-of.ts';

const SCHEME: ColourScheme = { mode: 'package', theme: 'dark', slots: NO_SLOTS };
const ENTRY: LegendEntry = { label: 'libc', colour: '#000000', weight: 1, isEstimate: false };

test('lists drawn groups by the weight that passes through them, counting recursion once', () => {
  const { profile, tree } = treeOf('go.f;go.g 10\nc::h 15');
  const window = { widthPx: 100, minWidthPx: 1, firstDepth: 0, depthCount: 9, maxFrames: 600 };
  const data = flameSlice(profile, tree, { root: 0 as CallNodeIndex, ...window });
  expect(legendOf(data, SCHEME).map(({ label, weight }) => [label, weight])).toEqual([
    ['c', 15],
    ['go', 10],
  ]);
});

test('searches colours by label, ignoring case, in order', () => {
  const entries = ['libC', 'Go runtime', 'libcrypto'].map((label) => ({ ...ENTRY, label }));
  const found = (query: string) => legendMatches(entries, query).map(({ label }) => label);
  expect(found(' LIBC ')).toEqual(['libC', 'libcrypto']);
  expect(found('.*')).toEqual([]);
  expect(legendMatches(entries, '')).toBe(entries);
});

/** Returns the legend of all of `text`, 100 columns wide; frames below 2 px are in fillers. */
function legendOfNarrow(text: string): [string, number, boolean][] {
  const { profile, tree } = treeOf(text);
  const window = { widthPx: 100, minWidthPx: 2, firstDepth: 0, depthCount: 9, maxFrames: 600 };
  const data = flameSlice(profile, tree, { root: 0 as CallNodeIndex, ...window, columnsPerPx: 1 });
  return legendOf(data, SCHEME).map(({ label, weight, isEstimate }) => [label, weight, isEstimate]);
}

test('counts what is too narrow to draw in columns, unless a frame of its colour covers it', () => {
  const narrow = Array.from({ length: 40 }, (_, at) => `go.main;go.f_${at};rust::g 1`);
  expect(legendOfNarrow([...narrow, 'rust::wide 60'].join('\n'))).toEqual([
    ['rust', 100, true],
    ['go', 40, false],
  ]);
});

test('marks a share counted in columns as an estimate', () => {
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  expect(legendShare({ ...ENTRY, weight: 33.3 }, 100, share)).toBe('33.3 %');
  expect(legendShare({ ...ENTRY, weight: 33.3, isEstimate: true }, 100, share)).toBe('≈ 33 %');
  expect(legendShare({ ...ENTRY, weight: 0.2, isEstimate: true }, 100, share)).toBe('< 1 %');
  expect(legendShare({ ...ENTRY, weight: 100.4, isEstimate: true }, 100, share)).toBe('≈ 100 %');
});
