import { expectAccessible } from './axe.ts';
import { SHORTCUTS } from '../../renderer/ui/keys/shortcuts.ts';
import { perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

const FOLDED = 'main;serve;copy 60\nmain;serve;parse 25\nmain;idle 15\n';

/** Four samples of two stacks at 0, 1, 2 and 3 ms. */
const TIMED = [0, 1, 2, 3]
  .map(
    (at) =>
      `app 7/7 [000] 1.00${at}000:    1000000 cpu-clock:\n\t        1a ${at % 2 === 0 ? 'even' : 'odd'} (/bin/app)\n\t        2a main (/bin/app)\n`,
  )
  .join('\n');

test('the palette: a capture without a pointer, and what the controls choose', async ({ workbench, page }) => {
  await test.step('goes from the palette to a closed capture without a pointer', async () => {
    const { keyboard } = page;
    const palette = async (words: string): Promise<void> => {
      await keyboard.press('Control+k');
      await expect(page.getByRole('combobox', { name: 'Search commands' })).toBeFocused();
      await keyboard.type(words);
      await keyboard.press('Enter');
    };
    await workbench.openText('timed.perf.txt', TIMED);
    await palette('flame graph go');
    await expect(workbench.graph).toBeFocused();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(workbench.zoomedInto).toHaveText(/main|even|odd/);
    await palette('graph show everything');
    await expect(workbench.zoomedInto).toHaveText('all');
    await expect(workbench.graph).toBeFocused();
    await keyboard.press('Control+f');
    await keyboard.type('odd');
    await expect(page.locator('.search-result').first()).toContainText('50.0 %');
    await keyboard.press('Enter');
    await expect(workbench.details).toContainText('odd');
    await palette('flame graph go');
    await expect(workbench.graph).toBeFocused();
    await keyboard.press('Shift+F10');
    await expect(page.getByRole('menu')).toBeVisible();
    await keyboard.press('f');
    await expect(page.getByRole('menuitem', { name: /^Focus/ }).first()).toBeFocused();
    await keyboard.press('Enter');
    await expect(workbench.table).not.toContainText('even');
    await keyboard.press('Control+z');
    await expect(workbench.table).toContainText('even');
    for (let step = 0; step < 8; step++) {
      if (await page.locator('[role=grid]:focus, [role=grid] :focus').count()) break;
      await keyboard.press('F6');
    }
    await keyboard.press('ArrowDown');
    await expect(workbench.details).toContainText('main');
    await keyboard.press('Alt+Shift+W');
    await expect(page.getByRole('heading', { name: 'See where the time goes' })).toBeVisible();
    await palette('open capture page-server before');
    await expect(workbench.graph).toBeVisible();
  });
  await test.step('the palette offers what the controls around the graph choose', async () => {
    await workbench.openText('a.txt', perfScript());
    const toolbar = page.getByRole('toolbar', { name: 'View' });
    await workbench.runCommand('Value type: page-faults');
    await expect(toolbar.getByLabel('type').locator('option:checked')).toContainText('page-faults');
    await workbench.runCommand('Colour by module');
    await expect(toolbar.getByLabel('colour')).toHaveValue('module');
    await workbench.runCommand('Table: call tree');
    await expect(page.getByRole('treegrid')).toBeVisible();
    await workbench.runCommand('Filter the functions');
    await expect(page.getByRole('textbox', { name: 'Filter functions' })).toBeFocused();
    await workbench.runCommand('Columns of the table');
    await expect(page.getByRole('dialog', { name: 'Columns of the table' })).toBeVisible();
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await workbench.runCommand('Save the table as CSV');
    expect((await saved).suggestedFilename()).toMatch(/csv$/);
    await workbench.runCommand('Marks…');
    await expect(page.getByRole('dialog', { name: 'Marks' })).toBeVisible();
    await page.keyboard.press('Escape');
    await workbench.runCommand('another format');
    await expect(workbench.status.getByLabel('read as')).toBeFocused();
    await workbench.runCommand('Settings: value types');
    await expect(
      page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Value types' }),
    ).toBeFocused();
  });
});

test('keys: graph and thread, single keys, graph alone, other keys', async ({ workbench, page }) => {
  await test.step('digits select the graph, brackets and T the thread', async () => {
    await workbench.openText('server.perf.txt', perfScript());
    const picker = page.getByRole('button', { name: /^thread/ });
    await workbench.graph.focus();
    for (const [key, name] of [
      ['3', 'In time'],
      ['2', 'Bottom-up'],
      ['1', 'Top-down'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
      await expect(workbench.graph).toBeFocused();
    }
    await page.keyboard.press(']');
    await expect(picker).toContainText('main');
    await expect(workbench.status).toContainText('150 of 220 samples');
    await page.keyboard.press(']');
    await expect(picker).toContainText('worker');
    // Each thread has a new time-ordered graph; the focus stays in the graph.
    await page.keyboard.press('3');
    await expect(page.getByRole('tree', { name: /in order of time/ })).toBeFocused();
    await page.keyboard.press('[');
    await expect(picker).toContainText('main');
    await expect(workbench.status).toContainText('150 of 220 samples');
    await expect(page.getByRole('tree', { name: /in order of time/ })).toBeFocused();
    await page.keyboard.press('1');
    await expect(page.getByRole('radio', { name: 'Top-down', exact: true })).toBeChecked();
    await expect(workbench.graph).toBeFocused();
    // Without a selected function there is no sandwich, but keys still switch the graph.
    await page.keyboard.press('4');
    await expect(page.getByText('Select a function in the table')).toBeVisible();
    await page.keyboard.press('1');
    await expect(workbench.graph).toBeFocused();
    await page.keyboard.press('t');
    await expect(page.getByRole('option', { name: /worker/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await workbench.clickFrame('serve');
    await page.keyboard.press('4');
    await expect(page.getByText('Callers of serve')).toBeVisible();
  });
  await test.step('single keys work while the graph has the focus, and can be switched off', async () => {
    await workbench.openText('a.folded', FOLDED);
    await workbench.table.focus();
    for (const key of ['?', 'd', 'r', '/', 'i', 'n', 'c']) await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('radio', { name: 'Icicle', exact: true })).toBeChecked();
    await expect(workbench.details).toBeVisible();
    await page.keyboard.press('Alt+Shift+G');
    await page.keyboard.press('d');
    await expect(workbench.details).toBeHidden();
    await page.keyboard.press('d');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByRole('searchbox', { name: 'Search keys' }).fill('sandwich');
    await expect(sheet.getByText('sandwich of the function')).toBeVisible();
    await expect(sheet.getByText('open files')).toHaveCount(0);
    await sheet.getByRole('button', { name: 'Change keys…' }).click();
    await page.getByLabel('Single-character keys').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Shift+G');
    for (const key of ['?', 'd', '/', 'i']) await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('radio', { name: 'Icicle', exact: true })).toBeChecked();
    await expect(workbench.details).toBeVisible();
    // Switched on again.
    await page.keyboard.press('Control+,');
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Keys', exact: true }).click();
    await page.getByLabel('Single-character keys').check();
    await page.keyboard.press('Escape');
  });
  await test.step('shows the graph alone, and tables again on request', async () => {
    await workbench.openText('b.folded', FOLDED);
    const height = async (): Promise<number> => (await workbench.graph.boundingBox())!.height;
    const before = await height();
    await workbench.graph.focus();
    await page.keyboard.press('g');
    await expect(workbench.table).toBeHidden();
    await expect(workbench.details).toBeHidden();
    await expect.poll(height).toBeGreaterThan(before + 150);
    await expect(workbench.graph).toBeFocused();
    // The lines of the axis are as high as the graph.
    await expect
      .poll(async () => (await page.locator('.flame-grid path').boundingBox())!.height)
      .toBeGreaterThan(before + 150);
    // The pane grows before its frames have moved.
    await expect(async () => {
      await workbench.clickFrame('copy', 'right');
      await page.getByRole('menuitem', { name: 'Show in the call tree' }).click({ timeout: 2000 });
    }).toPass();
    await expect(page.getByRole('treegrid')).toBeVisible();
    await page.getByRole('button', { name: 'Graph only' }).click();
    await expect(page.getByRole('treegrid')).toBeHidden();
    await workbench.runCommand('Show tables and details');
    await expect(page.getByRole('treegrid')).toBeVisible();
  });
  await test.step('changes keys, reports conflicts, and lists the current keys in the cheat sheet', async () => {
    await page.keyboard.press('F1');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await expect(sheet.locator('dt')).not.toHaveCount(0);
    expect(await sheet.locator('dd').allTextContents()).toEqual(
      expect.arrayContaining(SHORTCUTS.map((shortcut) => shortcut.what)),
    );
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page, { within: 'dialog' });
    await test.step('the printed sheet begins with its first key', async () => {
      await page.emulateMedia({ media: 'print' });
      expect((await sheet.boundingBox())?.y).toBe(0);
      await expect(sheet.getByRole('button')).toHaveCount(0);
      await page.emulateMedia({ media: 'screen' });
    });
    await sheet.getByRole('button', { name: 'Change keys…' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const change = settings.getByRole('button', { name: 'Change the keys: copy the stack', exact: true });
    await change.click();
    await page.keyboard.press('n');
    await expect(settings.getByRole('alert')).toContainText('Taken: next match');
    await settings.getByRole('button', { name: 'Use it here' }).click();
    await settings.getByRole('button', { name: 'Change the keys: open files', exact: true }).click();
    await page.keyboard.press('p');
    await expect(settings.getByRole('alert')).toContainText('need Ctrl or Alt');
    await settings.getByRole('button', { name: 'Change the keys: search commands', exact: true }).click();
    await page.keyboard.press('Control+Shift+Y');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Control+Shift+Y');
    await page.keyboard.type('show all keys');
    await page.keyboard.press('Enter');
    await expect(
      sheet
        .locator('dl > div')
        .filter({ hasText: /search commands/ })
        .locator('dt'),
    ).toHaveText('Ctrl Shift Y');
    await expect(
      sheet
        .locator('dl > div')
        .filter({ hasText: /copy the stack$/ })
        .locator('dt'),
    ).toHaveText('N');
    await expect(sheet.locator('dl > div').filter({ hasText: /^off\s*next match|next match\s*off$/ })).toHaveCount(1);
  });
});
