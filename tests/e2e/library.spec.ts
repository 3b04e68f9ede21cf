import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectAccessibleThemes } from './axe.ts';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('adds, renames, tags, finds, trashes and restores a file', async ({ workbench, page }) => {
  await workbench.openText('first.folded', FOLDED);
  await page.getByRole('button', { name: 'Keep' }).click();
  const row = workbench.library.getByRole('button', { name: /^first\.folded/ });
  await expect(row).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep' })).toBeHidden();

  await row.press('F2');
  await page.keyboard.type('checkout baseline');
  await page.keyboard.press('Enter');
  const renamed = workbench.library.getByRole('button', { name: /^checkout baseline/ });
  await expect(renamed).toBeVisible();
  await expect(workbench.tab('checkout baseline')).toBeVisible();

  await test.step('the menu of a row does not cover its age', async () => {
    await renamed.hover();
    const ends = await renamed.locator('small').last().boundingBox();
    const more = await page.getByRole('button', { name: 'More for checkout baseline' }).boundingBox();
    expect(ends!.x + ends!.width).toBeLessThanOrEqual(more!.x);
  });

  await renamed.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Tags…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('nightly, arm64');
  await page.keyboard.press('Enter');
  await expect(renamed).toContainText('nightly · arm64');

  const search = page.getByLabel('Search the library');
  await search.fill('no such thing');
  await expect(workbench.library).toContainText('Nothing in the library matches.');
  await expect(workbench.tab('checkout baseline')).toBeVisible();
  await search.fill('arm64');
  await expect(renamed).toBeVisible();
  await search.fill('');

  const sortBy = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Sort the library' }).click();
    await page.getByRole('menu').getByText(name, { exact: true }).click();
  };
  await sortBy('By tag');
  await expect(workbench.library.getByRole('heading', { level: 3 })).toHaveText(['arm64', 'nightly']);
  await expect(renamed).toHaveCount(2);
  await sortBy('Newest first');
  await expect(renamed).toHaveCount(1);

  await renamed.press('Delete');
  await expect(renamed).toBeHidden();
  await expect(workbench.tab('checkout baseline')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(renamed).toBeVisible();
  await renamed.press('Enter');
  await expect(workbench.frame('work').first()).toBeVisible();

  await test.step('exports are named after the capture, not its file', async () => {
    const table = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await table).suggestedFilename()).toBe('checkout baseline.functions.csv');
    const head = /^# flamebench view of \(checkout baseline, \d{8}-\d{6}-[0-9a-f]+, folded\)\r?\n/;
    expect(readFileSync(await (await table).path(), 'utf8')).toMatch(head);
    const view = page.waitForEvent('download');
    await workbench.runCommand('Export current view');
    await page.getByRole('dialog', { name: 'Export current view' }).getByRole('button', { name: 'Export' }).click();
    expect((await view).suggestedFilename()).toMatch(/^checkout baseline\.\w/);
    await page.keyboard.press('Escape');
  });
});

