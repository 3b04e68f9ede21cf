import { describe, expect, it } from 'vitest';
import { WITHHELD, type Judgement } from '#core/compare/statistics/judge.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { SHOWN_ROWS } from '../../../../../renderer/state/compare/compare.types.ts';
import {
  deltaColumns,
  NARROW_DELTA_COLUMNS,
  OWN_DELTA_COLUMNS,
} from '../../../../../renderer/ui/table/delta-columns.ts';
import { shownDeltaExport, wholeDeltaExport } from '../../../../../renderer/features/compare/table/export.ts';
import { kindCounts, shownFlags } from '../../../../../renderer/features/compare/table/rows.ts';
import { judgedRows, judgementAt } from '#core/compare/judged-rows.ts';
import { readRequestCount } from '../../../../../renderer/features/compare/sides/captures-panel.tsx';
import { NumberOrder } from '../../../../../renderer/ui/table/grid/number-order.ts';
import { sortedRows } from '../../../../../renderer/ui/table/grid/row-order.ts';
import { csvText } from '../../../../../renderer/ui/table/export.ts';
import type { NumberColumn } from '../../../../../renderer/ui/table/table.types.ts';

const judged = (before: number, after: number, verdict: Judgement['verdict'], reach: number | null = 5): Judgement => ({
  before,
  after,
  delta: after - before,
  relative: before === 0 ? null : (after - before) / before,
  interval: reach === null ? null : [after - before - reach, after - before + reach],
  level: reach === null ? null : 0.95,
  p: reach === null ? null : 0.5,
  q: null,
  method: reach === null ? 'none' : 'welch',
  verdict,
  presence: before === 0 ? 'only-after' : after === 0 ? 'only-before' : 'both',
});

const NAMES = ['small', 'new', 'gone', 'grew', 'shrank', 'bytes'];
const total = judgedRows([
  judged(10, 11, 'noise'),
  judged(0, 40, 'grew'),
  judged(30, 0, 'shrank'),
  judged(100, 150, 'grew'),
  judged(200, 80, 'shrank'),
  judged(5, 7, 'unknown', null),
]);
const self = judgedRows(NAMES.map(() => judged(1, 1, 'noise')));
const rows = { self, total };
const of = {
  rows,
  measure: 'total' as const,
  texts: {
    name: (func: number) => NAMES[func]!,
    module: () => '/usr/lib/app',
    moduleId: () => 0,
    source: () => '',
    kind: () => '',
  },
  values: createValueText('en', { kind: 'raw', unit: 'count' }, 200),
  reason: null,
  matches: null,
  ranks: new Map<string, Int32Array>(),
  growthFirst: false,
  narrow: false,
};
const column = (id: string): NumberColumn => deltaColumns(of).find((one) => one.id === id) as NumberColumn;
const inOrder = (id: string): string[] =>
  [...sortedRows(NAMES.length, column(id), 'descending', new NumberOrder())].map((row) => NAMES[row]!);
const texts = (id: string): string[] => NAMES.map((_, row) => column(id).format(column(id).value(row), row));

