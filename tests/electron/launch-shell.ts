import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright';
import type { ElectronApplication, Page } from 'playwright';
import { electronForTests } from '../../scripts/electron-for-tests.ts';
import { root } from '../../scripts/run-command.ts';

export interface Shell {
  readonly app: ElectronApplication;
  /** The workbench's window, its page loaded. */
  readonly page: Page;
  /** A library of its own, and whatever else the test puts there. */
  readonly home: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Words after the program's: files to open. */
  readonly files?: readonly string[];
  /** A packaged app's executable; default: the Electron for tests on the checkout. */
  readonly packaged?: string;
}

/** Starts the desktop app with a fresh user folder and library. */
export async function launchShell({ files = [], packaged }: LaunchOptions = {}): Promise<Shell> {
  const electron = electronForTests();
  const home = mkdtempSync(path.join(tmpdir(), 'flamebench-electron-'));
  const app = await _electron.launch({
    executablePath: packaged ?? electron.executable,
    args: [
      // Chromium refuses to sandbox for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${path.join(home, 'user')}`,
      ...(packaged === undefined ? [root] : []),
      ...files,
    ],
    env: shellEnvironment(home, electron.old),
  });
  const page = await app.firstWindow();
  // Playwright asks for it before each click; Chromium 83 has none.
  if (electron.old) await page.evaluate(addCheckVisibility);
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

function shellEnvironment(home: string, old: boolean): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const forOld = {
    FLAMEBENCH_ENGINE_NODE: process.execPath,
    FLAMEBENCH_RENDERER: path.join(root, 'dist', 'renderer-chrome83'),
  };
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    FLAMEBENCH_LIBRARY: path.join(home, 'library'),
    ...(old ? forOld : {}),
  };
}

function addCheckVisibility(): void {
  if ('checkVisibility' in Element.prototype) return;
  Object.defineProperty(Element.prototype, 'checkVisibility', {
    value(this: Element): boolean {
      return this.getClientRects().length > 0;
    },
  });
}
