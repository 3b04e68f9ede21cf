import { spawn, type ChildProcess } from 'node:child_process';
import { expect, test } from './workbench.ts';
import { chooseForm } from './time-pane.ts';
import { HOT_PROGRAM } from '../support/node-program-source.ts';
import { processRow } from '../support/process-row.ts';

let node: ChildProcess;
test.beforeEach(() => {
  node = spawn(process.execPath, ['-e', HOT_PROGRAM], { stdio: 'ignore' });
});
test.afterEach(() => {
  node.kill('SIGKILL');
});

test('node: is proposed for a Node process, asks for consent with the plan, and opens the recording', async ({
  workbench,
  page,
}) => {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Filter processes').fill(String(node.pid));
  await processRow(dialog, node.pid!).click();
  await dialog.getByRole('button', { name: 'Record with Node' }).click();
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('With heap in use').check();
  await dialog.getByLabel('Name', { exact: true }).fill('node loop');
  await expect(dialog.getByText(`kill -s USR1 ${node.pid}`)).toBeVisible();
  await expect(dialog.getByText(/local users can run code in the process/)).toBeVisible();

  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('node loop')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
  const summary = page.getByRole('tabpanel', { name: 'Summary' });
  await expect(summary).toContainText(/hot/);
  await expect(summary).toContainText(/event loop: used \d+ % of the time/);

  await chooseForm(page, 'Threads');
  const lanes = page.getByRole('list', { name: 'Measured beside the samples' });
  await expect(lanes.getByRole('listitem').first()).toContainText(/loop utilisation\s*[\d.]+ %/);
  await expect(lanes.getByRole('img', { name: /^loop delay max: [\d.]+ .s to / })).toBeVisible();

  await workbench.runCommand('Value type: inuse_space');
  const type = page.getByRole('toolbar', { name: 'View' }).getByLabel('type');
  await expect(type.locator('option:checked')).toContainText('inuse_space');
});
