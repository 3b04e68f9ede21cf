import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { recordCallers } from '../support/dwarf-recording.ts';
import { expect, test } from './workbench.ts';

// It compiles, records, has perf read twice and axe look; on a busy machine that takes its time.
test.describe.configure({ timeout: 180_000 });

async function looksWell(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    await page.screenshot({ path: `artefacts/read-by-perf-${name}-${colorScheme}.png` });
  }
}

test('a recording of --call-graph dwarf: perf reads it by the command that is shown, and its callers are there', async ({
  workbench,
  page,
}) => {
  // perf takes the path of a binary below /tmp/perf-… for the map of a JIT; this one begins otherwise.
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
  // It came as a file: no command is there before the user trusts it.
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

  // It can be read anew: the capture still holds the perf.data.
  await workbench.runCommand('Read with perf');
  await expect(dialog.getByRole('button', { name: 'Read', exact: true })).toBeEnabled({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
