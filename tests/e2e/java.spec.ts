import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOT_JAVA } from '../support/java-source.ts';
import { makeLockedFolder } from '../support/locked-folder.ts';
import { expect, test } from './workbench.ts';
import { processRow } from '../support/process-row.ts';

let java: ChildProcess;
const folder = makeLockedFolder('fb-java-');
test.beforeAll(() => {
  writeFileSync(join(folder.path, 'Hot.java'), HOT_JAVA);
  execFileSync('javac', ['Hot.java'], { cwd: folder.path });
});
test.beforeEach(() => {
  java = spawn('java', ['-Xmx64m', '-cp', folder.path, 'Hot'], { stdio: 'ignore' });
});
test.afterEach(async () => {
  const ended = once(java, 'exit');
  java.kill('SIGTERM');
  await ended;
});
test.afterAll(() => folder.remove());

test('java: is proposed for a JVM, shows the plan, and opens the recording', async ({ workbench, page }) => {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Filter processes').fill(String(java.pid));
  await processRow(dialog, java.pid!).click();
  await dialog.getByRole('button', { name: 'Record with Java' }).click();
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Name').fill('java loop');
  await expect(dialog.getByText(new RegExp(`jcmd .*${java.pid} JFR.start`))).toBeVisible();
  await expect(dialog.getByText(/Flight Recorder stays loaded in the JVM/)).toBeVisible();

  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('java loop')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Summary' })).toContainText(/Hot\.hot/);
});
