import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright';
import type { ElectronApplication, Page } from 'playwright';
import { electronForTests, type ElectronForTests } from './electron-for-tests.ts';
import { root } from '../../scripts/run-command.ts';
import { OLD_PAGE, OLD_SHELL } from './old/build-for.ts';
import { ENGINE_NODE } from './old/engine-node.ts';

export interface Shell {
  readonly app: ElectronApplication;
  /** The workbench's window with its page loaded. */
  readonly page: Page;
  /** Contains the app's library, and whatever else the test puts there. */
  readonly home: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Words after the program's: files to open. */
  readonly files?: readonly string[];
}

/** Starts the desktop app with a new user folder and library. */
export async function launchShell({ files = [] }: LaunchOptions = {}): Promise<Shell> {
  const electron = electronForTests();
  const home = mkdtempSync(path.join(tmpdir(), 'flamebench-electron-'));
  const app = await _electron.launch({
    executablePath: electron.executable,
    args: [...switches(home), appOf(electron), ...files],
    env: shellEnvironment(home, electron.old),
  });
  const page = await app.firstWindow();
  await page.waitForURL(/^http:/);
  if (electron.old) await addCheckVisibility(page);
  return {
    app,
    page,
    home,
    close: async () => {
      await app.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const appOf = ({ old }: ElectronForTests): string => (old ? path.join(OLD_SHELL, 'main.cjs') : root);

/** Starts the app again for the same user; resolves with its exit code. */
export function startAgain({ home }: Shell, files: readonly string[]): Promise<number | null> {
  const electron = electronForTests();
  const child = spawn(electron.executable, [...switches(home), appOf(electron), ...files], {
    stdio: 'ignore',
    env: shellEnvironment(home, electron.old),
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

export function switches(home: string): string[] {
  // Chromium's sandbox refuses to start for root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Drawing by an emulated GPU takes a fifth of the tests' CPU time.
  return [...sandbox, '--disable-gpu', `--user-data-dir=${path.join(home, 'user')}`];
}

export function shellEnvironment(home: string, old: boolean, packaged = false): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const forOld = {
    [ENGINE_NODE]: process.execPath,
    ...(packaged ? {} : { FLAMEBENCH_RENDERER: OLD_PAGE }),
  };
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    // GTK, Chromium and perf leave files in the home.
    HOME: home,
    ...Object.fromEntries(
      ['CACHE', 'CONFIG', 'DATA', 'STATE'].map((kind) => [`XDG_${kind}_HOME`, path.join(home, kind)]),
    ),
    XAUTHORITY: process.env['XAUTHORITY'] ?? path.join(homedir(), '.Xauthority'),
    FLAMEBENCH_CONFIG: path.join(home, 'config'),
    FLAMEBENCH_LIBRARY: path.join(home, 'library'),
    ...(old ? forOld : {}),
  };
}

/**
 * Adds `Element.checkVisibility`, which Chromium 83 lacks and Playwright needs in its isolated JavaScript world, to the
 * current page and all later ones.
 */
async function addCheckVisibility(page: Page): Promise<void> {
  const source = 'Element.prototype.checkVisibility = function () { return this.getClientRects().length > 0; }';
  const session = await page.context().newCDPSession(page);
  const worldNames = new Set<string>();
  const additions: Promise<unknown>[] = [];
  session.on('Runtime.executionContextCreated', ({ context: { id, name } }) => {
    // When a page was left, its worlds are gone.
    additions.push(session.send('Runtime.evaluate', { contextId: id, expression: source }).catch(() => undefined));
    worldNames.add(name);
  });
  await session.send('Runtime.enable');
  await Promise.all(additions);
  for (const worldName of worldNames) {
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source, ...(worldName === '' ? {} : { worldName }) });
  }
}
