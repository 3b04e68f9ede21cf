import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessibleThemes } from './axe.ts';
import type { Locator, Page } from 'playwright/test';
import { PASSWORD, sshHosts, startSshHost } from '../support/sshd.ts';
import type { SshHost, SshHostOptions } from '../support/sshd.ts';
import { expect, test as base } from './workbench.ts';
import type { Workbench } from './workbench.ts';
import { BUSY_LOOP } from '../support/busy-loop.ts';
import { processRow } from '../support/process-row.ts';

const ESC = '\u001b';

/** Provides a real ssh server, and an engine whose ssh client reaches it. */
const test = base.extend<{ hostOptions: SshHostOptions; host: SshHost }>({
  hostOptions: [{}, { option: true }],
  host: async ({ hostOptions }, use) => {
    if (!sshHosts.present()) throw new Error(`no ssh server can be started here, for this is absent: ${sshHosts.name}`);
    const host = await startSshHost(hostOptions);
    await use(host);
    await host.dispose();
  },
  engine: async ({ folder, host, engineHost }, use) => {
    const places = { libraryPath: `${folder}/library`, configPath: `${folder}/config` };
    const engine = await engineHost.start({ ...places, sshConfigPath: host.clientConfigFile });
    await use(engine);
    await engine.close();
  },
});

// Each test starts an ssh server and records or runs axe, which takes long on a busy machine.
test.describe.configure({ timeout: 180_000 });

const row = ({ library }: Workbench, name = 'web-1'): Locator =>
  library.getByRole('list', { name: 'Targets' }).getByRole('button', { name: new RegExp(`^(?!More).*${name}`) });
const pane = (page: Page): Locator => page.getByRole('region', { name: 'Terminal' });

/** Returns the drawn rows; spaces are drawn as no-break spaces. */
const terminalText = async (page: Page): Promise<string> =>
  (await page.locator('.xterm-rows > div').allTextContents()).join('\n').replaceAll('\u00a0', ' ');

/**
 * Types into the terminal when the prompt is shown and the window reports it, which happens after the prompt; until
 * then the report may still be about the previous one.
 */
