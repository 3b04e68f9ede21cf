import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { HOT_PYTHON, PY_SPY_FOLDER, pySpy, PYTHON } from '../support/py-spy.ts';
import { startEngineProcess } from './engine-process.ts';
import { expect, test as base } from './workbench.ts';
import { processRow } from '../support/process-row.ts';

const test = base.extend({
  engine: async ({ folder }, use) => {
    const env = { PATH: `${PY_SPY_FOLDER}:${process.env['PATH']}` };
    const engine = await startEngineProcess({ library: path.join(folder, 'library'), env });
    await use(engine);
    await engine.close();
  },
});

let python: ChildProcess;
test.beforeEach(() => {
  test.skip(!pySpy.present(), `missing: ${pySpy.name}`);
  python = spawn(PYTHON, ['-c', HOT_PYTHON], { stdio: 'ignore' });
});
test.afterEach(() => {
  python.kill('SIGKILL');
});

test('python: is proposed for a CPython process, shows the plan, and opens the recording', async ({
  workbench,
  page,
}) => {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Filter processes').fill(String(python.pid));
  await processRow(dialog, python.pid!).click();
  await dialog.getByRole('button', { name: 'Record with Python' }).click();
  await dialog.getByLabel('Rate').fill('1001');
  await expect(dialog.getByText('Invalid rate: give a whole number from 1 to 1,000.')).toBeVisible();
  await dialog.getByLabel('Rate').fill('50');
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Name').fill('python loop');
  await dialog.getByRole('combobox', { name: /^Threads/ }).selectOption('all');
  await expect(dialog.getByText(/py-spy record --pid \d+ --rate 50 --duration 2 --idle /)).toBeVisible();
  await expect(dialog.getByText('py-spy pauses the process while it reads each sample.')).toBeVisible();

  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('python loop')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
  const summary = page.getByRole('tabpanel', { name: 'Summary' });
  await expect(summary).toContainText(/hot/);
});
