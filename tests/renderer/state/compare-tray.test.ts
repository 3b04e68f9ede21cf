import { describe, expect, it } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import {
  EMPTY_TRAY,
  inTime,
  isEmptyTray,
  addToTray,
  sideIn,
  swapTray,
  takeOutOfTray,
  toggleInTray,
} from '../../../renderer/state/compare-tray.ts';

const capture = (id: string, startedAt: number, series: string | null = null): CaptureDocument =>
  ({
    id,
    startedAt,
    createdAt: 0,
    series: series === null ? null : { id: series, run: 0, of: 2 },
  }) as unknown as CaptureDocument;

describe('captures chosen for a comparison', () => {
  const [old, young] = [capture('old', 1), capture('young', 2)];
  const runs = [capture('a1', 3, 'a'), capture('a2', 4, 'a'), capture('b1', 5, 'b'), capture('b2', 6, 'b')];
  const all = [old, young, ...runs];

  it('puts the older of two captures before, in whichever order they are chosen', () => {
    for (const [first, second] of [
      [old, young],
      [young, old],
    ] as const) {
      const tray = toggleInTray(toggleInTray(EMPTY_TRAY, [first], all), [second], all);
      expect(tray).toEqual({ before: ['old'], after: ['young'] });
    }
    expect(inTime(young, old)).toEqual([old, young]);
  });

  it('keeps runs of a series together', () => {
    const tray = runs.reduce((sides, run) => toggleInTray(sides, [run], all), EMPTY_TRAY);
    expect(tray).toEqual({ before: ['a1', 'a2'], after: ['b1', 'b2'] });
    const series = toggleInTray(toggleInTray(EMPTY_TRAY, runs.slice(0, 2), all), runs.slice(2), all);
    expect(series).toEqual(tray);
  });

  it('removes captures chosen again; keeps a side chosen by the user', () => {
    const tray = toggleInTray(EMPTY_TRAY, [old], all);
    expect(isEmptyTray(toggleInTray(tray, [old], all))).toBe(true);
    const moved = addToTray(tray, 'after', ['old', 'young']);
    expect(moved).toEqual({ before: [], after: ['old', 'young'] });
    expect(sideIn(moved, 'young')).toBe('after');
    expect(sideIn(moved, 'a1')).toBeNull();
    expect(swapTray(moved)).toEqual({ before: ['old', 'young'], after: [] });
    expect(takeOutOfTray(moved, ['old'])).toEqual({ before: [], after: ['young'] });
  });
});
