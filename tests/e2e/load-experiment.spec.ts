import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
import { expect, test } from './workbench.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Experiment' });

/** Returns a port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

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
  const dialog = dialogOf(page);
  await dialog.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${port}/`);
  await dialog.getByLabel('Before: Command').fill(`${command(100_000)} | cat`);
  await dialog.getByLabel('After: Command').fill(command(1000));
  await expect(dialog.getByText('| needs a shell, and no shell runs the command.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Show the total load' })).toBeDisabled();
  await dialog.getByLabel('Before: Command').fill(command(100_000));
  await dialog.getByLabel('Connections').fill('2');
  await dialog.getByLabel('Seconds per run').fill('1');
  await dialog.getByLabel('Turns of each side').fill('3');
  await dialog.getByText('Name, folder, environment').click();
  await dialog.getByLabel('Seconds of warm-up').fill('0');
  await dialog.getByLabel('Seconds between runs').fill('0');
  await dialog.getByLabel('Environment').fill('SECRET_TOKEN=hunter2');
  await dialog.getByText('Name, folder, environment').click();
  await dialog.getByRole('button', { name: 'Show the total load' }).click();
  await expect(dialog.getByText('A run of 1 s is too short for a profile.')).toBeVisible();
  await dialog.getByLabel('Seconds per run').fill('3');
  await dialog.getByRole('button', { name: 'Show the total load' }).click();
  const planned = dialog.getByRole('status');
  await expect(planned).toContainText(`In turn: A B B A A B. Each turn loads http://127.0.0.1:${port}/ with 2 `);
  await expect(planned).toContainText(`B, after:  ${command(1000)}`);
  await expect(planned).toContainText('wrk');
  await expectInReach(page, 'plan of an experiment');
  await expectAccessibleThemes(page, { state: 'plan of an experiment', within: 'dialog' });
  await dialog.getByRole('button', { name: 'Start experiment' }).click();
  await expect(dialog.getByRole('status')).toContainText('Turn 1 of 3 of the before side: measuring 2 connections');
  await expect(dialog.getByRole('row', { name: /^1 → 0 2 connections/ })).toBeVisible({ timeout: 15_000 });
  await expectAccessibleThemes(page, { state: 'a running experiment', within: 'dialog' });
  // The run goes on without its dialog.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await workbench.runCommand('Run an experiment…');
  await expect(dialog.getByText('finished · 6 runs')).toBeVisible({ timeout: 120_000 });
  const result = dialog.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^At 2 connections: QPS .*→ .*; p50 .*; p99 .*; CPU per request .* → /)).toBeVisible();
  // Which of Node's frames moved depends on how many samples a busy machine leaves.
  const functions = result.getByRole('region', { name: 'Functions' });
  await expect(functions.getByRole('list', { name: 'Largest changes' })).toHaveCount(1, { timeout: 60_000 });
  await expect(result.getByRole('region', { name: 'Table of components' }).getByRole('row')).toHaveCount(2);
  await expect(result.getByRole('region', { name: 'Table of steps' })).toBeVisible();
  await expectInReach(page, 'result of an experiment');
  await expectAccessibleThemes(page, {
    state: 'result of an experiment',
    within: 'dialog',
    without: '.flame-scroller',
  });
  await dialog.getByRole('button', { name: 'Compare functions' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible({ timeout: 60_000 });
});
