import { expectAccessible } from '../axe.ts';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from './harness.ts';

/**
 * Three captures per side: parse shrank, alloc is new, old is gone, read is noise; many others keep the test from being
 * significant by chance.
 */
const BEFORE = [
  'main;parse 1000\nmain;parse;read 300\nmain;old 200\nidle 400',
  'main;parse 1010\nmain;parse;read 310\nmain;old 205\nidle 405',
  'main;parse 990\nmain;parse;read 290\nmain;old 195\nidle 395',
].join('|');
const AFTER = [
  'main;parse 500\nmain;parse;read 305\nmain;alloc 150\nidle 402',
  'main;parse 510\nmain;parse;read 295\nmain;alloc 155\nidle 398',
  'main;parse 490\nmain;parse;read 300\nmain;alloc 145\nidle 400',
].join('|');

const grid = (page: Page): Locator => page.getByRole('grid', { name: /^Functions before and after/ });
const names = (page: Page): Promise<string[]> => grid(page).locator('tbody td:first-child').allTextContents();
const row = (page: Page, name: string): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const cell = async (page: Page, name: string, header: string | RegExp): Promise<string> => {
  const headers = await grid(page).locator('th').allTextContents();
  const place = headers.findIndex((text) => {
    const name = text.replace(/[▾▴]$/, '');
    return typeof header === 'string' ? name === header : header.test(name);
  });
  return (await row(page, name).locator('td').nth(place).textContent()) ?? '';
};

test('shows before, after, difference, interval and verdict, sorted by size in either direction', async ({
  harness,
}) => {
  const page = await harness.open(null, { before: BEFORE, after: AFTER });
  expect(await names(page)).toEqual(['main', 'parse', 'old', 'alloc', 'read', 'idle']);
  expect(await cell(page, 'parse', 'Before')).toBe('1,300');
  expect(await cell(page, 'parse', 'After')).toBe('800');
  expect(await cell(page, 'parse', 'Δ total')).toBe('-500');
  expect(await cell(page, 'parse', 'Δ %')).toBe('-38.5 %');
  expect(await cell(page, 'parse', '±')).toMatch(/^±\d/);
  expect(await cell(page, 'parse', 'Verdict')).toBe('▼ shrank');
  expect(await cell(page, 'alloc', 'Before')).toBe('–');
  expect(await cell(page, 'alloc', 'Δ %')).toBe('new');
  expect(await cell(page, 'alloc', 'Verdict')).toBe('▲ grew');
  expect(await cell(page, 'old', 'After')).toBe('–');
  expect(await cell(page, 'old', 'Δ %')).toBe('gone');
  expect(await cell(page, 'read', 'Verdict')).toBe('no clear change');
  await expect(row(page, 'parse').locator('.tone-shrank').first()).toBeVisible();
  await expect(row(page, 'read').locator('.tone-grew, .tone-shrank')).toHaveCount(0);
});

