import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { compileBurst } from '../support/burst-program.ts';
import { makeContainerGroup } from '../support/control-group.ts';
import { expect, test } from './workbench.ts';
import { spawnBusyLoop } from '../support/busy-loop.ts';
import { chips, dragAcross, strip } from './time-pane.ts';
import { processRow } from '../support/process-row.ts';

let busy: ChildProcess;
test.beforeEach(() => {
  busy = spawnBusyLoop();
});
test.afterEach(() => {
  busy.kill('SIGKILL');
});

const pickBusyProcess = (page: Page): Promise<Locator> => pickProcess(page, busy.pid!);

async function pickProcess(page: Page, pid: number): Promise<Locator> {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Filter processes').fill(String(pid));
  await processRow(dialog, pid).click();
  return dialog;
}

test('shows the exact command, opens the recording, and knows its process', async ({ workbench, page }) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Rate').fill('499');
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Name').fill('shell loop');
  const command = dialog.getByText(/perf record/).first();
  await expect(command).toContainText(`-p ${busy.pid}`);
  await expect(command).toContainText('-F 499');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const progress = page.getByRole('dialog', { name: /Recording|Preparing|Stopping/ });
  await expect(progress.getByRole('timer')).toBeVisible();
  await expect(workbench.tab('shell loop')).toBeVisible({ timeout: 20_000 });
  await expect(workbench.graph).toBeVisible();
  await expect(workbench.status).toContainText(/\d+ samples/);
  await expect(workbench.status).toContainText('499 Hz');
  await expect(workbench.status).toContainText('0 lost');
});

test('records the whole container of a selected process', async ({ workbench, page }) => {
  const group = makeContainerGroup();
  try {
    group.enter(busy.pid ?? 0);
    await page
      .getByRole('button', { name: /^Record/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Record' });
    await dialog.getByText('Container or service', { exact: true }).click();
    await dialog.getByLabel('Filter processes').fill(group.id);
    await dialog.getByRole('row', { name: new RegExp(`\\b${busy.pid}\\b`) }).click();
    await expect(dialog.getByLabel('Control group')).toHaveValue(group.path);
    await expect(dialog.getByText(/perf record/).first()).toContainText(`-a -G ${group.path}`);
    await dialog.getByLabel('Control group').fill('no path');
    await expect(dialog.getByText('type a path like /system.slice/nginx.service')).toBeVisible();
    await dialog.getByRole('button', { name: 'local' }).click();
    const named = page.getByRole('dialog', { name: 'Targets to record on' });
    await named.getByLabel('Container or pod').fill('docker://-x');
    await expect(named.getByText('Not the name of a container: give docker://NAME.')).toBeVisible();
    await named.getByLabel('Container or pod').fill('docker://none');
    await named.getByRole('button', { name: 'Use container' }).click();
    await expect(named.getByRole('alert')).toContainText('No process runs in container "none"');
    await named.getByLabel('Container or pod').fill(`docker://${group.id}`);
    await named.getByRole('button', { name: 'Use container' }).click();
    await expect(dialog.getByLabel('Control group')).toHaveValue(group.path);
    await dialog.getByLabel('Duration').fill('2');
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    await expect(workbench.tab(`container ${group.id}`)).toBeVisible({ timeout: 30_000 });
    await expect(workbench.graph).toBeVisible();
  } finally {
    group.remove();
  }
});

test('the graph grows while it records, if asked for; the page asks before it is left; the capture replaces the graph', async ({
  workbench,
  page,
}) => {
  const asksToStay = (): Promise<boolean> =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await asksToStay()).toBe(false);
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByLabel('Name').fill('grown');
  await dialog.getByText('Show the graph while it records').click();
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const bar = page.getByRole('region', { name: 'Live' });
  await expect(bar).toContainText('Recording', { timeout: 30_000 });
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bar).toContainText(/\d+ samples in \d+ s/, { timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
  const facts = bar.locator('.live-facts');
  const before = await facts.textContent();
  await expect(facts).not.toHaveText(before!, { timeout: 30_000 });
  await expect(page).toHaveTitle(/^● Recording/);
  expect(await asksToStay()).toBe(true);
  await bar.getByRole('button', { name: 'Stop and keep' }).click();
  await expect(workbench.tab('grown')).toBeVisible({ timeout: 30_000 });
  await expect(bar).toBeHidden();
  await expect(page.getByRole('tab', { name: 'grown' })).toHaveCount(1);
  await expect(workbench.openTabs.getByRole('tab')).toHaveCount(1);
  await expect(page).not.toHaveTitle(/Recording/);
  expect(await asksToStay()).toBe(false);
});

test('Stop keeps the recording', async ({ workbench, page }) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByLabel('Name').fill('stopped early');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const progress = page.getByRole('dialog', { name: 'Recording' });
  await expect(progress.locator('dd').first()).not.toHaveText('0', { timeout: 20_000 });
  await expect(progress).toContainText('The graph opens when the recording ends: perf script names the functions');
  await progress.getByRole('button', { name: 'Stop and keep' }).click();
  await expect(workbench.tab('stopped early')).toBeVisible({ timeout: 20_000 });
  await expect(workbench.graph).toBeVisible();
});

test('Cancel discards; a hidden recording continues and can be found again', async ({ workbench, page }) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByLabel('Name').fill('never kept');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const progress = page.getByRole('dialog', { name: 'Recording' });
  await expect(progress.locator('dd').first()).not.toHaveText('0', { timeout: 20_000 });
  await page.keyboard.press('Escape');
  await expect(progress).toBeHidden();
  await workbench.library.getByRole('button', { name: /^recording/ }).click();
  await progress.getByRole('button', { name: 'Cancel and discard' }).click();
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: 20_000 });
  await expect(workbench.library).toContainText('Captures that you record or keep appear here.');
  await expect(page.getByRole('tab')).toHaveCount(0);
});

