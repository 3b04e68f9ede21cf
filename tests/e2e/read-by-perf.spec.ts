import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectAccessibleThemes } from './axe.ts';
import type { Page } from 'playwright/test';
import { recordCallers } from '../support/dwarf-recording.ts';
import { expect, test } from './workbench.ts';

// Compiling, recording, two reads with perf and axe take long on a busy machine.
test.describe.configure({ timeout: 180_000 });

async function looksWell(page: Page, name: string): Promise<void> {
  await expectAccessibleThemes(page, { within: 'dialog', state: name });
}

test('reads a --call-graph dwarf recording with perf by the shown command, and finds its callers', async ({
  workbench,
  page,
}) => {
  // perf mistakes a path that begins with /tmp/perf- for a JIT map, so this folder has another prefix.
  const folder = path.join(workbench.folder, 'recorded');
  mkdirSync(folder);
  await workbench.open(recordCallers(folder));
  await expect(workbench.graph).toBeVisible();
  await expect(workbench.frame('middle')).toHaveCount(0);
  await workbench.status.getByRole('button', { name: /diagnostics/ }).click();
  await expect(workbench.details).toContainText('which only perf unwinds');
  await workbench.details.getByRole('button', { name: 'Read with perf…' }).first().click();

  const dialog = page.getByRole('dialog', { name: 'Read with perf' });
  await dialog.getByRole('button', { name: 'Keep in the library' }).click();
  // It was opened as a file, so there is no command before the user trusts it.
  await dialog.getByRole('button', { name: 'Trust this capture' }).click();
  await expect(dialog.locator('pre')).toContainText(/perf script -i \S+raw\.perf\.data --force/, { timeout: 30_000 });
  await expect(dialog.getByRole('list', { name: 'Preflight checks' })).toContainText('perf can unwind copied stacks');
  await looksWell(page, 'planned');
  await dialog.getByRole('button', { name: 'Read', exact: true }).click();

  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(
    page.locator('.notice', { hasText: /perf read \d+ samples; \d+\.\d % of the weight has no symbol/ }),
  ).toBeVisible();
  await expect(workbench.frame('middle')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.frame('outer')).toBeVisible();
  await expect(workbench.details).toContainText('A perf.data that perf script read: perf ');

  // It can be read again, because the capture still contains the perf.data.
  await workbench.runCommand('Read with perf');
  await expect(dialog.getByRole('button', { name: 'Read', exact: true })).toBeEnabled({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('reads an execution trace with Go by the shown commands', async ({ workbench, page }) => {
  await workbench.open(fileURLToPath(new URL('../fixtures/go-trace/waits.trace', import.meta.url)));
  await expect(page.getByRole('alert')).toContainText('an execution trace of Go', { ignoreCase: true });
  await page.getByRole('button', { name: 'Read with Go…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Read with Go' });
  await dialog.getByRole('button', { name: 'Keep in the library' }).click();
  await expect(dialog.locator('pre')).toContainText(/go tool trace -pprof=sync \S+raw\.trace/, { timeout: 30_000 });
  await looksWell(page, 'planned');
  await dialog.getByRole('button', { name: 'Read', exact: true }).click();

  await expect(dialog).toBeHidden({ timeout: 60_000 });
  await expect(page.locator('.notice', { hasText: /Go read \d+ waits\./ })).toBeVisible();
  await expect(workbench.frame('main.guarded')).toBeVisible({ timeout: 30_000 });
});