test('switches between self and total; selects columns', async ({ harness }) => {
  const page = await harness.open(null, { before: BEFORE, after: AFTER });
  await page.getByRole('radio', { name: 'Self' }).check({ force: true });
  await expect(grid(page).getByRole('columnheader', { name: 'Δ self' })).toBeVisible();
  expect(await cell(page, 'parse', 'Before')).toBe('1,000');
  expect(await cell(page, 'parse', 'Δ total')).toBe('-500');
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns of the table' });
  await columns.getByRole('checkbox', { name: 'Seen' }).check();
  await columns.getByRole('checkbox', { name: 'q', exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(grid(page).getByRole('columnheader', { name: 'Seen' })).toBeVisible();
  expect(await cell(page, 'old', 'Seen')).toBe('only before');
  expect(await cell(page, 'parse', 'q')).toMatch(/^<?0\.0/);
});

test('filters by verdict, presence, name and module, with counts', async ({ harness }) => {
  const page = await harness.open(null, { before: BEFORE, after: AFTER });
  const show = page.getByRole('combobox', { name: 'show' });
  const count = page.locator('.table-count');
  await expect(show.getByRole('option')).toHaveText([
    'all (6)',
    /^grew or shrank \(\d\)$/,
    'grew (1)',
    /^shrank \(\d\)$/,
    'maybe (0)',
    'new (1)',
    'gone (1)',
  ]);
  await show.selectOption('new');
  await expect.poll(() => names(page)).toEqual(['alloc']);
  await expect(count).toHaveText('1 of 6 functions');
  await expect(page.locator('.table-footer')).toContainText('hidden by the filter');
  await show.selectOption('removed');
  await expect.poll(() => names(page)).toEqual(['old']);
  await show.selectOption('all');
  await page.getByRole('textbox', { name: 'Filter functions' }).fill('^(read|idle)$');
  await expect.poll(() => names(page)).toEqual(['read', 'idle']);
  await show.selectOption('changed');
  await expect(page.getByText(/^No functions match the filter\. No clear change/)).toBeVisible();
});

test('shows at most maybe with one capture per side, and explains an empty list', async ({ harness }) => {
  const one = { before: BEFORE.split('|')[0]!, after: AFTER.split('|')[0]! };
  const page = await harness.open(null, one);
  expect(await cell(page, 'parse', 'Verdict')).toBe('▼ maybe (1 run a side)');
  await expect(grid(page).locator('.tone-grew, .tone-shrank')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'show' }).selectOption('changed');
  await expect(page.getByText(/need at least 3 captures per side/)).toBeVisible();
});

test('sums selected rows, counting stacks with two of them once', async ({ harness }) => {
  const page = await harness.open(null, { before: BEFORE, after: AFTER });
  const footer = page.locator('.table-footer');
  await expect(footer).toHaveText('sum of Δ self -550of -550');
  await row(page, 'parse').locator('td').first().click();
  await row(page, 'read')
    .locator('td')
    .first()
    .click({ modifiers: ['Control'] });
  await expect(footer).toHaveText('2 functions selectedself 1,300 → 800 (-500)total 1,300 → 800 (-500)');
  await page.keyboard.press('Control+c');
  await expect(page.locator('html')).toHaveAttribute('data-copied', /^Function\ttotal before/);
  await expect(page.locator('html')).toHaveAttribute('data-hovered', /^\d+$/);
  await page.mouse.move(5, 5);
  await expect(page.locator('html')).toHaveAttribute('data-hovered', 'null');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-zoomed', /^\d+$/);
});

test('exports both measures, with sides, formula and method', async ({ harness }) => {
  const page = await harness.open(null, { before: BEFORE, after: AFTER });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-exported', /^# comparison: harness/);
  const lines = ((await page.locator('html').getAttribute('data-exported')) ?? '').split('\r\n');
  expect(lines.slice(0, 5)).toEqual([
    '# comparison: harness; delta = after − before',
    '# before: before 1, before 2, before 3; total 1900 count',
    '# after: after 1, after 2, after 3; total 1350 count',
    '# value type: samples (count)',
    expect.stringMatching(/^# normalised: raw; value = weight; /),
  ]);
  expect(lines.find((line) => line.startsWith('# method:'))).toContain("Welch's t");
  expect(lines).toContain('# rows: 6 of 6 functions');
  const header = lines.find((line) => line.startsWith('Function,'))!.split(',');
  expect(header).toContain('self delta (count)');
  const alloc = lines.find((line) => line.startsWith('alloc,'))!.split(',');
  expect(alloc[header.indexOf('Presence')]).toBe('only-after');
  expect(alloc[header.indexOf('total delta %')]).toBe('');
  expect(alloc[header.indexOf('total verdict')]).toBe('grew');
});

test('scrolls 100,000 functions to the last one and sorts them', async ({ harness }) => {
  const page = await harness.open(null, { deltas: '100000' });
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '100001');
  await grid(page).getByRole('button', { name: 'Function', exact: true }).click();
  await expect(row(page, 'function_0')).toBeInViewport();
  await grid(page).focus();
  await page.keyboard.press('End');
  await expect(row(page, 'function_99999')).toHaveAttribute('aria-rowindex', '100001');
  await expect(row(page, 'function_99999')).toBeInViewport({ ratio: 1 });
  expect(await grid(page).locator('tbody tr').count()).toBeLessThan(60);
});

for (const theme of ['dark', 'light']) {
  test(`axe finds nothing in the ${theme} theme`, async ({ harness }) => {
    const page = await harness.open(null, { before: BEFORE, after: AFTER, theme });
    await row(page, 'parse').locator('td').first().click();
    await expect(grid(page).locator('tr[aria-selected=true]')).toHaveCount(1);
    await expectAccessible(page, { within: 'main', minor: true, coloursOnly: theme === 'dark' });
  });
}