test('runs a command, shows its output in the terminal, and records it to its end', async ({
  workbench,
  page,
}, testInfo) => {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByText('Command', { exact: true }).first().click();
  const go = testInfo.outputPath('go');
  await dialog.getByLabel(/^Command to launch/).fill(`sh -c "echo printed; while [ ! -e ${go} ]; do :; done"`);
  await dialog.getByLabel('Duration', { exact: true }).fill('');
  await dialog.getByLabel('Name').fill('launched');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('button', { name: 'Show in terminal' }).click({ timeout: 30_000 });
  const terminal = page.getByRole('region', { name: 'Terminal' });
  await expect(terminal).toContainText('Output of launched programs');
  await expect(terminal.locator('.xterm-rows')).toContainText('printed');
  await writeFile(go, '');
  await expect(workbench.tab('launched')).toBeVisible({ timeout: 30_000 });
  await expect(workbench.graph).toBeVisible();
});

test('groups replicates in the library', async ({ workbench, page }) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('1');
  await dialog.getByLabel('Repeat').fill('2');
  await dialog.getByLabel('Name').fill('twice');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.graph).toBeVisible({ timeout: 40_000 });
  const series = workbench.library.getByRole('button', { name: /^twice/ }).first();
  await expect(series).toContainText('2 runs');
  await series.click();
  await expect(workbench.library.getByRole('button', { name: /^run 2/ })).toBeVisible();
});

test('reports invalid options at their field, and starts nothing', async ({ workbench, page }) => {
  await expect(workbench.status).toContainText('engine ready');
  const dialog = await pickBusyProcess(page);
  const start = dialog.getByRole('button', { name: 'Start recording' });
  await expect(start).toBeEnabled({ timeout: 20_000 });
  await dialog.getByLabel('Rate').fill('fast');
  await expect(dialog).toContainText('whole number from 1 to 50,000');
  await expect(start).toBeDisabled();
  await dialog.getByLabel('Rate').fill('99');
  await dialog.getByLabel('Event').fill('no-such-event');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'perf lists no event no-such-event' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(start).toBeDisabled();
});

test('the list refreshes without losing the selection; refuses a process that has ended', async ({
  workbench,
  page,
}) => {
  await expect(workbench.status).toContainText('engine ready');
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Filter processes').fill('');
  await page.waitForResponse((answer) => answer.url().includes('target.processes'));
  await page.waitForResponse((answer) => answer.url().includes('target.processes'));
  await dialog.getByLabel('Filter processes').fill(String(busy.pid));
  await expect(dialog.getByRole('row', { selected: true })).toContainText(String(busy.pid));
  busy.kill('SIGKILL');
  await dialog.getByLabel('Rate').fill('98');
  await expect(dialog.getByRole('button', { name: 'Start recording' })).toBeDisabled();
  await expect(dialog).toContainText(/there is no process/, { timeout: 20_000 });
});