describe('columns of the delta table', () => {
  it('sort differences by size, new before any multiple', () => {
    expect(inOrder('delta')).toEqual(['shrank', 'grew', 'new', 'gone', 'bytes', 'small']);
    expect(inOrder('relative')).toEqual(['new', 'gone', 'shrank', 'grew', 'bytes', 'small']);
    expect(inOrder('interval').at(-1)).toBe('bytes');
  });

  it('show missing and unknown values', () => {
    expect(texts('before')).toEqual(['10', '–', '30', '100', '200', '5']);
    expect(texts('delta')).toEqual(['+1', '+40', '-30', '+50', '-120', '+2']);
    expect(texts('relative')).toEqual(['+10.0 %', 'new', 'gone', '+50.0 %', '-60.0 %', '+40.0 %']);
    expect(texts('interval')).toEqual(['±5', '±5', '±5', '±5', '±5', '–']);
    expect(texts('verdict')).toEqual(['no clear change', '▲ grew', '▼ shrank', '▲ grew', '▼ shrank', 'unknown']);
    expect(texts('q')).toEqual(Array.from(NAMES, () => '–'));
  });

  it('show half of the interval of a share in percentage points', () => {
    const shares = judgedRows([judged(0.4, 0.5, 'noise', 0.0313)]);
    const values = createValueText('en', { kind: 'share', unit: 'share' }, 0.5);
    const ofShares = deltaColumns({ ...of, values, rows: { self: shares, total: shares } });
    const interval = ofShares.find(({ id }) => id === 'interval') as NumberColumn;
    expect(interval.format(interval.value(0), 0)).toBe('±3.13 pp');
  });

  it('show why a verdict is withheld, and make room for it', () => {
    const judgements = WITHHELD.map((withheld): Judgement => ({ ...judged(40, 60, 'unknown'), withheld }));
    const withheld = judgedRows(judgements);
    expect(WITHHELD.map((_, row) => judgementAt(withheld, row))).toEqual(judgements);
    const ofThese = { ...of, rows: { self: withheld, total: withheld } };
    const verdict = deltaColumns(ofThese).find(({ id }) => id === 'verdict') as NumberColumn;
    expect(WITHHELD.map((_, row) => verdict.format(verdict.value(row), row))).toEqual([
      'unknown (no symbol)',
      'unknown (truncated stacks)',
      'unknown (missing samples)',
      'unknown (as measured only)',
      'unknown (relative only)',
    ]);
    expect(verdict.width).toBeGreaterThan(column('verdict').width);
    const [header, ...lines] = csvText([], shownDeltaExport(ofThese, 'count', ['verdict']), [0, 1])
      .trimEnd()
      .split('\r\n');
    expect([header, ...lines]).toEqual([
      'total verdict,total withheld',
      'unknown,no symbol',
      'unknown,truncated stacks',
    ]);
  });

  it('have a colour only with a verdict', () => {
    const { tone } = column('delta');
    expect(NAMES.map((_, row) => tone!(row))).toEqual(['dim', 'grew', 'shrank', 'grew', 'shrank', 'dim']);
  });

  it('include those shown by default', () => {
    const ids = deltaColumns(of).map(({ id }) => id);
    expect([...OWN_DELTA_COLUMNS, ...NARROW_DELTA_COLUMNS].filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('rows of the delta table', () => {
  it('are kept by verdict and presence', () => {
    expect([...kindCounts(rows, 'total')]).toEqual(
      SHOWN_ROWS.map((show, place) => [show, [6, 4, 2, 2, 0, 1, 1][place]]),
    );
    expect(kindCounts(rows, 'self').get('changed')).toBe(0);
    expect([...shownFlags(rows, 'total', 'grew', null)!]).toEqual([0, 1, 0, 1, 0, 0]);
    expect([...shownFlags(rows, 'total', 'grew', Uint8Array.of(1, 1, 1, 0, 0, 0))!]).toEqual([0, 1, 0, 0, 0, 0]);
    expect(shownFlags(rows, 'total', 'all', null)).toBeNull();
  });

  it('are exported with both measures, with unknown numbers left empty', () => {
    const columns = wholeDeltaExport(of, 'count');
    const [header, ...lines] = csvText([], columns, [1, 5]).trimEnd().split('\r\n');
    expect(header!.split(',').slice(0, 7)).toEqual([
      'Function',
      'Module',
      'File:line',
      'Presence',
      'self before (count)',
      'self after (count)',
      'self delta (count)',
    ]);
    const at = (line: string, name: string): string => line.split(',')[header!.split(',').indexOf(name)]!;
    expect(lines.map((line) => at(line, 'total delta %'))).toEqual(['', '40']);
    expect(lines.map((line) => at(line, 'total low (count)'))).toEqual(['35', '']);
    expect(lines.map((line) => at(line, 'total verdict'))).toEqual(['grew', 'unknown']);
    const copied = shownDeltaExport(of, 'count', ['function', 'delta', 'interval', 'other-verdict', 'no-such-column']);
    expect(copied.map(({ header }) => header)).toEqual([
      'Function',
      'total delta (count)',
      'total low (count)',
      'total high (count)',
      'total level %',
      'self verdict',
      'self withheld',
    ]);
  });
});

describe('request counts', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['1234', 1234],
    ['1,234,567', 1_234_567],
    ['1 234', 1234],
    ['1.234', 1234],
    ['0', 'wrong'],
    ['-5', 'wrong'],
    ['1e6', 'wrong'],
    ['12,34', 'wrong'],
    ['99999999999999999999', 'wrong'],
    ['12 requests', 'wrong'],
  ])('%j is %j', (text, requests) => {
    expect(readRequestCount(text)).toBe(requests);
  });
});
