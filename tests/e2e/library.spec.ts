import { globSync } from 'node:fs';
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
  await expectAccessibleThemes(page, { within: '.trash-dialog' }, (theme) =>
    page.screenshot({ path: `artefacts/trash-${theme}.png` }),
  );
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