test('captures open in new tabs, and several are selected, tagged, compared and trashed', async ({
  workbench,
  page,
}) => {
  for (const name of ['one.folded', 'two.folded', 'three.folded']) {
    await workbench.openText(name, FOLDED);
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(workbench.library.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
    await workbench.tab(name).press('Delete');
    await expect(workbench.tab(name)).toHaveCount(0);
  }
  const row = (name: string) => workbench.library.getByRole('button', { name: new RegExp(`^${name}`) });
  await row('one').click();
  await expect(workbench.tab('one.folded')).toHaveCount(1);
  await row('one').click({ button: 'middle' });
  await expect(workbench.tab('one.folded')).toHaveCount(2);
  await row('one').click({ modifiers: ['ControlOrMeta'] });
  await expect(workbench.tab('one.folded')).toHaveCount(3);

  const bar = page.getByRole('region', { name: 'Selected captures' });
  await test.step('an opened row passes its focus on; another one keeps it', async () => {
    await expect(workbench.graph).toBeFocused();
    await page.route('**/file/**', async (route) => {
      await row('three').focus();
      await route.continue();
    });
    await row('two').press('Enter');
    await expect(workbench.tab('two.folded')).toHaveAttribute('aria-selected', 'true');
    await expect(workbench.graph).toBeVisible();
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    await expect(row('three')).toBeFocused();
    await page.unroute('**/file/**');
  });
  await row('three').press('Shift+Space');
  await expect(bar).toContainText('1 selected');
  await expect(bar.getByRole('button', { name: 'Compare' })).toBeDisabled();
  await row('one').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await row('two').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('2 selected');
  await row('one').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await expect(bar.getByRole('button', { name: 'Compare' })).toHaveAttribute('title', /by their checkboxes/);
  await page.getByLabel('Select three.folded').uncheck();
  await expect(bar).toContainText('2 selected');
  await expectAccessibleThemes(page, { within: '.sidebar' });
  await bar.getByRole('button', { name: 'Tags…' }).click();
  await page.getByRole('dialog', { name: 'Tags of 2 captures' }).getByRole('textbox').fill('nightly');
  await page.keyboard.press('Enter');
  await expect(row('one')).toContainText('nightly');
  await expect(row('two')).toContainText('nightly');
  await expect(row('three')).not.toContainText('nightly');

  await page.getByRole('button', { name: 'Sort the library' }).click();
  await page.getByRole('menu').getByText('By tag', { exact: true }).click();
  await page.getByRole('button', { name: 'Rename the tag nightly' }).click();
  await page.keyboard.type('weekly');
  await page.keyboard.press('Enter');
  await expect(workbench.library.getByRole('heading', { level: 3 })).toHaveText(['weekly', 'No tag']);

  await page.getByRole('group', { name: 'Main actions' }).getByRole('button', { name: 'Compare' }).click();
  await expect(workbench.tab('one.folded ↔ two.folded')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await test.step('the focus moves to the next row, the previous one, and back to a restored one', async () => {
    await row('two').press('Delete');
    await expect(row('two')).toHaveCount(0);
    await expect(row('one')).toBeFocused();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(row('two')).toBeFocused();
    // Hides the samples, so that the row is the last one.
    await page.getByLabel('Search the library').fill('folded');
    await row('three').press('Delete');
    await expect(row('three')).toHaveCount(0);
    await expect(row('one')).toBeFocused();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(row('three')).toBeFocused();
    await page.getByLabel('Search the library').fill('');
  });
  await page.getByLabel('Select one.folded').check();
  await page.getByLabel('Select three.folded').check();
  await bar.getByRole('button', { name: 'Move 2 selected captures to the trash' }).click();
  await expect(row('one')).toHaveCount(0);
  await expect(row('three')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row('three')).toBeVisible();
});

test('the trash restores captures, and deletes them after a second question', async ({ workbench, page }) => {
  await workbench.openText('<b>spin.folded', FOLDED);
  await page.getByRole('button', { name: 'Keep' }).click();
  const row = workbench.library.getByRole('button', { name: /^<b>spin/ });
  const trash = page.getByRole('dialog', { name: 'Trash' });
  await row.press('Delete');
  await expect(row).toBeHidden();
  await workbench.library.getByRole('button', { name: 'Trash', exact: true }).press('Enter');
  await expect(trash.getByRole('row', { name: /^<b>spin.folded capture \d+ B/ })).toBeVisible();
  await expectAccessibleThemes(page, { within: '.trash-dialog' });
  await trash.getByRole('button', { name: 'Restore <b>spin.folded' }).press('Enter');
  await expect(trash).toContainText('The trash is empty.');
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();

  await row.press('Delete');
  await expect(row).toBeHidden();
  await workbench.runCommand('Trash');
  await trash.getByRole('button', { name: 'Empty trash…' }).click();
  await expect(trash.getByRole('alert')).toHaveText(
    /^Delete “<b>spin.folded” permanently \(\d+ B\)\? This can’t be undone/,
  );
  await trash.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(trash).toContainText('The trash is empty.');
});

test('opens a large capture from its cache the second time', async ({ workbench, page }) => {
  await workbench.openText('large.perf.txt', perfScript().repeat(40));
  await page.getByRole('button', { name: 'Keep' }).click();
  await workbench.tab('large.perf.txt').press('Delete');
  const row = workbench.library.getByRole('button', { name: /^large/ });
  await row.click();
  await expect(workbench.graph).toBeVisible();
  await expect.poll(() => globSync('library/**/*.flamebench', { cwd: workbench.folder })).toHaveLength(1);
  await workbench.tab('large.perf.txt').press('Delete');
  const opened = page.waitForResponse((answer) => answer.url().includes('/rpc/library.open'));
  await row.click();
  expect(await (await opened).json()).toMatchObject({ ok: true, result: { cached: true } });
  await expect(workbench.frame('inner').first()).toBeVisible();
  await expect(workbench.status).toContainText('8,800 samples');
});

test('samples cannot be renamed or trashed', async ({ workbench, page }) => {
  const sample = workbench.library.locator('h2:text("Samples") + ul').getByRole('button').first();
  await expect(sample).toBeVisible();
  await sample.click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /Rename|trash/ })).toHaveCount(0);
});

test('a library of thousands is read in pages, shows more rows as it is scrolled, and is searched as a whole', async ({
  workbench,
  page,
}) => {
  await workbench.openText('first.folded', FOLDED);
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(workbench.library.getByRole('button', { name: /^first\.folded/ })).toBeVisible();
  const folder = path.join(workbench.folder, 'library');
  const [document] = globSync(path.join(folder, '2*', 'capture.json'));
  const kept = JSON.parse(readFileSync(document!, 'utf8')) as { createdAt: number };
  for (let place = 1; place <= 1200; place++) {
    const own = `20250101-000000-${place.toString(16).padStart(8, '0')}`;
    const changed = { ...kept, id: own, createdAt: kept.createdAt - place * 1000, name: `old ${place}` };
    mkdirSync(path.join(folder, own));
    writeFileSync(path.join(folder, own, 'capture.json'), JSON.stringify(changed));
  }
  await page.reload();
  const rows = workbench.library.locator('[data-captures]');
  const more = workbench.library.getByRole('button', { name: /more rows$/ });
  await expect(more).toHaveText('1,101 more rows');
  await more.scrollIntoViewIfNeeded();
  await expect(more).toHaveText('1,001 more rows');
  await page.getByLabel('Search the library').fill('old 1200');
  await expect(rows).toHaveCount(1);
  await rows.click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible();
});