/** The recorded shell is built without frame pointers. */
test('reports truncated stacks while recording; Restart with DWARF runs the shown command instead', async ({
  workbench,
  page,
}) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByLabel('Rate').fill('199');
  await dialog.getByLabel('Name').fill('cut');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const progress = page.getByRole('dialog', { name: 'Recording' });
  const offer = progress.getByRole('alert', { name: 'Truncated stacks' });
  await expect(offer).toContainText('of the stacks are truncated', { timeout: 20_000 });
  await expect(offer.locator('pre')).toContainText('--call-graph dwarf');
  await offer.getByRole('button', { name: 'Restart with DWARF' }).click();
  await expect(offer).toBeHidden({ timeout: 20_000 });
  await expect(progress.locator('dd').first()).not.toHaveText('0', { timeout: 20_000 });
  await progress.getByRole('button', { name: 'Stop and keep' }).click();
  await expect(workbench.tab('cut')).toBeVisible({ timeout: 20_000 });
  const kept = workbench.library.getByRole('button', { name: /^cut/ });
  await expect(kept).toHaveCount(1);
  // The shell has no symbols, however its callers are found.
  await expect(kept.getByText('poor', { exact: true })).toHaveAttribute('title', /^\d\.\d % without callers$/m);
});

test('a poor capture has its grade next to its name, and opens the dialog that records it better', async ({
  workbench,
  page,
}) => {
  const dialog = await pickBusyProcess(page);
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Rate').fill('199');
  await dialog.getByLabel('Name').fill('poor one');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('poor one')).toBeVisible({ timeout: 20_000 });
  await expect(workbench.tab('poor one')).toHaveAccessibleDescription('poor');
  const row = workbench.library.getByRole('button', { name: /^poor one/ });
  const badge = row.getByText('poor', { exact: true });
  await expect(badge).toHaveAttribute('title', /\d % without callers/);
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Record again with DWARF…' }).click();
  await expect(dialog.getByLabel('Call graph')).toHaveValue('dwarf');
  await expect(dialog.getByLabel('Rate')).toHaveValue('199');
  await expect(dialog.getByLabel('Duration')).toHaveValue('2');
  await expect(dialog.getByText(/perf record/).first()).toContainText(
    new RegExp(`-F 199 --call-graph dwarf .*-p ${busy.pid}\\b`),
  );
  await expect(dialog.getByRole('button', { name: 'Start recording' })).toBeEnabled({ timeout: 20_000 });
});

test('a capture that misses most CPU time is poor, and opens the dialog that records the whole system', async ({
  workbench,
  page,
}, info) => {
  await mkdir(info.outputDir, { recursive: true });
  // Its main thread works as well: of short threads alone, perf may have no sample at all.
  const burst = spawn(compileBurst(info.outputDir), ['work'], { stdio: 'ignore' });
  try {
    const dialog = await pickProcess(page, burst.pid!);
    await dialog.getByLabel('Duration').fill('3');
    await dialog.getByLabel('Rate').fill('49');
    await dialog.getByLabel('Name').fill('bursts');
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    const row = workbench.library.getByRole('button', { name: /^bursts/ });
    await expect(row.getByText('poor', { exact: true })).toHaveAttribute('title', /\d % lost/, { timeout: 30_000 });
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Record the whole system…' }).click();
    await expect(dialog.getByText(/perf record/).first()).toContainText(/-F 49 .*-a\b/);
  } finally {
    burst.kill('SIGKILL');
  }
});

test('records a Node process with both at once: its value types have one time axis', async ({ workbench, page }) => {
  const argv = ['-e', 'function work() { for (let i = 0; i < 2e7; i++); } setInterval(work, 20);'];
  const node = spawn(process.execPath, argv, { stdio: 'ignore' });
  try {
    const dialog = await pickProcess(page, node.pid!);
    await dialog.getByRole('button', { name: 'Record with both' }).click();
    await expect(dialog.getByRole('checkbox', { name: /^With perf/ })).toBeChecked();
    await dialog.getByLabel('Duration').fill('2');
    await expect(dialog.getByText(`kill -s USR1 ${node.pid}`)).toBeVisible();
    await expect(dialog.getByText(/perf record -k CLOCK_MONOTONIC/)).toContainText(`-p ${node.pid}`);
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    await expect(workbench.frame('work').first()).toBeVisible({ timeout: 60_000 });
    await dragAcross(page, strip(page), 0.3, 0.7);
    await expect(chips(page)).toContainText('time:');
    const [range] = /time: [\d.]+ \S+/.exec((await chips(page).textContent())!)!;
    await page.getByRole('combobox', { name: 'type', exact: true }).selectOption({ label: 'cpu-clock, ns' });
    await expect(workbench.graph).toHaveAccessibleName(/^Flame graph: cpu-clock/);
    await expect(chips(page)).toContainText(range);
    await expect(workbench.status).not.toContainText('Hz');
  } finally {
    node.kill('SIGKILL');
  }
});
