import { FOLDED, perfScript } from './inputs.ts';
import { expectAccessible, expectAccessibleThemes } from './axe.ts';
import { chips, chooseForm, dragAcross, heatMap, openScript, strip, typeRange } from './time-pane.ts';
import { expect, test } from './workbench.ts';

test('time strip: ranges, type and threads, gaps, marks', async ({ workbench, page }) => {
  await test.step('types a range, shows it as a chip with its share, resizes and removes it', async () => {
    await openScript(workbench);
    await expect(workbench.status).toContainText('220 samples');
    await typeRange(page, '0.5', '1');
    await expect(chips(page)).toContainText('time: 500 ms · 25.0 %');
    await expect(workbench.status).toContainText('50 of 220 samples');
    const end = page.getByRole('slider', { name: 'End of the time range' });
    await end.press('PageUp');
    await expect(end).toHaveAttribute('aria-valuetext', /^1\.19/);
    await expect(chips(page)).toContainText('time: 699 ms');
    const handle = (await page.getByRole('slider', { name: 'Start of the time range' }).boundingBox())!;
    const box = (await strip(page).boundingBox())!;
    await page.mouse.move(handle.x + 20, handle.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 1, handle.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect(chips(page)).toContainText(/time: 1\.(?:19|2) s · (?:59\.5|60\.0) %/);

    await strip(page).press('Enter');
    const form = page.getByRole('dialog', { name: 'Time range' });
    await form.getByLabel('End').fill('soon');
    await expect(form.getByRole('alert')).toContainText('Invalid end time');
    await expect(form.getByRole('button', { name: 'Show this range' })).toBeDisabled();
    await form.getByRole('button', { name: 'All time' }).click();
    await expect(chips(page)).toBeHidden();
    await expect(workbench.status).toContainText('220 samples');
  });

  await test.step('the strip follows type and threads, shows details under the pointer, and zooms', async () => {
    const box = (await strip(page).boundingBox())!;
    const tip = page.locator('.time-tip');
    await page.mouse.move(box.x + 2, box.y + 40);
    await expect(tip).toContainText('0 s');
    await expect(tip).toContainText('10.1 ms');
    await workbench.table.getByRole('row', { name: /^outer/ }).click();
    await page.mouse.move(box.x + 2, box.y + 40);
    await expect(tip).toContainText('outer0 ns');
    await page.getByLabel('type').selectOption({ label: 'page-faults, count' });
    await page.mouse.move(box.x + 3, box.y + 40);
    await expect(tip).toContainText(/samples1weight1/);

    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -800);
    await page.keyboard.up('Control');
    await expect(page.getByRole('button', { name: 'All time' })).toBeEnabled();
    await dragAcross(page, strip(page), 0, 1);
    await expect(chips(page)).toContainText(/time: 1[78]\d ms/);
    await strip(page).press('0');
    await expect(page.getByRole('button', { name: 'All time' })).toBeDisabled();
    await strip(page).press('Escape');
    await expect(chips(page)).toBeHidden();
  });

  await test.step('marks a time without any sample', async () => {
    const blocks = perfScript().split(/\n(?=\S)/);
    const timeOf = (block: string): number => Number(/(\d+\.\d+): /.exec(block)![1]);
    const rest = blocks.filter((block) => timeOf(block) < 10.6 || timeOf(block) >= 11.5);
    await workbench.openText('gap.perf.txt', rest.join('\n'));
    await expect(page.locator('.time-gap')).toHaveAttribute('title', /^No sample of any thread for 9\d\d ms$/);
  });

  await test.step('names, shows, applies, renames and deletes marks, which stay with the capture', async () => {
    await openScript(workbench, 'marked.perf.txt');
    await typeRange(page, '0.5', '1');
    await strip(page).press('m');
    const form = page.getByRole('dialog', { name: 'Marks' });
    await form.getByRole('button', { name: 'Add mark' }).click();
    await expect(form.getByRole('alert')).toHaveText('Give the mark a name.');
    await form.getByLabel('Name', { exact: true }).fill('<b>GC storm');
    await form.getByRole('button', { name: 'Add mark' }).click();
    await form.getByLabel('Name', { exact: true }).fill('deploy');
    await form.getByRole('textbox', { name: 'At' }).fill('1.5');
    await form.getByRole('textbox', { name: 'Until' }).fill('');
    await form.getByRole('button', { name: 'Add mark' }).click();
    await expect(form.getByRole('list', { name: 'Marks' }).getByRole('listitem')).toHaveCount(2);
    await expect(form).toContainText('Add the file to the library');
    await page.keyboard.press('Escape');
    await expect(page.locator('.time-mark')).toHaveText(['<b>GC storm', 'deploy']);
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(workbench.library.getByRole('button', { name: /^marked\.perf/ })).toBeVisible();

    await page.getByRole('button', { name: 'Marks, 2' }).click();
    await form.getByLabel('Name of the mark deploy').fill('deploy 2');
    await form.getByLabel('Name of the mark deploy').press('Enter');
    await form.getByRole('button', { name: 'Jump to deploy 2' }).click();
    await page.keyboard.press('Escape');
    await expect(page.locator('.time-mark')).toHaveText(['deploy 2']);
    await strip(page).press('0');
    await page.getByRole('tab', { name: /^marked/ }).press('Delete');
    await workbench.library.getByRole('button', { name: /^marked\.perf/ }).click();
    await expect(page.locator('.time-mark')).toHaveText(['<b>GC storm', 'deploy 2']);
    await page.locator('.time-mark').first().click();
    await expect(workbench.status).toContainText('50 of 220 samples');
    await page.getByRole('button', { name: 'Marks, 2' }).click();
    await form.getByRole('button', { name: 'Delete the mark deploy 2' }).click();
    await expect(page.locator('.time-mark')).toHaveText(['<b>GC storm']);
  });
});

