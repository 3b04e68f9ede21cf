import { expect, test } from 'vitest';
import { inlineText, parseMarkdown } from '#core/notes/markdown.ts';
import { cell, codeCell, plain, table } from '#core/export/markdown-text.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import { htmlText } from '#core/export/markup.ts';
import { reportPage } from '#core/report/page.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { reportOf } from '../../support/report-of.ts';

/** Returns the page of a comparison by share in which `a` and its caller shrink and `b` grows. */
const pageOf = (...sections: readonly ReportSection[]): Promise<string> => pageWith('', ...sections);

/** Like {@link pageOf}, with stacks that both sides have. */
async function pageWith(both: string, ...sections: readonly ReportSection[]): Promise<string> {
  const side = (capture: string) => ({ label: '', captures: [{ capture, requests: null }] });
  const rules = { off: [], user: [], ignoreModules: false };
  const comparison = { before: side('c1'), after: side('c2'), normalisation: 'share' as const, rules };
  const profiles = [profileFromText(`main;a 300\nb 100${both}`), profileFromText(`main;a 100\nb 300${both}`)];
  return htmlText(reportPage((await reportOf(profiles, { comparison, sections })).prepared));
}

test('half of the interval of a share is in percentage points', async () => {
  const page = await pageOf({ kind: 'deltas', rows: 10, measure: 'self' });
  expect(page).toMatch(/±\d+\.\d+ pp</);
  expect(page).not.toMatch(/±[\d.]+ %</);
});

test('counts of one are singular', async () => {
  const page = await pageOf({ kind: 'movers', rows: 1 }, { kind: 'deltas', rows: 2, measure: 'self' });
  expect(page).toContain('1 caller of these changed with them');
  expect(page).toContain('1 more function also changed.');
  expect(page).toContain('1 function is not listed.');
});

test.each([
  // `main` has no self weight to test; `rare` and `seldom` have one sample a side.
  [{ kind: 'deltas', rows: 10, measure: 'self' }, 3],
  [{ kind: 'before-after', rows: 10 }, 2],
] as const)('functions without a verdict are on screen, and counted in print: %j', async (section, count) => {
  const page = await pageWith('\nrare 1\nseldom 1', section);
  expect(page.match(/<tr class="screen-only">/g)).toHaveLength(count);
  expect(page).toContain(`<p class="hint print-only">${count} functions without a verdict are left out in print.</p>`);
});

test('a table whose functions all have a verdict is printed as it is', async () => {
  expect(await pageOf({ kind: 'before-after', rows: 10 })).not.toMatch(/screen-only|print-only/);
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
