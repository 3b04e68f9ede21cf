import { globSync } from 'node:fs';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('a file is kept, renamed, tagged, found, trashed and brought back', async ({ workbench, page }) => {
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
  await search.fill('arm64');
  await expect(renamed).toBeVisible();
  await search.fill('');

  await renamed.press('Delete');
  await expect(renamed).toBeHidden();
  await expect(workbench.tab('checkout baseline')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(renamed).toBeVisible();
  await renamed.press('Enter');
  await expect(workbench.frame('work').first()).toBeVisible();
});

test('a large capture opens from its cache the second time', async ({ workbench, page }) => {
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

test('samples stay: no rename, no trash', async ({ workbench, page }) => {
  const sample = workbench.library.locator('h2:text("Samples") + ul').getByRole('button').first();
  await expect(sample).toBeVisible();
  await sample.click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /Rename|trash/ })).toHaveCount(0);
});
