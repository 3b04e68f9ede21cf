import { expect, test } from 'vitest';
import type { CallNodeIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { LiveChanges } from '#core/contract/live.ts';
import type { PinnedSide } from '../../../renderer/analysis/profile/pinned-protocol.ts';
import { createProfileSession } from '../../../renderer/analysis/profile/session.ts';
import { OWN_TREE } from '../../../renderer/analysis/methods.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const ASKED = {
  view: 0,
  revision: 1,
  selection: { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null },
  transforms: [],
  tree: { kind: 'top-down' },
  zoom: [],
  picked: null,
} as const;

/** Functions have the same indices in both, because AFTER names those of BEFORE first. */
const BEFORE = 'main;calm 40\nmain;gone 10';
const AFTER = 'main;calm 0\nmain;gone 0\nmain;calm 80\nmain;storm 20';

function analysed(change: Partial<PinnedSide>, names: readonly (readonly [string, 'grew' | 'shrank'])[]) {
  const before = profileFromText(BEFORE);
  const after = profileFromText(AFTER);
  const all = functionNames(after);
  const found = names.map(([name, of]) => ({
    func: all.indexOf(name),
    of: 'total' as const,
    state: of,
    missing: null,
  }));
  const changes: LiveChanges = { baselineId: 1, size: null, 'per-second': found, share: [] };
  const pinned: PinnedSide = {
    profile: before,
    before: { name: 'pin', seconds: 10, rateHz: 99 },
    after: { name: 'now', seconds: 10, rateHz: 99 },
    asked: null,
    isJudged: true,
    changes,
    ...change,
  };
  const session = createProfileSession(after, patternsInPlace, undefined, undefined, { pinned });
  return { all, session };
}

test('shows the baseline next to the analysis, by function and by path', async () => {
  const { all, session } = analysed({}, [
    ['calm', 'grew'],
    ['gone', 'shrank'],
  ]);
  const { rows, pinned } = await session.analyze(ASKED);
  const row = (name: string): number => rows.func.indexOf(all.indexOf(name));
  expect(pinned).toMatchObject({ kind: 'per-second', unit: 'count/second', totals: { before: 5, after: 10 } });
  const values = (name: string): number[] =>
    [pinned!.total.before, pinned!.total.after, pinned!.total.change].map((column) => column[row(name)]!);
  expect(values('calm')).toEqual([4, 8, 1]);
  expect(values('storm')).toEqual([0, 2, 0]);
  // A function that occurs only in the baseline has a row, too.
  expect(values('gone')).toEqual([1, 0, -1]);
  expect([...pinned!.self.change][row('calm')]).toBe(1);

  const request = {
    root: 0 as CallNodeIndex,
    widthPx: 1000,
    minWidthPx: 1,
    firstDepth: 0,
    depthCount: 9,
    maxFrames: 99,
  };
  const { func, deltas } = await session.source(1, OWN_TREE).requestSlice(request);
  const at = func.indexOf(all.indexOf('calm'));
  expect(deltas!.before[at]).toBe(4);
  expect(deltas!.after[at]).toBe(8);
  expect(VERDICTS[deltas!.verdict[at]!]).toBe('grew');
  expect(VERDICTS[deltas!.verdict[func.indexOf(all.indexOf('storm'))]!]).toBe('not-tested');
});

test('says of too few functions that changes per second are not decided', async () => {
  const { session } = analysed({ changes: { baselineId: 1, size: null, 'per-second': null, share: [] } }, []);
  const { pinned } = await session.analyze(ASKED);
  expect(pinned).toMatchObject({ kind: 'per-second', isDecided: false });
  expect(pinned!.warnings[0]).toMatch(/^Not decided: load or machine/);
  expect([...pinned!.total.change].every((change) => change === 0)).toBe(true);
});

test('compares different sampling rates as shares, with a warning', async () => {
  const { session } = analysed({ before: { name: 'pin', seconds: 10, rateHz: 999 } }, []);
  const { pinned } = await session.analyze(ASKED);
  expect(pinned).toMatchObject({ kind: 'share', unit: 'share', totals: { before: 1, after: 1 } });
  expect(pinned!.warnings.join()).toContain('a change in one function moves all others');
});

test('has nothing to compare without a baseline', async () => {
  const session = createProfileSession(profileFromText(AFTER), patternsInPlace, undefined, undefined, { pinned: null });
  expect(await session.analyze(ASKED)).toMatchObject({ pinned: null, trends: null });
});
