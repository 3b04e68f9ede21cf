import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { freePort } from '../support/free-port.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
import { expect, test } from './workbench.ts';

/** The tab of an experiment in front. */
const panelOf = (page: Page): Locator => page.locator('.load-tab:visible');

/** A server that computes `steps` square roots for each answer, in a function with a name. */
const PROGRAM = `
import { createServer } from 'node:http';
const [port, steps] = process.argv.slice(2).map(Number);
function dumpBody(_, answer) {
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += Math.sqrt(i);
  answer.end(String(sum));
}
createServer(dumpBody).listen(port, '127.0.0.1');
`;

test('an experiment is planned, confirmed, followed by step, and ends with its result', async ({
  workbench,
  page,
  folder,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 720 });
  const program = path.join(folder, 'server.mjs');
  writeFileSync(program, PROGRAM);
  const port = await freePort();
  const command = (steps: number): string => `${process.execPath} --perf-basic-prof ${program} ${port} ${steps}`;
  await workbench.runCommand('Run an experiment…');
  const panel = panelOf(page);
  await panel.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${port}/`);
  await panel.getByLabel('Before: Command').fill(`${command(100_000)} | cat`);
  await panel.getByLabel('After: Command').fill(command(1000));
  await expect(panel.getByText('| needs a shell, and no shell runs the command.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Show the total load' })).toBeDisabled();
  await panel.getByLabel('Before: Command').fill(command(100_000));
  await panel.getByLabel('Connections').fill('2');
  await panel.getByLabel('Seconds per run').fill('1');
  await panel.getByLabel('Turns of each side').fill('3');
  await panel.getByText('Name, folder, environment').click();
  await panel.getByLabel('Seconds of warm-up').fill('0');
  await panel.getByLabel('Seconds between runs').fill('0');
  await panel.getByLabel('Environment').fill('SECRET_TOKEN=hunter2');
  await panel.getByLabel('Knee: p99 ≤ ms').fill('5000');
  await panel.getByText('A new connection for each request').click();
  await panel.getByLabel('Other series').fill('probe:0');
  await expect(panel.getByRole('button', { name: 'Show the total load' })).toBeDisabled();
  await panel.getByLabel('Other series').fill('probe:10');
  await panel.getByText('Name, folder, environment').click();
  await panel.getByRole('button', { name: 'Show the total load' }).click();
  await expect(panel.getByText('A run of 1 s is too short for a profile.')).toBeVisible();
  await panel.getByLabel('Seconds per run').fill('3');
  const asked = page.waitForRequest((request) => request.postData()?.includes('planExperiment') === true);
  await panel.getByRole('button', { name: 'Show the total load' }).click();
  expect((await asked).postData()).toContain('"knee":{"leastSuccess":0.99,"mostLatency":5}');
  const planned = panel.getByRole('status');
  await expect(planned).toContainText(`In turn: A B B A A B. Each turn loads http://127.0.0.1:${port}/ with 2 `);
  await expect(planned).toContainText(`B, after:  ${command(1000)}`);
  await expect(planned).toContainText(/wrk .*-H 'Connection: close'/);
  await expectInReach(page, 'plan of an experiment');
  await expectAccessibleThemes(page, { state: 'plan of an experiment', within: '.load-tab' });
  await panel.getByRole('button', { name: 'Start experiment' }).click();
  await expect(panel.getByRole('status')).toContainText('Turn 1 of 3 of the before side: measuring 2 connections');
  await expect(panel.getByRole('row', { name: /^1 → 0 2 connections/ })).toBeVisible({ timeout: 15_000 });
  await expectAccessibleThemes(page, { state: 'a running experiment', within: '.load-tab' });
  // The run goes on without its tab.
  await workbench.openTabs.getByRole('tab', { selected: true }).press('Delete');
  await page.getByRole('button', { name: 'Continue in background' }).click();
  await expect(panel).toHaveCount(0);
  await workbench.runCommand('Run an experiment…');
  await expect(panel.getByText('Finished · 6 runs')).toBeVisible({ timeout: 120_000 });
  const result = panel.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^At 2 connections: QPS .*→ .*; p50 .*; p99 .*; CPU per request .* → /)).toBeVisible();
  // Which of Node's frames moved depends on how many samples a busy machine leaves.
  const functions = result.getByRole('region', { name: 'Functions' });
  await expect(functions.getByRole('list', { name: 'Largest changes' })).toHaveCount(1, { timeout: 60_000 });
  await expect(result.getByRole('region', { name: 'Table of components' }).getByRole('row')).toHaveCount(2);
  await expect(result.getByRole('region', { name: 'Table of steps' })).toBeVisible();
  await expect(
    result.getByRole('region', { name: 'Table of series' }).getByText('probes, 10 per second').first(),
  ).toBeVisible();
  await expectInReach(page, 'result of an experiment');
  await expectAccessibleThemes(page, {
    state: 'result of an experiment',
    within: '.load-tab',
    without: '.flame-scroller',
  });
  await panel.getByRole('button', { name: 'Compare functions' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible({ timeout: 60_000 });
});
