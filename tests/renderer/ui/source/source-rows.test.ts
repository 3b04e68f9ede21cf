import { describe, expect, test } from 'vitest';
import type { AnnotatedEvent } from '#core/contract/source.ts';
import { toLineRows } from '../../../../renderer/analysis/profile/session.ts';
import { lineFiles } from '../../../../renderer/features/source/lines-view.tsx';
import { instructionTable, jumpTarget, lineTable, tableText } from '../../../../renderer/ui/source/source-rows.ts';

const format = {
  value: (weight: number) => `${weight} ms`,
  share: (part: number, whole: number) => `${(part / whole) * 100} %`,
};

const lines = [
  { line: 0, self: 1, total: 1 },
  { line: 2, self: 4, total: 5 },
  { line: 9, self: 0, total: 10 },
];

describe('source lines', () => {
  test('without text: lists lines with weight, unknown ones first', () => {
    const { titles, rows, hottest } = lineTable(lines, null, 10, format);
    expect(titles).toEqual(['self', 'total', 'line']);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['10 %', '10 %', ''],
      ['40 %', '50 %', '2'],
      ['', '100 %', '9'],
    ]);
    expect(rows.map(({ heat }) => heat)).toEqual([0.1, 0.5, 1]);
    expect(hottest).toBe(2);
    expect(rows[1]!.title).toBe('Line 2: self 4 ms · 40 %, total 5 ms · 50 %');
  });

  test('with text: lists all its lines, and lines beyond it', () => {
    const { rows, hottest } = lineTable(lines, ['int a;', '\u001b[31m\u202eb', ''], 10, format);
    expect(rows.map(({ cells, text }) => [cells[2], text])).toEqual([
      ['', '(unknown line)'],
      ['1', 'int a;'],
      ['2', '␛[31m\ufffdb'],
      ['3', ''],
      ['9', '(the file has no such line)'],
    ]);
    expect(hottest).toBe(4);
  });

  test('has no hottest row without weight', () => {
    expect(lineTable([{ line: 1, self: 0, total: 0 }], null, 0, format).hottest).toBe(-1);
    expect(lineTable([], null, 0, format)).toMatchObject({ rows: [], hottest: -1 });
  });

  test('lists files by weight, named without the whole string table', () => {
    const rows = toLineRows(
      {
        length: 3,
        func: Int32Array.of(7, 8, 8),
        file: Int32Array.of(0, 2, 2),
        line: Int32Array.of(0, 1, 4),
        self: Float64Array.of(1, 2, 3),
        total: Float64Array.of(1, 2, 3),
      },
      ['', 'x', '/src/a.c'],
    );
    expect(rows.files).toEqual(['', '/src/a.c']);
    expect(lineFiles(rows).map(({ name, func, hasLines, lines: own }) => [name, func, hasLines, own.length])).toEqual([
      ['/src/a.c', 8, true, 2],
      ['', 7, false, 1],
    ]);
  });
});

describe('instructions', () => {
  const event: AnnotatedEvent = {
    event: 'cpu-clock',
    module: '/srv/hot',
    samples: 4,
    total: 4,
    omitted: { rows: 0, period: 0 },
    rows: [
      { kind: 'place', text: 'mix():' },
      { kind: 'source', text: 'i++' },
      { kind: 'instruction', address: '10', text: 'add $1,%eax', period: 1, place: '/src/a.c:7' },
      { kind: 'instruction', address: '14', text: 'jne 10 <mix+0x0>', period: 3, place: null },
      { kind: 'instruction', address: '18', text: 'jmp 99 <other>', period: 0, place: null },
    ],
  };

  test('show shares of the function, the hottest row, and the location in the title', () => {
    const { rows, hottest } = instructionTable(event, format);
    expect(rows.map(({ cells, look }) => [...cells, look])).toEqual([
      ['', '', 'place'],
      ['', '', 'dim'],
      ['25 %', '10', 'code'],
      ['75 %', '14', 'code'],
      ['', '18', 'code'],
    ]);
    expect(hottest).toBe(3);
    expect(rows[2]!.title).toBe('1 ms · 25 % · /src/a.c:7');
  });

  test('find the target of a jump if it is in the table', () => {
    const table = instructionTable(event, format);
    expect([0, 2, 3, 4, 99, -1].map((row) => jumpTarget(table, row))).toEqual([-1, -1, 2, -1, -1, -1]);
  });

  test('are copied as text', () => {
    expect(tableText(instructionTable({ ...event, rows: event.rows.slice(1, 3) }, format))).toBe(
      'self\taddress\ttext\n\t\ti++\n25 %\t10\tadd $1,%eax',
    );
  });
});
