import { expect, test } from 'vitest';
import { createRedactor } from '#core/redact/identities.ts';
import { tableDocument, tableMarkdown } from '../../../../renderer/features/reports/table-document.ts';
import type { Pin } from '../../../../renderer/ui/pin.ts';
import type { Column, ShownTable } from '../../../../renderer/ui/table/table.types.ts';

const names = ['main', '/home/carola/`a`|b', '<img src=x>'];

const column = { width: 100, minWidth: 50 };
const pin: Pin = { id: 'x', number: 2, title: '# carola’s <b>', colour: 'none', isFaint: false, node: null, func: 0 };
const columns: readonly Column[] = [
  {
    ...column,
    kind: 'text',
    id: 'function',
    header: 'Function',
    mono: true,
    align: 'left',
    filtered: true,
    text: (row) => names[row % names.length]!,
    pins: (row) => (row === 0 ? [pin] : []),
  },
  { ...column, kind: 'number', id: 'self', header: 'Self', value: (row) => row / 2, format: (value) => `${value} ms` },
];

const shown = (rows: Int32Array): ShownTable => ({ label: 'Functions', columns, rows });
const redact = createRedactor([{ kind: 'user', from: 'carola', token: 'user-1' }]).apply;

test('writes rows as they are on screen, in their order, with their notes and what they describe', () => {
  const found = tableDocument('a_b', shown(Int32Array.of(1, 0, 2)), ['threads: carola'], redact);
  expect(tableMarkdown(found)).toBe(
    [
      String.raw`**a\_b**: Functions`,
      '',
      '| Function | Self |',
      '| --- | ---: |',
      '| `` /home/user-1/`a`\\|b `` | 0.5 ms |',
      '| `main` (2) | 0 ms |',
      '| `<img src=x>` | 1 ms |',
      '',
      String.raw`- (2) \# user-1’s \<b\>`,
      '',
      '- threads: user-1',
      '',
    ].join('\n'),
  );
});

test('says how many rows are left out', () => {
  const found = tableDocument('a', shown(Int32Array.from({ length: 1234 }, (_, row) => row)), [], redact);
  expect(found.rows).toHaveLength(100);
  expect(found.lines).toEqual(['Functions, first 100 of 1,234 rows']);
});

test('keeps the indentation of a tree outside of the code', () => {
  const tree: Column = {
    ...column,
    kind: 'tree',
    id: 'function',
    header: 'Call tree',
    text: () => '\u00a0\u00a0leaf',
    isMatch: () => false,
  };
  const found = tableDocument('a', { label: 'Call tree', columns: [tree], rows: Int32Array.of(0) }, [], redact);
  expect(tableMarkdown(found)).toContain('| \u00a0\u00a0`leaf` |');
});
