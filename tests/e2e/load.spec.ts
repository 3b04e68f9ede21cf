import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { dropFiles } from './drop-files.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './reach.ts';
import { expect, test } from './workbench.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A sweep of five steps with three runs each, as wrktest.sh writes it. */
function sweepDat(qps: number): string {
  const lines = [10, 20, 50, 100, 200].flatMap((concurrency, step) =>
    [-1, 0, 1].map((run) => {
      const answers = qps * (1 + step * 0.4) * (1 + run * 0.01);
      return `${concurrency} ${answers.toFixed(2)} ${((1000 * concurrency) / answers).toFixed(3)} ${step === 4 ? '91.00' : '100.00'}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Load tests' });

test('two dropped sweeps are drawn over each other, compared and kept', async ({ workbench, page }) => {
  test.slow();
  await expect(workbench.library).toBeVisible();
  await dropFiles(page, [
    ['before.dat', base64(sweepDat(1000))],
    ['after.dat', base64(sweepDat(1500))],
  ]);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('figure')).toHaveCount(3);
  await expect(
    dialog.getByRole('img', { name: /^QPS against concurrency: before QPS 1,000 at 10 connections.*after QPS 1,500/ }),
  ).toBeVisible();
  await expect(dialog.getByRole('row', { name: /^10 3 → 3 1,000 → 1,500 \+50\.0 % · ▲ grew/ })).toBeVisible();
  await expect(dialog.locator('svg text', { hasText: 'knee' })).toHaveCount(4);
  await page.screenshot({ path: 'artefacts/load-compare.png' });
  await expectAccessibleThemes(page, { state: 'load tests', within: 'dialog', without: '.flame-scroller' });
  await expectInReach(page, 'load tests');
  await dialog.getByText('Linear').click();
  await dialog.getByLabel('Compare with').selectOption('');
  await expect(dialog.getByRole('row', { name: /^100 \(knee\)/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep in the library' }).click();
  await expect(dialog.getByText('finished · 15 runs')).toBeVisible();
  await page.screenshot({ path: 'artefacts/load-single.png' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByLabel('Load test', { exact: true }).locator('option', { hasText: 'before' })).toHaveCount(0);
});

test('a sweep is planned, confirmed, run by a real wrk and shown', async ({ workbench, page }) => {
  test.slow();
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await workbench.runCommand('Load tests…');
    const dialog = dialogOf(page);
    await expect(dialog.getByText('No load tests yet.')).toBeVisible();
    await dialog.getByRole('button', { name: 'New sweep…' }).click();
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await dialog.getByLabel('Connections').fill('2, 4');
    await dialog.getByLabel('Seconds per run').fill('1');
    await dialog.getByLabel('Runs per step').fill('1');
    await dialog.getByRole('button', { name: 'Show the total load' }).click();
    await expect(dialog.getByRole('status')).toContainText(
      'wrk on this machine sends as many requests to http://127.0.0.1:',
    );
    await expect(dialog.getByRole('status')).toContainText('2 runs of 1 s');
    await page.screenshot({ path: 'artefacts/load-plan.png' });
    await dialog.getByRole('button', { name: 'Start load' }).click();
    await expect(dialog.getByText('finished · 2 runs')).toBeVisible({ timeout: 60_000 });
    await expect(dialog.getByRole('figure')).toHaveCount(5);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a cut report is refused in one line', async ({ workbench, page }) => {
  await expect(workbench.library).toBeVisible();
  const whole = readFileSync(path.join(import.meta.dirname, '../fixtures/load/wrk.txt'), 'utf8');
  await dropFiles(page, [['cut.txt', base64(whole.slice(0, 200))]]);
  await expect(
    dialogOf(page).getByText('cut.txt: wrk’s report ends before its totals; run it to its end (line 1)'),
  ).toBeVisible();
});
