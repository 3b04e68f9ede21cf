import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import type { Locator, Page } from 'playwright/test';
import { launchShell, startAgain } from './launch-shell.ts';
import type { Shell } from './launch-shell.ts';
import { makeContainerGroup } from '../support/control-group.ts';
import { spawnBusyLoop } from '../support/busy-loop.ts';
import { processRow } from '../support/process-row.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-smoke-'));
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function foldedFile(name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, 'main;work;inner 60\nmain;idle 40\n');
  return file;
}

async function withShell(files: readonly string[], use: (shell: Shell) => Promise<void>): Promise<void> {
  const shell = await launchShell({ files });
  try {
    await use(shell);
  } finally {
    await shell.close();
  }
}

/** Runs an entry of the application's menu. */
const chooseInMenu = (app: Shell['app'], labels: readonly string[]): Promise<void> =>
  app.evaluate(({ Menu }, path) => {
    let items = Menu.getApplicationMenu()?.items ?? [];
    for (const label of path) {
      const item = items.find((one) => one.label.replace('&', '').startsWith(label));
      if (item === undefined) throw new Error(`no ${label} among ${items.map((one) => one.label).join(', ')}`);
      if (label === path[path.length - 1]) (item.click as () => void)();
      items = item.submenu?.items ?? [];
    }
  }, labels);

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });

test('opens a capture, zooms, and records a process and a command, whose output the terminal shows', async () => {
  const busy = spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2);'], { stdio: 'ignore' });
  try {
    await withShell([foldedFile('first.folded')], async ({ page }) => {
      await expect(tab(page, 'first.folded')).toBeVisible();
      await zoomInto(page, 'work');
      await recordProcess(page, busy.pid ?? 0);
      busy.kill('SIGKILL');
      await recordCommand(page, path.join(folder, 'go'));
    });
  } finally {
    busy.kill('SIGKILL');
  }
});

test('records a container, found by group, by one of its processes', async () => {
  const busy = spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2);'], { stdio: 'ignore' });
  const group = makeContainerGroup();
  try {
    group.enter(busy.pid ?? 0);
    await withShell([], async ({ page }) => {
      await page
        .getByRole('button', { name: /^Record…/ })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Container or service', { exact: true }).click();
      await dialog.getByLabel('Belongs to').selectOption(`container docker:${group.id}`);
      await expect(processRow(dialog, busy.pid!)).toBeVisible();
      await processRow(dialog, busy.pid!).click();
      await dialog.getByLabel('Duration').fill('2');
      await dialog.getByRole('button', { name: 'Start recording' }).click();
      const name = `container docker:${group.id}`;
      await expect(tab(page, name)).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole('tree')).toBeVisible();
    });
  } finally {
    group.remove();
    busy.kill('SIGKILL');
  }
});

