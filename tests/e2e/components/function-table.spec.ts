import { expectAccessible } from '../axe.ts';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from './harness.ts';

const SMALL = 'main;parse;read 300\nmain;parse 100\nmain;write;read 200\nmain;write 50\nidle 350';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Functions by self and total weight' });
const names = (page: Page): Promise<string[]> => grid(page).locator('tbody td:first-child').allTextContents();

test('sorts by header, by mouse and by keyboard', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await expect.poll(() => names(page)).toEqual(['read', 'idle', 'parse', 'write', 'main']);
  await expect(grid(page).getByRole('columnheader', { name: 'Self', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await grid(page).getByRole('button', { name: 'Function' }).click();
  await expect.poll(() => names(page)).toEqual(['idle', 'main', 'parse', 'read', 'write']);
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(['write', 'read', 'parse', 'main', 'idle']);
  await expect(grid(page).getByRole('columnheader', { name: 'Function' })).toHaveAttribute('aria-sort', 'descending');
});

test('selection and graph follow each other', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await grid(page).getByText('read', { exact: true }).click();
  await expect(page.locator('.flame-overlay .same')).toHaveAttribute('d', /^(M[^M]+){2}$/);
  await page.keyboard.press('ArrowDown');
  await expect(grid(page).locator('tr[aria-selected=true] td').first()).toHaveText('idle');
  const active = await grid(page).getAttribute('aria-activedescendant');
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveAttribute('id', active ?? '');
  await page.getByRole('tree').locator('.frame', { hasText: 'write' }).locator('rect').click();
  await expect(grid(page).locator('tr[aria-selected=true] td').first()).toHaveText('write');
});

test('the filter shows counts, Escape clears it, arrow down focuses the rows', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const filter = page.getByRole('textbox', { name: 'Filter functions' });
  const count = page.locator('.table-count');
  await filter.fill('^re|^w');
  await expect.poll(() => names(page)).toEqual(['read', 'write']);
  await expect(count).toHaveText('2 of 5 functions · 3 hidden with self 45.0 %');
  await expect(page.locator('.table-footer')).toHaveText('sum of self 550hidden by the filter 450of 1,000');
  await filter.fill('RE');
  await expect(page.getByText('No functions match the filter.')).toBeVisible();
  await filter.press('Escape');
  await expect(count).toHaveText('5 functions');
  await filter.press('ArrowDown');
  await expect(grid(page)).toBeFocused();
});

/** Resolves when the rows have not moved for ten frames. */
const rowsRest = (scroller: Locator): Promise<void> =>
  scroller.evaluate(async (element) => {
    for (let still = 0; still < 10;) {
      const before = element.scrollTop;
      await new Promise(requestAnimationFrame);
      still = element.scrollTop === before ? still + 1 : 0;
    }
  });

test('accepts a click that begins while rows scroll and ends when they rest', async ({ harness }) => {
  const page = await harness.open(Array.from({ length: 200 }, (_, at) => `main;f${at} ${1000 - at}`).join('\n'));
  const scroller = page.locator('.table-scroller');
  await scroller.hover({ position: { x: 40, y: 150 } });
  const { x, y } = (await scroller.boundingBox())!;
  await page.mouse.wheel(0, 90);
  // The whole way: a row that moves on below the pointer is released on another one.
  await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop), { intervals: [20] }).toBe(90);
  await page.mouse.down();
  const pressed = await page.evaluate(
    (at) => document.elementFromPoint(at.x, at.y)!.closest('tr')!.cells[0]!.textContent,
    { x: x + 40, y: y + 150 },
  );
  await rowsRest(scroller);
  await page.mouse.up();
  await expect(grid(page).locator('tr[aria-selected=true] td').first()).toHaveText(pressed);
  await expect
    .poll(() => names(page))
    .toEqual((await names(page)).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
});

test('sums several rows, counting each stack once', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const footer = page.locator('.table-footer');
  const row = (name: string) => grid(page).getByText(name, { exact: true });
  await row('read').click();
  await row('parse').click({ modifiers: ['Control'] });
  await expect(footer).toHaveText('2 functions selectedself 600 · 60.0 %total 600 · 60.0 %');
  await grid(page).focus();
  await page.keyboard.press('Control+a');
  await expect(footer).toHaveText('5 functions selectedself 1,000 · 100.0 %total 1,000 · 100.0 %');
  await page.keyboard.press('Control+c');
  const copied = await page.locator('html').getAttribute('data-copied');
  expect(copied?.split('\n').slice(0, 3)).toEqual([
    'Function\tSelf (count)\tSelf %\tTotal (count)\tTotal %\tModule',
    'read\t500\t50\t500\t50\t',
    'idle\t350\t35\t350\t35\t',
  ]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(footer).toHaveText('3 functions selectedself 950 · 95.0 %total 950 · 95.0 %');
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveCount(3);
});

test('states the net and the absolute total of negative weights', async ({ harness }) => {
  const page = await harness.open('main;a 30\nmain;b -12');
  await expect(page.locator('.table-footer')).toHaveText('sum of self 18of 18 net, 42 absolute');
});

