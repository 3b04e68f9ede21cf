import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './workbench.ts';
import { processRow } from '../support/process-row.ts';

let folder: string;
let ruby: ChildProcess;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fb-runtimes-'));
  copyFileSync('/usr/bin/sleep', join(folder, 'ruby3.1'));
  ruby = spawn(join(folder, 'ruby3.1'), ['600'], { stdio: 'ignore' });
});
test.afterAll(() => {
  ruby.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('a Ruby process: shows the command of the tool that samples its functions, and records with perf', async ({
  workbench,
  page,
}) => {
  await expect(workbench.library).toBeVisible();
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Filter processes').fill(String(ruby.pid));
  await processRow(dialog, ruby.pid!).click();
  await expect(dialog.getByText('This process is Ruby: rbspy samples its functions')).toBeVisible();
  await expect(dialog.getByText(`rbspy record --pid ${ruby.pid} --duration 10 --format speedscope`)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Record with/ })).toHaveCount(0);
  await expect(dialog.locator('pre', { hasText: new RegExp(`perf record .*-p ${ruby.pid}`) })).toBeVisible();
});