test('records with bpftrace, watches a process live, opens a URL and starts a sweep, all from the menu', async () => {
  test.slow();
  const busy = spawnBusyLoop();
  const server = createServer((request, response) =>
    response.end(
      request.url === '/debug/pprof/goroutine'
        ? 'goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.serveRequests+0x1\t/a.go:1\n'
        : 'ok\n',
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await withShell([foldedFile('first.folded')], async ({ app, page }) => {
      await expect(tab(page, 'first.folded')).toBeVisible();
      await test.step('records what a question asks for, with bpftrace', async () => {
        await chooseInMenu(app, ['File', 'Record']);
        await recordRecipe(page, busy.pid ?? 0);
      });
      await test.step('watches a process live, and saves what has just passed', async () => {
        await chooseInMenu(app, ['File', 'Watch live']);
        const dialog = page.getByRole('dialog', { name: 'Watch live' });
        await dialog.getByLabel(/^Filter/).fill(String(busy.pid));
        await processRow(dialog, busy.pid!).click();
        await dialog.getByRole('button', { name: 'Watch live' }).click();
        const bar = page.getByRole('region', { name: 'Live' });
        await expect(bar).toContainText(/\d+ samples in/, { timeout: 45_000 });
        await bar.getByRole('button', { name: 'Save last 30 s' }).click();
        await expect(bar).toContainText(/Saved [\d.]+ s \(\d+ samples\)/, { timeout: 30_000 });
        await bar.getByRole('button', { name: 'Stop' }).click();
        await expect(bar).toContainText('Ended', { timeout: 45_000 });
      });
      busy.kill('SIGKILL');
      await test.step('opens a profile of a service, after its request was shown', async () => {
        const url = `${origin}/debug/pprof/goroutine`;
        await chooseInMenu(app, ['File', 'Open a URL']);
        const dialog = page.getByRole('dialog', { name: 'Open a URL' });
        await dialog.getByLabel('URL').fill(url);
        await expect(dialog.locator('pre')).toHaveText(`GET ${url}`);
        await dialog.getByRole('button', { name: 'Open', exact: true }).click();
        await expect(tab(page, url.slice('http://'.length))).toBeVisible({ timeout: 20_000 });
      });
      await test.step('starts a sweep, stops it under way, and reports what is kept', async () => {
        await chooseInMenu(app, ['File', 'Load tests']);
        const panel = page.locator('.load-tab:visible');
        await expect(panel.getByText('No load tests yet.')).toBeVisible({ timeout: 20_000 });
        await panel.getByRole('button', { name: 'New sweep…' }).click();
        await panel.getByLabel('URL').fill('ftp://nowhere/');
        await panel.getByRole('button', { name: 'Show the total load' }).click();
        await expect(panel.getByText('is not an http or https URL')).toBeVisible();
        await panel.getByLabel('URL').fill(`${origin}/`);
        await panel.getByLabel('Connections').fill('2, 4, 6, 8, 10');
        await panel.getByLabel('Seconds per run').fill('1');
        await panel.getByRole('button', { name: 'Show the total load' }).click();
        await expect(panel.getByRole('status')).toContainText('15 runs of 1 s');
        await panel.getByRole('button', { name: 'Start load' }).click();
        await expect(panel.getByText(/^Running · [1-9]\d* of 15 runs$/)).toBeVisible({ timeout: 60_000 });
        await panel.getByRole('button', { name: 'Stop and keep' }).click();
        await expect(panel.getByText(/^Stopped · [1-9]\d* runs?$/)).toBeVisible({ timeout: 20_000 });
        const steps = panel.getByRole('region', { name: 'Table of steps' });
        await expect(steps.getByRole('row', { name: /^2 / })).toBeVisible();
        await panel.getByRole('button', { name: 'Report…' }).click();
        const preview = page.getByRole('dialog', { name: 'Report' }).getByRole('region', { name: 'Preview' });
        await expect(preview.getByText(/wrk -t 2 -c 2 -d 1s /)).toBeVisible();
      });
    });
  } finally {
    busy.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
});

async function zoomInto(page: Page, name: string): Promise<void> {
  // The label is above its frame and lets clicks through.
  await page.getByRole('tree').getByText(name, { exact: true }).click({ force: true });
  await expect(page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]')).toHaveText(name);
}

/** Records a command that prints, and works until a file exists. */
async function recordCommand(page: Page, go: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Record…/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Command', { exact: true }).first().click();
  await dialog.getByLabel(/^Command to launch/).fill(`sh -c "echo printed; while [ ! -e ${go} ]; do :; done"`);
  await dialog.getByLabel('Duration', { exact: true }).fill('');
  await dialog.getByLabel('Name').fill('launched');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('button', { name: 'Show in terminal' }).click({ timeout: 30_000 });
  const terminal = page.getByRole('region', { name: 'Terminal' });
  await expect(terminal.locator('.xterm-rows')).toContainText('printed');
  writeFileSync(go, '');
  await expect(tab(page, 'launched')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('tree')).toBeVisible();
}

async function recordProcess(page: Page, pid: number): Promise<void> {
  await page.getByRole('button', { name: /^Record…/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Filter/).fill(String(pid));
  await processRow(dialog, pid).click();
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  // The recording is named after its command line and opens.
  const tabs = page.getByRole('tablist', { name: 'Open profiles' });
  await expect(tabs.getByRole('tab', { selected: true })).toContainText("node -e 'for (;;) Math.sqrt(2);'", {
    timeout: 30_000,
  });
  await expect(page.getByRole('tree')).toBeVisible();
}

/** Records with bpftrace what a question asks for. */
async function recordRecipe(page: Page, pid: number): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Collector').selectOption('bpftrace');
  await dialog.getByLabel(/^Filter/).fill(String(pid));
  await processRow(dialog, pid).click();
  await dialog.getByLabel('Question').selectOption({ label: 'Where is CPU time spent? – On CPU' });
  await dialog.getByLabel('Duration').fill('2');
  await dialog.getByLabel('Name').fill('traced in Electron');
  await expect(dialog.getByText(/bpftrace -B line/).first()).toContainText(`-p ${pid}`);
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(tab(page, 'traced in Electron')).toBeVisible({ timeout: 45_000 });
  await expect(page.getByRole('tree')).toBeVisible();
}

test('a second start passes its files to the first and exits', async () => {
  await withShell([foldedFile('first.folded')], async (shell) => {
    await expect(tab(shell.page, 'first.folded')).toBeVisible();
    expect(await startAgain(shell, [foldedFile('second.folded')])).toBe(0);
    await expect(tab(shell.page, 'second.folded')).toBeVisible();
  });
});

test("the system's dialog opens files, and no path reaches the page", async () => {
  await withShell([], async ({ app, page }) => {
    await app.evaluate(({ dialog }, file) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] });
    }, foldedFile('picked.folded'));
    const answer = await page.evaluate(async () => {
      const bridge = Reflect.get(window, 'flamebenchShell') as { openFiles(): Promise<unknown> };
      return bridge.openFiles();
    });
    expect(answer).toBeUndefined();
    await expect(tab(page, 'picked.folded')).toBeVisible();
  });
});

test('an engine that dies is restarted', async () => {
  await withShell([], async ({ app, page }) => {
    const { origin } = new URL(page.url());
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    });
    process.kill(enginePid(app.process().pid ?? 0), 'SIGKILL');
    await expect.poll(() => new URL(page.url()).origin).not.toBe(origin);
    await page.waitForFunction(() => document.querySelector('header')?.textContent.includes('Flamebench') === true);
  });
});

test('the engine ends with a killed shell', async () => {
  await withShell([], async ({ app }) => {
    const shellPid = app.process().pid ?? 0;
    const pid = enginePid(shellPid);
    process.kill(shellPid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns Electron's child process that runs the engine. */
function enginePid(parent: number): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (status.includes(`\nPPid:\t${parent}\n`) && command.includes('engine/main.mjs')) return Number(name);
    } catch {
      // The process has ended.
    }
  }
  throw new Error('Electron has no engine');
}

test('the menu runs the page’s commands and opens recent files', async () => {
  await withShell([foldedFile('first.folded')], async ({ app, page }) => {
    await expect(tab(page, 'first.folded')).toBeVisible();
    const choose = (...labels: readonly string[]): Promise<void> => chooseInMenu(app, labels);
    await choose('File', 'Settings');
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    await page.keyboard.press('Escape');
    await choose('File', 'Close tab');
    await expect(tab(page, 'first.folded')).toBeHidden();
    await choose('File', 'Open Recent', 'first.folded');
    await expect(tab(page, 'first.folded')).toBeVisible();
  });
});
