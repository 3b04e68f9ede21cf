import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe.ts';
import type { Locator, Page } from 'playwright/test';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

const page = (on: Page, name: string): Promise<void> => on.getByRole('tab', { name, exact: true }).click();
const treeOf = (on: Page): Locator => on.getByRole('treegrid');
const selected = (on: Page): Locator => on.locator('.data-table tr[aria-selected=true]');
const footer = (on: Page): Locator => on.locator('.table-footer');
const names = (tree: Locator): Promise<string[]> => tree.locator('.tree-name').allTextContents();

/** Opens a capture of a whole system. */
const openSystem = (workbench: Workbench, name: string): Promise<void> =>
  workbench.openText(name, readCorpus('perf-script/system-wide.linux-perf.txt'));

if (hasCorpus()) {
  test('call tree of a capture: keys, the hot path, sums', async ({ workbench, page: on }) => {
    await test.step('moves in the call tree by keyboard, together with the graph', async () => {
      await openSystem(workbench, 'keys.perf.txt');
      await page(on, 'Call tree');
      const tree = treeOf(on);
      await expect(tree).toHaveAttribute('aria-label', 'Call tree, top-down');
      await tree.focus();
      await on.keyboard.press('Home');
      await expect(selected(on)).toHaveAttribute('aria-level', '1');
      await expect(selected(on)).toHaveAttribute('aria-expanded', 'true');
      await on.keyboard.press('ArrowRight');
      await expect(selected(on)).toHaveAttribute('aria-level', '2');
      await expect(selected(on)).toHaveAttribute('aria-posinset', '1');
      await on.keyboard.type('[u');
      await expect(selected(on).locator('.tree-name')).toHaveText('[unknown]');
      await on.keyboard.press('*');
      await expect(selected(on)).toHaveAttribute('aria-expanded', 'true');
      for (const name of ['__libc_start_main', 'main']) {
        await on.keyboard.press('ArrowRight');
        await expect(selected(on).locator('.tree-name')).toHaveText(name);
      }
      await expect(workbench.details.getByRole('heading', { name: 'main' })).toBeVisible();
      await on.keyboard.press('Enter');
      await expect(workbench.zoomedInto).toHaveText('main');
      await on.keyboard.press('ArrowLeft');
      await expect(selected(on)).toHaveAttribute('aria-expanded', 'false');
      await on.keyboard.press('ArrowLeft');
      await expect(selected(on).locator('.tree-name')).toHaveText('__libc_start_main');
      await workbench.clickFrame('delta()');
      await expect(selected(on).locator('.tree-name')).toHaveText('delta()');
      await expect(selected(on)).toBeInViewport();
      await page(on, 'Functions');
      await workbench.clickFrame('delta()', 'right');
      await on.getByRole('menuitem', { name: 'Show in the call tree' }).click();
      await expect(selected(on).locator('.tree-name')).toHaveText('delta()');
    });

    await test.step('opens the hot path with one key, and finds matches in closed rows', async () => {
      await openSystem(workbench, 'hot-path.perf.txt');
      await page(on, 'Call tree');
      const tree = treeOf(on);
      await tree.focus();
      await on.keyboard.press('Home');
      await on.keyboard.press('Shift+ArrowRight');
      await expect.poll(async () => Number(await selected(on).getAttribute('aria-level'))).toBeGreaterThan(5);
      await expect(selected(on).locator('.hot')).toBeVisible();
      await on.getByRole('button', { name: 'Collapse all' }).click();
      await expect.poll(() => names(tree)).toEqual(['all', '[[kernel.kallsyms]]', '[unknown]']);
      await on.getByRole('searchbox', { name: /Search functions/ }).fill('gamma');
      await on.getByRole('button', { name: 'Match ›' }).click();
      await expect(selected(on).locator('.match')).toHaveText('gamma()');
    });

    await test.step('the tables’ sums equal the root of the graph, in any view', async () => {
      await openSystem(workbench, 'sums.perf.txt');
      const rootTotal = async (): Promise<string> => {
        await page(on, 'Call tree');
        const text = await treeOf(on).locator('tr[aria-level="1"] .bar-value').textContent();
        await page(on, 'Functions');
        return text ?? '';
      };
      expect(await rootTotal()).toBe('556.56 ms');
      await expect(footer(on)).toHaveText('sum of self 557 msof 557 ms');
      await workbench.table.getByRole('row', { name: /^delta/ }).dblclick();
      await expect(footer(on)).toHaveText('sum of self 72.1 msof 72.1 ms');
      expect(await rootTotal()).toBe('72.072 ms');
      await workbench.chooseRadio('Bottom-up');
      expect(await rootTotal()).toBe('72.072 ms');
      await expect(footer(on)).toHaveText('sum of self 72.1 msof 72.1 ms');
    });
  });

  test('tables of functions: filters, callers and callees, columns', async ({ workbench, page: on }) => {
    await test.step('filters functions by regex and by module, and counts hidden ones', async () => {
      await openSystem(workbench, 'filtered.perf.txt');
      const filter = on.getByRole('textbox', { name: 'Filter functions' });
      await filter.fill('^(alpha|beta)');
      await expect(on.locator('.table-count')).toHaveText('2 of 8 functions · 6 hidden with self 83.1 %');
      await filter.fill('(');
      await expect(on.locator('.table-page').getByRole('alert')).toContainText(/not a regular expression/i);
      await filter.fill('');
      await on.getByRole('button', { name: 'Modules: all 4' }).click();
      await on.getByRole('option', { name: /kernel/ }).click();
      await on.keyboard.press('Escape');
      await expect(on.locator('.table-count')).toHaveText('7 of 8 functions · 1 hidden with self 75.0 %');
      await expect.poll(() => workbench.functionsInTable()).not.toContain('[[kernel.kallsyms]]');
      // The filters of a tab's tables stay with the tab.
      await page(on, 'Call tree');
      await page(on, 'Functions');
      await expect(on.getByRole('button', { name: 'Modules: 3 of 4' })).toBeVisible();
    });

    await test.step('callers and callees lead through the program and back', async () => {
      await openSystem(workbench, 'system.perf.txt');
      await workbench.table.getByRole('row', { name: /^beta/ }).click();
      await page(on, 'Callers & callees');
      const callers = on.getByRole('grid', { name: 'Callers' });
      const callees = on.getByRole('grid', { name: 'Callees' });
      await expect(callers.locator('tbody td:first-child')).toHaveText(['delta()', 'main']);
      await expect(callees.locator('tbody td:first-child')).toHaveText(['(self)', '[[kernel.kallsyms]]']);
      await callers.getByText('main', { exact: true }).dblclick();
      await expect(on.locator('.edge-name')).toHaveText('main');
      await expect(workbench.details.getByRole('heading', { name: 'main' })).toBeVisible();
      await on.getByRole('button', { name: '‹ Back' }).click();
      await expect(on.locator('.edge-name')).toHaveText('beta()');
      await on.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await on.keyboard.press('Control+k');
      await on.keyboard.type('Copy table as Markdown');
      await on.keyboard.press('Enter');
      await expect(on.getByText(/Copied the table as Markdown/)).toBeVisible();
      const copied = await on.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain('Callers and callees of beta()');
      expect(copied).toMatch(/\n\| `delta\(\)` \| caller \| .*\n(?:.*\n)*\| `\(self\)` \| callee \| /);
      const saved = on.waitForEvent('download');
      await on.getByRole('button', { name: 'Export CSV' }).click();
      expect((await saved).suggestedFilename()).toBe('system.callers-callees.csv');
      expect(readFileSync(await (await saved).path(), 'utf8')).toMatch(/^Function,Relation,Weight /m);
    });

    await test.step('selects, moves and keeps columns; exports rows with a description', async () => {
      await page(on, 'Functions');
      await workbench.table.getByRole('columnheader', { name: 'Total', exact: true }).getByRole('button').click();
      await on.getByRole('button', { name: 'Columns' }).click();
      await on.getByRole('checkbox', { name: 'Samples', exact: true }).check();
      await on.getByRole('checkbox', { name: 'Module' }).uncheck();
      // Rows stay sorted by a column that is hidden.
      await on.getByRole('checkbox', { name: 'Total', exact: true }).uncheck();
      await expect.poll(async () => (await workbench.functionsInTable())[0]).toBe('[[kernel.kallsyms]]');
      await on.getByRole('checkbox', { name: 'Total', exact: true }).check();
      await on.getByRole('button', { name: 'Move Samples left' }).click();
      await on.keyboard.press('Escape');
      const headers = workbench.table.getByRole('columnheader');
      await expect(headers).toHaveText(['Function', 'Self', 'Self %', 'Samples', 'Total %', 'Total▾']);
      await expect(
        workbench.table
          .getByRole('row', { name: /^delta/ })
          .locator('td')
          .nth(3),
      ).toHaveText('72');
      await workbench.table.getByRole('row', { name: /^delta/ }).dblclick();
      await expect(footer(on)).toContainText('72.1 ms');
      const download = on.waitForEvent('download');
      await on.getByRole('button', { name: 'Export CSV' }).click();
      expect((await download).suggestedFilename()).toBe('system.functions.csv');
      const csv = readFileSync(await (await download).path(), 'utf8');
      expect(csv).toMatch(/^# flamebench view of /);
      expect(csv).toContain('# transform 1: focus: delta()');
      expect(csv).toContain('Function,Self (nanoseconds),Self %,Samples,Total %,Total (nanoseconds)\r\n');
      expect(csv).toMatch(/^delta\(\),\d+,[\d.]+,72,100,\d+\r$/m);
      await on.reload();
      await workbench.openText('again.folded', FOLDED);
      await expect(headers.nth(3)).toHaveText('Samples');
    });
  });

  test('all tables are accessible and fit a small window, in both themes', async ({ workbench, page: on }) => {
    // axe checks the tables six times.
    test.slow();
    await openSystem(workbench, 'system.perf.txt');
    await workbench.table.getByRole('row', { name: /^main/ }).click();
    await on.setViewportSize({ width: 1024, height: 700 });
    for (const theme of ['light', 'dark'] as const) {
      await on.emulateMedia({ colorScheme: theme });
      for (const name of ['Functions', 'Callers & callees', 'Call tree']) {
        await page(on, name);
        await expect(on.locator('.table-page tbody tr').first()).toBeVisible();
        await expectAccessible(on, {
          within: '.table-pane',
          minor: true,
          coloursOnly: theme === 'dark',
          state: name,
        });
        const overflow = await on.locator('.table-toolbar').evaluate((bar) => bar.scrollWidth - bar.clientWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      }
    }
    // Next to the details, two tables in 470 px still show names and weights.
    await page(on, 'Callers & callees');
    const pair = on.locator('.edge-pair .table-scroller');
    await expect(pair).toHaveCount(2);
    for (const table of await pair.all()) {
      await expect.poll(() => table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    }
    await page(on, 'Call tree');
    // The selection scrolls into view first; its rows are removed once others are shown.
    await expect(selected(on)).toBeInViewport();
    // 200 % zoom of a window of 1,440 × 860.
    await on.setViewportSize({ width: 720, height: 430 });
    const row = treeOf(on).locator('tbody tr').first();
    await row.scrollIntoViewIfNeeded();
    await expect(row).toBeInViewport();
  });
}

test('call tree: deep stacks, trees that follow each other, fast keys', async ({ workbench, page: on }) => {
  await test.step('keeps names in view in a stack of 2,800 frames', async () => {
    const deep = Array.from({ length: 2800 }, (_, depth) => `recurse_${depth % 7}`).join(';');
    await workbench.openText('deep.folded', `${deep} 5\n${FOLDED}`);
    await page(on, 'Call tree');
    const tree = treeOf(on);
    await tree.focus();
    await on.keyboard.press('Home');
    await on.keyboard.type("'rec");
    await expect(selected(on).locator('.tree-name')).toHaveText('recurse_0');
    await on.keyboard.press('Shift+ArrowRight');
    await expect(selected(on)).toHaveAttribute('aria-level', '2801');
    await expect(selected(on).locator('.tree-name')).toHaveText('recurse_6');
    await expect(selected(on).locator('.tree-name')).toBeInViewport({ ratio: 1 });
    await expect(selected(on).locator('.level-text')).toHaveText('2800');
    const all = await names(tree);
    expect(all.every((name) => /^recurse_\d$/.test(name))).toBe(true);
  });

  await test.step('rows of the previous tree keep its names until the new ones arrive', async () => {
    await workbench.openText('two.perf.txt', perfScript());
    await page(on, 'Call tree');
    await treeOf(on).focus();
    await on.keyboard.press('Home');
    await on.keyboard.press('*');
    const name = (text: string): Locator => treeOf(on).locator('.tree-name').getByText(text, { exact: true }).first();
    await name('inner').click();
    // The module becomes a function that no other tree contains.
    await on.keyboard.press('Shift+b');
    await expect(on.getByRole('list', { name: 'Applied to this view' })).toContainText('collapse module: server');
    await expect(name('server')).toBeVisible();
    await on.keyboard.press('Control+z');
    await expect(name('inner')).toBeVisible();
    await workbench.numbersAgree();
  });

  await test.step('queues keys that are faster than the tree', async () => {
    await workbench.openText('chain.folded', 'a;b;c;d;e 3\na;x 1\n');
    await page(on, 'Call tree');
    await treeOf(on).focus();
    await on.keyboard.press('Home');
    await expect(selected(on)).toHaveAttribute('aria-level', '1');
    await on.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(() => names(treeOf(on))).toEqual(['all', 'a']);
    await treeOf(on).focus();
    // Moves to a row, opens it, moves to its first child, and so on; keys do not wait for the previous one.
    for (let level = 1; level < 5; level++) for (let key = 0; key < 2; key++) await on.keyboard.press('ArrowRight');
    await on.keyboard.press('ArrowRight');
    await expect(selected(on).locator('.tree-name')).toHaveText('e');
    await expect.poll(() => names(treeOf(on))).toEqual(['all', 'a', 'b', 'c', 'd', 'e', 'x']);
  });
});

test('table of functions: a filtered selection, keys of the graph, dragged columns', async ({
  workbench,
  page: on,
}) => {
  await test.step('keeps a row selected in a filtered table in view without the filter', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `main;function_${at} ${1000 - at}`);
    await workbench.openText('many.folded', lines.join('\n'));
    const filter = on.getByRole('textbox', { name: 'Filter functions' });
    await filter.fill('_277$');
    await expect(on.locator('.table-count')).toContainText('1 of 301 functions');
    await workbench.table.getByRole('row', { name: /^function_277/ }).click();
    await expect(workbench.details.getByRole('heading', { name: 'function_277' })).toBeVisible();
    await filter.fill('');
    await expect(workbench.table.getByRole('row', { selected: true })).toBeInViewport();
  });

  await test.step('keys of the graph transform the focused row of a table', async () => {
    await workbench.openText('chain.folded', 'a;b;c 3\na;d 1\n');
    const chips = on.getByRole('list', { name: 'Applied to this view' });
    await page(on, 'Call tree');
    await treeOf(on).focus();
    await on.keyboard.press('Home');
    await expect(selected(on)).toHaveAttribute('aria-level', '1');
    await on.keyboard.press('*');
    await expect.poll(() => names(treeOf(on))).toEqual(['all', 'a', 'b', 'c', 'd']);
    for (let step = 0; step < 3; step++) await on.keyboard.press('ArrowDown');
    await on.keyboard.press('Shift+h');
    await expect(chips).toContainText('hide subtree: a › b › c');
    await expect.poll(() => names(treeOf(on))).toEqual(['all', 'a', 'd']);
    await on.keyboard.press('Control+z');
    await expect.poll(() => names(treeOf(on))).toEqual(['all', 'a', 'b', 'c', 'd']);
    await page(on, 'Functions');
    await workbench.table.getByRole('row').filter({ hasText: /^d/ }).click();
    await on.keyboard.press('s');
    await expect(chips).toContainText('focus on self: d');
    await expect(workbench.status).toContainText('1 sample');
  });

  await test.step('shows weights whole at 1,280 pixels', async () => {
    await on.setViewportSize({ width: 1280, height: 720 });
    const sample = (fields: string): string =>
      `main 1/1 [000] 10.000000: ${fields}\n\t55d000000010 work+0x10 (/opt/app/server)\n\n`;
    for (const [name, text, weight] of [
      ['ms.perf.txt', sample('575757570 cpu-clock:'), '575.76 ms'],
      ['count.perf.txt', sample('cpu-clock:').repeat(1362), '1,362 samples'],
    ] as const) {
      await workbench.openText(name, text);
      for (const table of ['Call tree', 'Functions']) {
        await page(on, table);
        const cells = on.locator('.table-page:visible td').filter({ hasText: weight });
        await expect(cells).toHaveCount(table === 'Functions' ? 2 : 3);
        const cut = await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
        expect(cut).toBe(0);
      }
    }
  });

  await test.step('drags a column to another position; a click on it still sorts', async () => {
    await workbench.openText('a.folded', FOLDED);
    const headers = workbench.table.getByRole('columnheader');
    await expect(headers).toHaveText(['Function', 'Self▾', 'Self %', 'Total', 'Total %', 'Module']);
    await headers.nth(3).hover();
    await on.mouse.down();
    const target = (await headers.nth(1).boundingBox())!;
    await on.mouse.move(target.x + 10, target.y + 8, { steps: 4 });
    await expect(headers.nth(1)).toHaveAttribute('data-drop', 'before');
    await on.mouse.up();
    await expect(headers).toHaveText(['Function', 'Total', 'Self▾', 'Self %', 'Total %', 'Module']);
    await headers.nth(1).getByRole('button').click();
    await expect(headers.nth(1)).toHaveText('Total▾');
  });
});
