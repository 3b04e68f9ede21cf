import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { startEngineProcess } from './engine-process.ts';
import { FOLDED } from './inputs.ts';
import { expect, test, Workbench } from './workbench.ts';

test('opens a file of the command line, also after a reload, in another format and from the library', async ({
  page,
  folder,
}) => {
  const file = path.join(folder, 'given.folded');
  writeFileSync(file, FOLDED);
  const engine = await startEngineProcess({ library: path.join(folder, 'library'), files: [file] });
  try {
    await page.goto(engine.url);
    const workbench = new Workbench(page, folder);
    await expect(workbench.frame('work').first()).toBeVisible();
    await page.reload();
    await expect(workbench.frame('work').first()).toBeVisible();
    await workbench.status.getByLabel('read as').selectOption('pprof');
    await expect(page.getByRole('heading', { name: 'given.folded could not be opened' })).toBeVisible();
    await page.getByRole('tabpanel').getByLabel('read as').selectOption('');
    await expect(workbench.frame('work').first()).toBeVisible();
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(workbench.library.getByRole('button', { name: /^given\.folded/ })).toBeVisible();
  } finally {
    await engine.close();
  }
});

test('opens two files of the command line as a comparison, also after a reload', async ({ page, folder }) => {
  const [before, after] = ['before.folded', 'after.folded'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(before, 'main;work;spin 70\nmain;work;idle 30\n');
  writeFileSync(after, 'main;work;spin 30\nmain;work;idle 20\nmain;fresh 50\n');
  const files = [`before=${before}`, `after=${after}`];
  const engine = await startEngineProcess({ library: path.join(folder, 'library'), files });
  try {
    await page.goto(engine.url);
    const panel = page.getByRole('tabpanel');
    await expect(panel.getByText('fresh may be new').first()).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(1);
    await page.reload();
    await expect(panel.getByText('fresh may be new').first()).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(1);
  } finally {
    await engine.close();
  }
});