test('resizes columns by pointer and by keyboard', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const header = grid(page).getByRole('columnheader', { name: 'Self', exact: true });
  const width = async () => Math.round((await header.boundingBox())!.width);
  const before = await width();
  const handle = (await header.locator('.resize-handle').boundingBox())!;
  await page.mouse.move(handle.x + 4, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(handle.x - 46, handle.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(before + 50);
  await header.getByRole('button').press('Alt+ArrowRight');
  await expect.poll(width).toBe(before + 38);
  // Fits what the column contains, which is narrower than at first.
  await header.locator('.resize-handle').dblclick();
  await expect.poll(width).toBeLessThan(before + 38);
  const texts = grid(page).getByRole('row').locator('td:nth-child(2), th:nth-child(2) button');
  const cut = await texts.evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
  expect(cut).toBe(0);
});

test('scrolls a million rows to the last one', async ({ harness }) => {
  const page = await harness.open(null, { rows: '1000000' });
  const row = (name: string) =>
    grid(page)
      .getByRole('row')
      .filter({ has: page.getByText(name, { exact: true }) });
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1000001');
  await grid(page).getByRole('button', { name: 'Function' }).click();
  await grid(page).focus();
  await page.keyboard.press('End');
  await expect(row('function_999999')).toHaveAttribute('aria-rowindex', '1000001');
  await expect(row('function_999999')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('PageUp');
  await expect(grid(page).locator('tr[aria-selected=true]')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Home');
  await expect(row('function_0')).toBeInViewport({ ratio: 1 });
  await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(grid(page).locator('tbody tr').last()).toHaveAttribute('aria-rowindex', '1000001');
  expect(await grid(page).locator('tbody tr').count()).toBeLessThan(60);
});

test('moves the table when the browser is asked to show a row', async ({ harness }) => {
  const page = await harness.open(null, { rows: '1000000' });
  const rows = grid(page).locator('tbody tr');
  const scrolled = () => page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTop);
  await rows.last().evaluate((row) => row.scrollIntoView({ block: 'start' }));
  await expect.poll(scrolled).toBeGreaterThan(100);
  const drawn = await rows.evaluateAll((all) =>
    all.map((row) => Number(row.getAttribute('aria-rowindex'))).sort((one, two) => one - two),
  );
  await expect(grid(page).locator(`tbody tr[aria-rowindex="${drawn[1]}"]`)).toBeInViewport({ ratio: 1 });
  await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
  await expect(grid(page).locator('tbody tr[aria-rowindex="2"]')).toBeInViewport({ ratio: 1 });
});

test('leaves rows where the browser itself scrolled them', async ({ harness }) => {
  const page = await harness.open(Array.from({ length: 200 }, (_, at) => `main;f${at} ${1000 - at}`).join('\n'));
  const tops = await grid(page)
    .locator('tbody tr')
    .last()
    .evaluate(async (row) => {
      row.scrollIntoView({ block: 'nearest' });
      const seen = [row.getBoundingClientRect().top];
      for (let frame = 0; frame < 10; frame++) {
        await new Promise(requestAnimationFrame);
        seen.push(row.getBoundingClientRect().top);
      }
      return seen;
    });
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(1);
  await expect.poll(() => page.locator('.table-scroller').evaluate((element) => element.scrollTop)).toBeGreaterThan(5);
});

test('opens and scrolls a million nodes, with names next to the guides', async ({ harness }) => {
  const page = await harness.open(null, { nodes: '1000000' });
  const tree = page.getByRole('treegrid');
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('*');
  await expect(tree).toHaveAttribute('aria-rowcount', '1010102');
  await page.keyboard.press('End');
  const selected = tree.locator('tr[aria-selected=true]');
  await expect(selected).toHaveAttribute('aria-rowindex', '1010102');
  await expect(selected).toBeInViewport({ ratio: 1 });
  await expect(selected).toHaveAttribute('aria-level', '4');
  await expect(selected).toHaveAttribute('aria-posinset', '100');
  await expect(selected).toHaveAttribute('aria-setsize', '100');
  await page.keyboard.press('ArrowLeft');
  await expect(selected).toHaveAttribute('aria-level', '3');
  await page.keyboard.press('ArrowLeft');
  await expect(tree).toHaveAttribute('aria-rowcount', '1010002');
  await expect(selected).toHaveAttribute('aria-expanded', 'false');
});

for (const theme of ['dark', 'light']) {
  test(`axe finds nothing in the ${theme} theme`, async ({ harness }) => {
    const page = await harness.open(SMALL, { theme, search: 'read' });
    await page.getByRole('tree').locator('.frame', { hasText: 'main' }).locator('rect').click();
    await expectAccessible(page, { within: 'main', minor: true, coloursOnly: theme === 'dark' });
  });
}

test('a long name keeps its identifier in graph and table; hovering has all of it', async ({ harness }) => {
  const name = 'svc::Module<Json, 36>::parse(std::vector<int, std::allocator<int> > const&, std::string const&)';
  const page = await harness.open(`main;${name} 40\nmain;rest 60`);
  const cell = grid(page).locator('td', { hasText: 'parse' });
  await expect(cell).toHaveText('svc::Module<…>::parse(std::vector<…> const&, std::string const&)');
  await expect(cell).toHaveAttribute('title', name);
  await page.setViewportSize({ width: 640, height: 760 });
  await expect(page.getByRole('tree').getByText(/^(?:…::)?parse\(…\)$|^svc::Module<…>::parse\(…\)$/)).toBeAttached();
});
