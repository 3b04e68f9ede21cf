import { describe, expect, test } from 'vitest';
import { clampWidth } from '../../../../../renderer/ui/table/grid/column-widths.ts';
import {
  MAX_SCROLL_PX,
  ROW_PX,
  rowAfterKey,
  rowWindow,
  scrollHeight,
  scrollTopToShow,
  steadyScrollTop,
} from '../../../../../renderer/ui/table/grid/row-window.ts';

const viewport = 220;
const end = (rows: number) => scrollHeight(rows) - viewport;

describe('rowWindow', () => {
  test('returns the visible rows, the first one cut off by the offset', () => {
    expect(rowWindow(100, viewport, 0)).toEqual({ first: 0, count: 11, offset: 0 });
    expect(rowWindow(100, viewport, 30)).toEqual({ first: 1, count: 11, offset: 8 });
    expect(rowWindow(100, viewport, end(100))).toEqual({ first: 90, count: 10, offset: 0 });
  });

  test('handles few rows, none, and a scroll position beyond the end', () => {
    expect(rowWindow(3, viewport, 0)).toEqual({ first: 0, count: 3, offset: 0 });
    expect(rowWindow(0, viewport, 0)).toEqual({ first: 0, count: 0, offset: 0 });
    expect(rowWindow(100, viewport, 1e9).first).toBe(90);
  });

  test.each([1_000_000, 20_000_000])('keeps %i rows within a scroll height that browsers support', (rows) => {
    expect(scrollHeight(rows)).toBe(MAX_SCROLL_PX);
    expect(rowWindow(rows, viewport, 0).first).toBe(0);
    const last = rowWindow(rows, viewport, end(rows));
    expect(last.first + last.count).toBe(rows);
    expect(rowWindow(rows, viewport, end(rows) / 2).first).toBeCloseTo(rows / 2, -2);
  });
});

describe('scrollTopToShow', () => {
  test('keeps the position if the row is visible, moves a little for a near one, centres a distant one', () => {
    expect(scrollTopToShow(1000, viewport, 100, 6)).toBe(100);
    expect(scrollTopToShow(1000, viewport, 0, 10)).toBe(ROW_PX);
    expect(scrollTopToShow(1000, viewport, 220, 9)).toBe(9 * ROW_PX);
    expect(scrollTopToShow(1000, viewport, 0, 500)).toBe(500 * ROW_PX - 99);
    expect(scrollTopToShow(1000, viewport, 9000, 0)).toBe(0);
  });

  test.each([0, 1, 499_999, 999_998, 999_999])('shows row %i of a million completely', (row) => {
    const top = Math.min(scrollTopToShow(1_000_000, viewport, 0, row), end(1_000_000));
    const { first, count, offset } = rowWindow(1_000_000, viewport, top);
    const y = (row - first) * ROW_PX - offset;
    expect(row).toBeLessThan(first + count);
    expect(y).toBeGreaterThanOrEqual(-0.01);
    expect(y + ROW_PX).toBeLessThanOrEqual(viewport + 0.01);
  });
});

describe('rowAfterKey', () => {
  test('handles arrows, pages and ends, within the rows', () => {
    expect(rowAfterKey('ArrowDown', -1, 100, viewport)).toBe(0);
    expect(rowAfterKey('ArrowUp', -1, 100, viewport)).toBe(0);
    expect(rowAfterKey('ArrowDown', 99, 100, viewport)).toBe(99);
    expect(rowAfterKey('PageDown', 5, 100, viewport)).toBe(14);
    expect(rowAfterKey('PageUp', 5, 100, viewport)).toBe(0);
    expect(rowAfterKey('End', 5, 100, viewport)).toBe(99);
    expect(rowAfterKey('Home', 5, 100, viewport)).toBe(0);
    expect(rowAfterKey('x', 5, 100, viewport)).toBeNull();
    expect(rowAfterKey('End', -1, 0, viewport)).toBeNull();
  });
});

describe('steadyScrollTop', () => {
  test('keeps the topmost row, at any scale', () => {
    for (const [before, after] of [
      [1_000_000, 999_900],
      [2_000_000, 900_000],
      [900_000, 2_000_000],
      [500, 400],
    ] as const) {
      const { first } = rowWindow(before, 500, 8_000 / 4);
      const scrollTop = steadyScrollTop(before, after, 500, 8_000 / 4);
      expect(rowWindow(after, 500, scrollTop).first).toBe(first);
    }
  });
});

describe('clampWidth', () => {
  test('is at least the column’s minimum', () => {
    const column = {
      kind: 'number',
      id: 'n',
      header: 'N',
      width: 90,
      minWidth: 56,
      value: () => 0,
      format: String,
    } as const;
    expect(clampWidth(column, 3)).toBe(56);
    expect(clampWidth(column, 120.4)).toBe(120);
    expect(clampWidth(column, 1e9)).toBe(2000);
  });
});
