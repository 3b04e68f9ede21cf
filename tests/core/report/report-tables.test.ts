import { expect, test } from 'vitest';
import { inlineText, parseMarkdown } from '#core/notes/markdown.ts';
import { cell, codeCell, plain, table } from '#core/report/markdown-text.ts';
import { htmlText } from '#core/report/markup.ts';
import { reportPage } from '#core/report/page.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { reportOf } from '../../support/report-of.ts';

test('half of the interval of a share is in percentage points', async () => {
  const rules = { off: [], user: [], ignoreModules: false };
  const side = (capture: string) => ({ label: '', captures: [{ capture, requests: null }] });
  const { prepared } = await reportOf([profileFromText('main;a 300\nb 100'), profileFromText('main;a 100\nb 300')], {
    comparison: { before: side('c1'), after: side('c2'), normalisation: 'share', rules },
    sections: [{ kind: 'deltas', rows: 10, measure: 'self' }],
  });
  const page = htmlText(reportPage(prepared));
  expect(page).toMatch(/±\d+\.\d+ pp</);
  expect(page).not.toMatch(/±[\d.]+ %</);
});

test.each([
  'c|d',
  String.raw`a\|b`,
  String.raw`a\\|b`,
  String.raw`a\\\|b|c`,
  '`x`|y',
  String.raw`\|`,
  String.raw`a\b`,
  '|',
])('the cells of %j are one column each, and read as it', (name) => {
  const blocks = parseMarkdown(table('A | B | C', '--- | --- | ---', [`${cell(plain(name))} | ${codeCell(name)} | x`]));
  const texts = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : [])).map((row) => row.map(inlineText));
  expect(texts).toEqual([
    ['A', 'B', 'C'],
    [name, name, 'x'],
  ]);
});
