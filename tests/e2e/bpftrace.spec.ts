import type { ChildProcess } from 'node:child_process';
import { expect, test } from './workbench.ts';
import { spawnBusyLoop } from '../support/busy-loop.ts';
import { processRow } from '../support/process-row.ts';

let busy: ChildProcess;
test.beforeEach(() => {
  busy = spawnBusyLoop();
});
test.afterEach(() => {
  busy.kill('SIGKILL');
});

test('bpftrace: asks the question first, shows the script, and opens the recording', async ({ workbench, page }) => {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Collector').selectOption('bpftrace');
  await dialog.getByLabel('Filter processes').fill(String(busy.pid));
  await processRow(dialog, busy.pid!).click();

  const question = dialog.getByLabel('Question');
  await question.selectOption({ label: 'How long do calls of a function take? – Function latency' });
  await expect(dialog.getByText('Type the symbol of a function, as nm prints it.')).toBeVisible();
  await question.selectOption({ label: 'Where is CPU time spent? – On CPU' });
  await dialog.getByLabel('Rate').fill('199');
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Name').fill('traced loop');
  const command = dialog.getByText(/bpftrace -B line/).first();
  await expect(command).toContainText(`-p ${busy.pid}`);
  await expect(command).toContainText('profile:hz:199');

  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('traced loop')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
  await expect(workbench.status).toContainText(/\d+ samples/);
});