test('rows of threads: selection, filter, 1,000 threads', async ({ workbench, page }) => {
  await test.step('selects threads on their rows, and draws what transforms hide in a paler colour', async () => {
    await openScript(workbench);
    await chooseForm(page, 'Threads');
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    await expect(rows.getByRole('option')).toHaveText([/main10175/, /worker10225/]);
    await rows.getByRole('option', { name: /worker/ }).click();
    await expect(workbench.status).toContainText('50 of 220 samples');
    await rows.getByRole('option', { name: /main/ }).click({ modifiers: ['Control'] });
    await expect(workbench.status).toContainText('200 of 220 samples');
    await rows.press('Escape');
    await rows.press('End');
    await rows.press('Enter');
    await expect(rows.getByRole('option', { selected: true })).toHaveText(/worker/);
    await dragAcross(page, rows.getByRole('option').first(), 0.5, 0.9);
    await expect(chips(page)).toContainText('time:');
    await expect(rows.getByRole('option', { selected: true })).toHaveText(/worker/);
    await strip(page).press('Escape');
    await rows.press('Escape');
    await workbench.clickFrame('serve', 'right');
    await page
      .getByRole('menuitem', { name: /^Hide stacks with/ })
      .first()
      .click();
    await expect(rows.getByRole('option')).toHaveText([/worker/]);
    const box = (await strip(page).boundingBox())!;
    // A sample of `main` was taken at 0.99 s.
    await page.mouse.move(box.x + box.width * 0.498, box.y + 40);
    await expect(page.locator('.time-tip')).toContainText(/samples0weight0 nshidden by transforms10\.1 ms/);
  });

  await test.step('filters rows of threads by name and number, without changing the view', async () => {
    await openScript(workbench, 'filtered.perf.txt');
    await chooseForm(page, 'Threads');
    const pane = page.getByRole('region', { name: 'Time' });
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    const field = page.getByRole('searchbox', { name: 'Filter threads by name or number' });
    await field.fill('WORK 102');
    await expect(rows.getByRole('option')).toHaveText([/worker10225/]);
    await expect(pane).toContainText('1 of 2 threads');
    await expect(workbench.status).toContainText('200 of 220 samples');
    await expectAccessible(page, { within: '.time-pane' });
    // Dragging selects text as usual: it selects no range and shows no moment.
    const box = (await field.boundingBox())!;
    await page.mouse.move(box.x + box.width - 30, box.y + box.height / 2);
    await expect(page.locator('.time-tip')).toHaveCount(0);
    await page.mouse.down();
    await page.mouse.move(box.x + 4, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect(chips(page)).toBeHidden();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('WORK');
    await page.getByRole('button', { name: 'take it' }).click();
    await expect(workbench.status).toContainText('50 of 220 samples');
    await field.fill('nobody');
    await expect(pane).toContainText('0 of 2 threads');
    await expect(pane).toContainText('No thread matches');
    await expectAccessible(page, { within: '.time-pane' });
    await field.press('Escape');
    await expect(rows.getByRole('option')).toHaveCount(2);
    await expect(workbench.status).toContainText('50 of 220 samples');
  });

  await test.step('1,000 threads: draws visible rows, and all can be reached', async () => {
    const blocks = Array.from({ length: 5000 }, (_, at) => {
      const thread = at % 1000;
      return `thread-${thread} 7/${10 + thread} [000] ${(at / 500).toFixed(6)}: ${1000 - thread} cycles: \n\t 10 f+0x1 (/opt/app)\n`;
    });
    await workbench.openText('many.perf.txt', `${blocks.join('\n')}\n`);
    await chooseForm(page, 'Threads');
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    await expect(rows.getByRole('option').first()).toContainText('thread-0');
    expect(await rows.getByRole('option').count()).toBeLessThan(20);
    await rows.press('End');
    await rows.press('Enter');
    await expect(rows.getByRole('option', { selected: true })).toContainText('thread-999');
    await expect(workbench.status).toContainText('5 of 5,000 samples');
    await page.getByRole('region', { name: 'Time' }).getByText('by name', { exact: true }).click();
    await rows.press('End');
    await expect(rows.getByRole('option').last()).toContainText('thread-999');
  });
});

test('each form of time on a real capture is accessible in both themes', async ({ workbench, page }) => {
  test.slow();
  await workbench.library.getByRole('button', { name: /^catalog-service/ }).click();
  await expect(workbench.graph).toBeVisible();
  await dragAcross(page, strip(page), 0.3, 0.6);
  await expect(chips(page)).toContainText('time:');
  const look = (state: string): Promise<void> => expectAccessibleThemes(page, { within: '.time-pane', state });
  for (const form of ['Strip', 'Threads', 'Heat map'] as const) {
    await chooseForm(page, form);
    const drawn = form === 'Heat map' ? heatMap(page) : strip(page);
    await expect(drawn).toBeVisible();
    const threads = page.getByRole('listbox', { name: 'Threads over time' });
    if (form === 'Threads') await expect(threads.getByRole('option').first()).toBeVisible();
    await look(form.toLowerCase().replace(' ', '-'));
  }
  await heatMap(page).press('m');
  await expect(page.getByRole('dialog', { name: 'Marks' })).toBeVisible();
  await look('marks');
});

/** Returns ten seconds: first only in the program, then in the kernel for three of four samples. */
function phases(): string {
  const program = '\t401000 handle+0x10 (/srv/app)\n\t402000 main+0x20 (/srv/app)\n';
  const kernel = `\tffffffff81000000 copy_page+0x1 ([kernel.kallsyms])\n${program}`;
  return Array.from({ length: 1000 }, (_, at) => {
    const stack = at >= 500 && at % 4 > 0 ? kernel : program;
    return `app 7/7 [000] ${(1 + at / 100).toFixed(6)}: 1000000 cpu-clock:\n${stack}\n`;
  }).join('');
}

test('time: heat map, ten hours, kinds of code', async ({ workbench, page }) => {
  await test.step('drags and moves in the heat map from cell to cell', async () => {
    await openScript(workbench);
    await chooseForm(page, 'Heat map');
    const cell = heatMap(page).getByRole('gridcell');
    await expect(cell).toHaveText('0 s: 2 samples, 20.2 ms');
    const box = (await heatMap(page).boundingBox())!;
    await page.mouse.click(box.x + 5, box.y + box.height - 1);
    await expect(chips(page)).toContainText('time: 20 ms · 1.0 %');
    await heatMap(page).press('ArrowUp');
    await expect(cell).toHaveText('20 ms: 2 samples, 20.2 ms');
    for (let step = 0; step < 4; step++) await heatMap(page).press('Shift+ArrowUp');
    await heatMap(page).press('Shift+ArrowRight');
    await heatMap(page).press('Enter');
    await expect(chips(page)).toContainText('time: 1.1 s · 55.0 %');
    await expect(workbench.status).toContainText('110 of 220 samples');
    await heatMap(page).press('Escape');
    await expect(chips(page)).toBeHidden();
    await page.mouse.move(box.x + 5, box.y + box.height - 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2 + 1, { steps: 3 });
    await page.mouse.up();
    await expect(chips(page)).toContainText('time: 1.5 s');

    await page.getByText('Text', { exact: true }).click();
    const text = page.getByRole('table', { name: 'Heat map as text' });
    await expect(text.getByRole('row')).toHaveText([/Time/, /^0 s1001\.01 s/, /^1\.00 s1001\.01 s/]);
    await text.getByRole('button', { name: '1.00 s' }).click();
    await expect(chips(page)).toContainText('time: 1 s · 50.0 %');
  });

  await test.step('ten hours have columns of minutes; a file without timestamps says why there is no strip', async () => {
    const blocks = Array.from(
      { length: 3600 },
      (_, at) => `a 7/7 [000] ${at * 10}.000000: 1 cycles: \n\t 10 f+0x1 (/opt/app)\n`,
    );
    const lost = 'a 7/7 [000] 18000.000000: PERF_RECORD_LOST lost 8\n';
    await workbench.openText('long.perf.txt', `${blocks.join('\n')}\n${lost}`);
    await expect(page.locator('.time-moment.loss')).toHaveAttribute('title', '5:00:00.000: PERF_RECORD_LOST lost 8');
    await page.getByRole('button', { name: 'Marks', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Events in the file' })).toHaveText(
      /5:00:00\.000 · PERF_RECORD_LOST lost 8/,
    );
    await page.keyboard.press('Escape');
    await chooseForm(page, 'Heat map');
    await expect(page.locator('.heat-legend')).toContainText('a column 120 s');
    await expect(heatMap(page)).toHaveAttribute('aria-colcount', '300');
    await expect(page.locator('.time-axis')).toContainText('5:00:00');
    await workbench.openText('plain.folded', FOLDED);
    await expect(page.locator('.time-none')).toContainText('without timestamps');
  });

  await test.step('kinds of code: over time in the strip, of a function in the details, and merged into their callers', async () => {
    await workbench.openText('phases.perf.txt', phases());
    await page.getByRole('combobox', { name: 'colour' }).selectOption('kind');
    const box = (await strip(page).boundingBox())!;
    const tip = page.locator('.time-tip');
    // The tooltip appears when the pointer moves; the colours arrive shortly after the strip.
    await expect(async () => {
      await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.3);
      await page.mouse.move(box.x + box.width * 0.755, box.y + box.height * 0.4);
      await expect(tip).toContainText('kernel', { timeout: 500 });
    }).toPass();

    await workbench.chooseRadio('Details');
    const spent = workbench.details.getByRole('listitem');
    await expect(spent).toHaveText([/^user62\.5 %$/, /^kernel37\.5 %$/]);
    await workbench.table.getByRole('row').filter({ hasText: 'handle' }).first().click();
    await workbench.details.getByRole('combobox', { name: 'Spent in, by' }).selectOption('function');
    await expect(spent.filter({ hasText: /^handle62\.5 %$/ })).toBeVisible();
    await expect(spent.filter({ hasText: /^copy_page37\.5 %$/ }).first()).toBeVisible();

    await workbench.table.getByRole('row').filter({ hasText: 'copy_page' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Merge all kernel code into callers' }).click();
    await expect(chips(page)).toContainText('merge code: kernel');
    await expect(workbench.table.getByRole('row').filter({ hasText: 'copy_page' })).toHaveCount(0);
    await expect(workbench.table.getByRole('row').filter({ hasText: 'handle' }).first()).toContainText('100.0 %');
  });
});
