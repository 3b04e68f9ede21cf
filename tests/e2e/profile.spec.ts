import { startEngineProcess } from './engine-process.ts';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('a small profile: frames, rows, transforms, panes and commands', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await test.step('a click zooms, hovering shows details, Escape goes back', async () => {
    const tooltip = page.locator('.flame-tooltip');
    await workbench.pointAt(workbench.frame('idle'), tooltip.getByText('idle'));
    await expect(tooltip).toContainText('40.0 %');
    await workbench.clickFrame('work');
    await expect(workbench.zoomedInto).toHaveText('work');
    await expect(workbench.frame('idle')).toBeHidden();
    await expect(workbench.details).toContainText('60 · 60.0 %');
    await workbench.graph.press('Escape');
    await expect(workbench.zoomedInto).toHaveText('all');
    await expect(workbench.frame('idle')).toBeVisible();
  });
  await test.step('moves in the graph by keyboard', async () => {
    await workbench.openText('keys.folded', FOLDED);
    await workbench.graph.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect(workbench.details.getByRole('heading', { name: 'work' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(workbench.zoomedInto).toHaveText('work');
    await page.keyboard.press('i');
    await expect(page.getByRole('radio', { name: 'Flame', exact: true })).toBeChecked();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search functions by regular expression' })).toBeFocused();
  });
  await test.step('the table sorts, filters, and selects together with the graph', async () => {
    await workbench.openText('rows.folded', FOLDED);
    await expect.poll(async () => (await workbench.functionsInTable()).slice(0, 2)).toEqual(['inner', 'idle']);
    await workbench.table.getByRole('columnheader', { name: 'Function' }).getByRole('button').click();
    await expect.poll(() => workbench.functionsInTable()).toEqual(['idle', 'inner', 'main', 'work']);
    await workbench.table.getByRole('columnheader', { name: 'Self', exact: true }).getByRole('button').click();
    await expect.poll(async () => (await workbench.functionsInTable()).slice(0, 2)).toEqual(['inner', 'idle']);
    await page.getByLabel('Filter functions').fill('id');
    await expect.poll(() => workbench.functionsInTable()).toEqual(['idle']);
    await page.getByLabel('Filter functions').fill('');
    await workbench.table.getByRole('row', { name: /inner/ }).click();
    await expect(workbench.details.getByRole('heading', { name: 'inner' })).toBeVisible();
    await expect(workbench.details).toContainText('Heaviest stack');
    await workbench.details.getByRole('button', { name: 'main' }).click();
    await expect(workbench.table.getByRole('row', { selected: true })).toContainText('main');
  });
  await test.step('adds transforms from the menu, shows them as chips and removes them', async () => {
    await workbench.openText('transforms.folded', FOLDED);
    await workbench.clickFrame('work', 'right');
    await page.getByRole('menuitem', { name: 'Focus on this function' }).click();
    const chips = page.getByRole('list', { name: 'Applied to this view' });
    await expect(chips).toContainText('focus: work');
    await expect(chips).toContainText('40 left out');
    await expect(workbench.frame('idle')).toBeHidden();
    await workbench.clickFrame('work', 'right');
    await page.getByRole('menuitem', { name: 'Collapse recursion' }).click();
    await expect(chips.getByRole('listitem')).toHaveCount(3);
    await expect(workbench.frame('work')).toHaveCount(1);
    await chips.getByRole('button', { name: 'Remove focus: work' }).click();
    await expect(workbench.frame('idle')).toBeVisible();
    await workbench.clickFrame('inner', 'right');
    await page.getByRole('menuitem', { name: 'Merge into caller' }).click();
    await expect(workbench.frame('inner')).toBeHidden();
    await workbench.clickFrame('idle', 'right');
    await page.getByRole('menuitem', { name: 'Hide stacks with this function' }).click();
    await expect(workbench.frame('idle')).toBeHidden();
    await expect(chips).toContainText('40 left out');
  });
  await test.step('resizes panes and moves the table next to the graph', async () => {
    await workbench.tab('a.folded').click();
    await expect(workbench.frame('idle')).toBeVisible();
    const splitter = page.getByRole('separator', { name: 'Graph and table' });
    const top = async (): Promise<number> => (await splitter.boundingBox())!.y;
    const before = await top();
    await splitter.press('ArrowUp');
    await expect.poll(top).toBeLessThan(before);
    await page.getByRole('button', { name: 'Table next to the graph' }).click();
    const gap = async (): Promise<number> => {
      const graph = (await workbench.graph.boundingBox())!;
      return (await workbench.table.boundingBox())!.x - graph.x - graph.width;
    };
    await expect.poll(gap).toBeGreaterThanOrEqual(0);
  });
  await test.step('finds commands by name', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('F1');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test('the summary, searches, and bottom-up', async ({ workbench, page }) => {
  await test.step('the summary leads to functions and threads, and its rules change', async () => {
    await workbench.openText('kinds.folded', FOLDED);
    const summary = page.getByRole('tabpanel', { name: 'Summary' });
    await summary.getByRole('button', { name: 'inner' }).click();
    await expect(workbench.table.getByRole('row', { name: /^inner/, selected: true })).toBeVisible();
    await expect(summary.getByText('other', { exact: true })).toBeVisible();
    await summary.getByRole('button', { name: 'Rules…' }).click();
    const rules = page.getByRole('dialog').getByRole('textbox');
    await rules.fill('waiting: sometimes: idle');
    await expect(page.getByRole('dialog')).toContainText('Line 1: not of the form KIND: any|leaf: REGEX.');
    await rules.fill('waiting: any: ^idle$');
    await page.getByRole('button', { name: 'Save' }).click();
    await summary.getByText('waiting').click();
    await summary.getByRole('button', { name: 'idle' }).last().click();
    await expect(workbench.table.getByRole('row', { name: /^idle/, selected: true })).toBeVisible();
    await workbench.clickFrame('work');
    await expect(workbench.details.getByRole('heading', { name: 'work' })).toBeVisible();
  });
  await test.step('a search shows the matched share; an invalid or endless pattern is reported', async () => {
    await workbench.openText('search.folded', `${FOLDED}${'a'.repeat(40)}! 1\n`);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('^inner$');
    const box = page.locator('.search-box');
    await expect(box.getByRole('status')).toHaveText('59.4 %1/5');
    const field = page.getByRole('searchbox', { name: 'Search functions by regular expression' });
    await field.fill('(');
    await expect(box.getByRole('alert')).toContainText('Not a regular expression');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill('^(a+)+$');
    await expect(box.getByRole('alert')).toContainText('longer than 1 s');
    await field.fill('idle');
    await expect(box.getByRole('status')).toHaveText('39.6 %1/5');
    await field.press('Escape');
    await expect(field).toHaveValue('');
  });
  await test.step('bottom-up starts at the leaves; the graph is busy while it shows the previous tree', async () => {
    await workbench.openText('leaves.folded', 'a;x 3\nb;x 4\n');
    await workbench.drawn();
    const seen = await workbench.graph.evaluateHandle((tree) => {
      const states: string[] = [];
      const note = (): void => {
        states.push(`${tree.ariaBusy}, ${tree.querySelectorAll('.frame').length} frames`);
      };
      new MutationObserver(note).observe(tree, { attributeFilter: ['aria-busy'] });
      return states;
    });
    await workbench.chooseRadio('Bottom-up');
    await workbench.drawn();
    expect(await seen.jsonValue()).toEqual(['true, 5 frames', 'false, 4 frames']);
    await workbench.clickFrame('x');
    await expect(workbench.zoomedInto).toHaveText('x');
    await expect(workbench.frame('a')).toBeVisible();
    await expect(workbench.frame('b')).toBeVisible();
  });
});

test('threads, types and time; data quality; keys of the graph', async ({ workbench, page }) => {
  await test.step('selects thread, value type and time', async () => {
    await workbench.openText('a.perf.txt', perfScript());
    await expect(workbench.status).toContainText('2 threads');
    await page.getByLabel('type').selectOption({ label: 'page-faults, count' });
    await expect(workbench.frame('fault').first()).toBeVisible();
    await expect(workbench.frame('inner')).toHaveCount(0);
    await page.getByLabel('type').selectOption({ index: 0 });
    await expect(workbench.frame('inner').first()).toBeVisible();

    await page.getByRole('button', { name: /^thread/ }).click();
    await page.getByRole('option', { name: /worker/ }).click();
    await expect(workbench.frame('run_worker').first()).toBeVisible();
    await expect(workbench.frame('serve')).toHaveCount(0);
    await page.getByRole('button', { name: /^thread/ }).click();
    await page.keyboard.press('Enter');
    await expect(workbench.frame('serve').first()).toBeVisible();

    const strip = page.getByRole('slider', { name: /^Time range/ });
    const box = (await strip.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByRole('list', { name: 'Applied to this view' })).toContainText('time:');
    await expect(workbench.status).toContainText(/[45]\d of 220 samples|[56]\d of 220 samples/);
    await strip.press('Escape');
    await expect(workbench.status).toContainText('220 samples');
  });
  await test.step('data quality lists diagnostics with their location', async () => {
    await workbench.openText('lines.folded', `${FOLDED}this line has no count\n`);
    await workbench.status.getByRole('button', { name: /diagnostic/ }).click();
    const panel = page.getByRole('tabpanel', { name: 'Data quality' });
    await expect(panel).toContainText('(line 4)');
    await expect(panel).toContainText('Read: 100 samples in 3 rows, 3 stacks, 4 functions, 1 thread.');
    await expect(panel).toContainText('Not as in the file: skipped 1.');
  });
  await test.step('graph keys work at once; Enter steps through matches, Back through zooms; a command reopens the view', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.openText('a.folded', FOLDED);
    await expect(workbench.graph).toBeFocused();
    await page.keyboard.press('/');
    await page.keyboard.type('^(inner|idle)$');
    await expect(page.locator('.search-box').getByRole('status')).toContainText('2/');
    const current = page.getByRole('treeitem');
    for (const [key, name] of [
      ['Enter', 'idle'],
      ['Enter', 'inner'],
      ['Shift+Enter', 'idle'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(current).toContainText(name);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(workbench.graph).toBeFocused();

    await workbench.clickFrame('work');
    await expect(workbench.zoomedInto).toHaveText('work');
    await page.evaluate(() => history.back());
    await expect(workbench.zoomedInto).toHaveText('all');
    await page.evaluate(() => history.forward());
    await expect(workbench.zoomedInto).toHaveText('work');

    // A zoom by the wheel or by keys is one step, however many steps its gesture has.
    const total = workbench.graph.locator('xpath=ancestor::section[1]').locator('.flame-total');
    const whole = (await total.textContent())!;
    await workbench.graph.hover();
    await page.keyboard.down('Control');
    for (let step = 0; step < 4; step++) await page.mouse.wheel(0, -60);
    await page.keyboard.up('Control');
    await expect(total).toContainText('in view');
    // Longer than the pause within a gesture.
    await page.waitForTimeout(900);
    const wheeled = (await total.textContent())!;
    await workbench.graph.press('+');
    await expect(total).not.toHaveText(wheeled);
    const back = (): Promise<void> => page.evaluate(() => history.back());
    const forward = (): Promise<void> => page.evaluate(() => history.forward());
    await back();
    await expect(total).toHaveText(wheeled);
    await back();
    await expect(total).toHaveText(whole);
    await expect(workbench.zoomedInto).toHaveText('work');
    await back();
    await expect(workbench.zoomedInto).toHaveText('all');
    await forward();
    await expect(total).toHaveText(whole);
    await forward();
    await expect(total).toHaveText(wheeled);
    // The part is also there after another tab; then Escape shows the whole frame.
    await workbench.openText('b.folded', FOLDED);
    await expect(workbench.zoomedInto).toHaveText('all');
    await back();
    await expect(total).toHaveText(wheeled);
    await forward();
    await expect(workbench.zoomedInto).toHaveText('all');
    await workbench.runCommand('Close the tab');
    await expect(total).toHaveText(wheeled);
    await workbench.graph.press('Escape');
    await expect(total).toHaveText(whole);

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Copy command/ }).click();
    await expect(page.getByText('Copied the command that reopens this view.')).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, word] = /^flamebench open a\.folded --view ([\w-]+)$/.exec(command)!;
    const again = await startEngineProcess({
      library: `${workbench.folder}/again`,
      files: [`${workbench.folder}/a.folded`, `view=${word}`],
    });
    try {
      await page.goto(again.url);
      await expect(workbench.zoomedInto).toHaveText('work');
      // A page reports that its engine has ended.
      await page.goto('about:blank');
    } finally {
      await again.close();
    }
  });
});