async function answer(page: Page, prompt: RegExp, text: string): Promise<void> {
  await expect.poll(() => terminalText(page), { timeout: 40_000 }).toMatch(prompt);
  await expect(pane(page).getByText('web-1 asks')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('textbox', { name: 'Terminal of web-1' }).focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function addTarget({ library, page }: Workbench, host: SshHost, axe = false): Promise<void> {
  await library.getByRole('button', { name: 'Add a target' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a target' });
  await expect(dialog.getByRole('button', { name: host.alias })).toBeVisible();
  await dialog.getByLabel('Host').fill(host.destination);
  await dialog.getByLabel('Name').fill('web-1');
  await expect(dialog.locator('pre')).toContainText('StrictHostKeyChecking=ask');
  await expect(dialog.locator('pre')).toContainText(`-- ${host.address}`);
  if (axe) await looksWell(page, 'target-add', 'dialog');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Checks a part of the window with axe in both themes, and that nothing is cut off at 1,024 px. */
async function looksWell(page: Page, name: string, part: string): Promise<void> {
  await expectAccessibleThemes(page, { within: part, state: name });
  await page.setViewportSize({ width: 1024, height: 700 });
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(1024);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test.describe('a new host', () => {
  test.use({ hostOptions: { known: false, user: 'root' } });

  test('confirms its command, accepts its key in the terminal, and records its process', async ({
    workbench,
    page,
    host,
  }) => {
    const busy = await host.start(BUSY_LOOP);
    await addTarget(workbench, host, true);
    await expect(pane(page).getByText('web-1 asks')).toBeVisible({ timeout: 20_000 });
    await expect(workbench.status.getByRole('button', { name: /web-1 asks/ })).toBeVisible();
    await expect.poll(() => terminalText(page)).toContain('authenticity of host');
    await looksWell(page, 'target-asks', '.window');
    await answer(page, /continue connecting/, 'yes');
    await expect(row(workbench)).toHaveText(/ssh$/, { timeout: 20_000 });

    await row(workbench).click();
    const record = page.getByRole('dialog', { name: 'Record' });
    await record.getByLabel('Filter processes').fill(String(busy.pid));
    await processRow(record, busy.pid).click();
    await record.getByLabel('Duration').fill('2');
    await record.getByLabel('Name').fill('from web-1');
    await expect(record.locator('.plans:not(.outdated) pre')).toContainText(`-p ${busy.pid}`, { timeout: 30_000 });
    await looksWell(page, 'target-record', 'dialog');
    await record.getByRole('button', { name: 'Start recording' }).click();
    await expect(workbench.tab('from web-1')).toBeVisible({ timeout: 40_000 });
    await expect(workbench.graph).toBeVisible();
    await page.keyboard.press('Control+j');
    await expect(pane(page)).toBeHidden();

    await workbench.runCommand('Check web-1');
    const doctor = page.getByRole('dialog', { name: 'Doctor: web-1' });
    await expect(doctor.getByRole('listitem').filter({ hasText: 'kernel' }).first()).toBeVisible({ timeout: 20_000 });
    await expect(doctor.getByRole('status')).toContainText(/^\d+ checks: /, { timeout: 40_000 });
    await looksWell(page, 'target-doctor', 'dialog');
    busy.kill('SIGKILL');
  });
});

test.describe('a hostile host that asks for a password', () => {
  const banner = `${ESC}]52;c;ZXZpbA==\u0007${ESC}]0;gotcha\u0007welcome\r\n[sudo] password for root: \r\n`;
  test.use({ hostOptions: { auth: 'password', banner } });

  test('fails on wrong ones, stores the right one nowhere, and its output sets no title', async ({
    workbench,
    page,
    host,
    expectedErrors,
  }) => {
    expectedErrors.push(/Failed to load resource/);
    const title = await page.title();
    await addTarget(workbench, host);
    for (const tries of [1, 2, 3]) await answer(page, new RegExp(`(?:'s password:[^]*){${tries}}`), 'wrong one');
    await expect(row(workbench)).toContainText('failed', { timeout: 20_000 });
    await expect(pane(page).getByRole('status')).toContainText(/denied|refused|login/i);

    await pane(page).getByRole('button', { name: 'Connect' }).click();
    const confirm = page.getByRole('dialog', { name: /^Connect to / });
    await confirm.getByRole('button', { name: 'Connect', exact: true }).click();
    await answer(page, /(?:'s password:[^]*){4}/, PASSWORD);
    await expect(row(workbench)).toHaveText(/ssh$/, { timeout: 20_000 });
    await expect(pane(page)).not.toContainText('asks');
    expect(await page.content()).not.toContain(PASSWORD);
    await expect(page).toHaveTitle(title);
    await expect(pane(page).locator('.terminal-host')).toHaveText(host.destination.replace('ssh://', ''));

    const answers: string[] = [];
    page.on('request', (request) => answers.push(request.url()));
    await page.getByRole('textbox', { name: 'Terminal of web-1' }).focus();
    await page.keyboard.type('ls');
    await page.keyboard.press('Enter');
    await workbench.runCommand('Disconnect web-1');
    await expect(row(workbench)).toContainText('not connected');
    expect(answers.filter((url) => url.includes('target.answer'))).toEqual([]);
  });
});

test('a changed host key is never accepted', async ({ workbench, page, host, expectedErrors }) => {
  expectedErrors.push(/Failed to load resource/);
  host.killServer();
  await host.changeHostKey();
  await host.startServer();
  await addTarget(workbench, host);
  await expect(row(workbench)).toContainText('failed', { timeout: 20_000 });
  await row(workbench).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show the terminal' }).click();
  await expect.poll(() => terminalText(page)).toContain('Host key verification failed');
  await expect(pane(page).getByRole('status')).toContainText(/key/i);
});

test('records one command on two hosts at once, each in its row, as a side of an experiment', async ({
  workbench,
  page,
  host,
}) => {
  await addTarget(workbench, host);
  await expect(row(workbench)).toHaveText(/ssh$/, { timeout: 20_000 });
  await workbench.runCommand('Record on web-1');
  const record = page.getByRole('dialog', { name: 'Record' });
  await record.getByRole('button', { name: /web-1/ }).click();
  await record.getByRole('checkbox', { name: /^local/ }).check();
  await page.keyboard.press('Escape');
  await expect(record.getByRole('button', { name: 'web-1 and local' })).toBeVisible();
  await record.getByText('Command', { exact: true }).first().click();
  await record.getByLabel(/^Command to launch/).fill('sh -c "while :; do :; done"');
  await record.getByLabel('Duration', { exact: true }).fill('2');
  await record.getByLabel('Name').fill('two hosts');
  for (const name of ['web-1', 'local']) {
    const plan = record.getByRole('region', { name: `Plan for ${name}` });
    await expect(plan.locator('pre')).toContainText('while :; do :; done', { timeout: 30_000 });
  }
  await record.getByRole('button', { name: 'Start recording' }).click();
  const rows = page.getByRole('dialog').getByRole('table').getByRole('row');
  await expect(rows.filter({ hasText: 'web-1' })).toBeVisible({ timeout: 20_000 });
  await expect(rows.filter({ hasText: 'local' })).toBeVisible();
  await expect(workbench.library.getByRole('button', { name: /^two hosts.*2 \+ 0/ })).toBeVisible({ timeout: 40_000 });
});

test.describe('a host whose user may use sudo', () => {
  test.use({ hostOptions: { sudo: 'with password' } });

  test('records another user’s process as root, after sudo’s prompt is answered in the dialog', async ({
    workbench,
    page,
    host,
  }) => {
    const busy = await host.start(BUSY_LOOP);
    await addTarget(workbench, host);
    await expect(row(workbench)).toHaveText(/ssh$/, { timeout: 20_000 });
    await row(workbench).click();
    const record = page.getByRole('dialog', { name: 'Record' });
    await record.getByLabel('Filter processes').fill(String(busy.pid));
    await processRow(record, busy.pid).click();
    const checks = record.getByRole('list', { name: 'Preflight checks' });
    await test.step('SystemTap’s modules can be compiled on another target, which the checks then name', async () => {
      await record.getByLabel('Collector').selectOption('stap');
      await expect(checks).toContainText(/SystemTap is not installed(?! on )|stap \d/, { timeout: 30_000 });
      await record.getByLabel('Compile on').selectOption('local');
      await expect(checks).toContainText(/(SystemTap is not installed|stap \d\S*) on /, { timeout: 30_000 });
      await record.getByLabel('Collector').selectOption('perf');
    });
    await record.getByLabel('Duration').fill('2');
    await record.getByLabel('Name').fill('as root');
    const start = record.getByRole('button', { name: 'Start recording' });
    await expect(checks).toBeVisible({ timeout: 30_000 });
    await expect(start).toBeDisabled();
    await record.getByLabel('As root, with sudo').check();
    await expect(record.locator('.plans:not(.outdated) pre')).toContainText('sudo', { timeout: 30_000 });
    await start.click();
    const recording = page.getByRole('dialog');
    await expect(recording.getByText('web-1 asks')).toBeVisible({ timeout: 30_000 });
    await recording.getByRole('textbox', { name: 'Terminal of web-1' }).focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(workbench.tab('as root')).toBeVisible({ timeout: 40_000 });
    await expect(workbench.graph).toBeVisible();
    busy.kill('SIGKILL');
  });
});

test('a sweep and an experiment are sent by this machine and a host at one moment', async ({
  workbench,
  page,
  host,
}) => {
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await addTarget(workbench, host);
    await expect(row(workbench)).toHaveText(/ssh$/, { timeout: 20_000 });
    const panel = page.locator('.load-tab:visible');
    await workbench.runCommand('Load tests…');
    await panel.getByRole('button', { name: 'New sweep…' }).click();
    await panel.getByLabel('URL').fill(url);
    await panel.getByLabel('Connections').fill('4');
    await panel.getByLabel('Seconds per run').fill('1');
    await panel.getByLabel('Runs per step').fill('1');
    await panel.getByLabel('PIDs of the server').fill('none');
    const sources = panel.getByRole('group', { name: 'Also send from, at the same time' });
    await panel.getByLabel('Tool').selectOption('hey');
    await expect(sources).toHaveCount(0);
    await panel.getByLabel('Tool').selectOption('wrk');
    await sources.getByLabel('web-1').check();
    await panel.getByText('Warm-up, threads, headers').click();
    await panel.getByLabel('Seconds of warm-up').fill('0');
    await panel.getByLabel('wrk threads').fill('1');
    await panel.getByText('Warm-up, threads, headers').click();
    await panel.getByRole('button', { name: 'Show the total load' }).click();
    await expect(panel.getByRole('status')).toContainText(/wrk on this machine and \S+ together sends/);
    await looksWell(page, 'load-sources', '.load-tab');
    await panel.getByRole('button', { name: 'Start load' }).click();
    await expect(panel.getByText(/sent the load together; percentiles are those of all/)).toBeVisible({
      timeout: 60_000,
    });
    await workbench.runCommand('Run an experiment…');
    await panel.getByLabel('Sides').selectOption('Both servers are running');
    await panel.getByLabel('Before: URL').fill(url);
    await panel.getByLabel('After: URL').fill(`${url}?after`);
    await panel.getByLabel('Connections').fill('4');
    await panel.getByLabel('Seconds per run').fill('1');
    await panel.getByLabel('Turns of each side').fill('1');
    await panel.getByLabel('Profile').selectOption('No profile');
    await sources.getByLabel('web-1').check();
    await panel.getByText('Name, folder, environment').click();
    await panel.getByLabel('Seconds of warm-up').fill('0');
    await panel.getByText('Name, folder, environment').click();
    await panel.getByRole('button', { name: 'Show the total load' }).click();
    await expect(panel.getByRole('status')).toContainText(
      /with 4 connections, divided among this machine and \S+, for 1 s/,
    );
    await looksWell(page, 'experiment-sources', '.load-tab');
    await panel.getByRole('button', { name: 'Start experiment' }).click();
    await expect(panel.getByText('Finished · 2 runs')).toBeVisible({ timeout: 60_000 });
    await expect(panel.getByText(/sent the load together; percentiles are those of all/)).toBeVisible();
  } finally {
    server.close();
  }
});
