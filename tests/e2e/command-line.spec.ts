import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { startEngineProcess } from './engine-process.ts';
import { FOLDED } from './inputs.ts';
import { expect, test, Workbench } from './workbench.ts';

test('a file of the command line opens, again after a reload, as another format and into the library', async ({
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
