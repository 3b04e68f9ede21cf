import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A way to show a page: an argv that takes the page's address last, or joined to its last word where that ends in `=`. */
export interface BrowserCommand {
  readonly argv: readonly string[];
}

/** Browsers of Chromium's family open a page in a window without the browser around it. */
const CHROMIUM_LIKE = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
  'vivaldi',
];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser', 'Vivaldi'];

interface BrowserEnvironment {
  readonly platform: string;
  readonly isRoot: boolean;
  /** The program's path, or null where it isn't there. */
  readonly find: (program: string) => string | null;
}

/** What could show a page here, the best first. */
export function browserCommands({ platform, isRoot, find }: BrowserEnvironment): BrowserCommand[] {
  // Chromium refuses to start for root with its sandbox.
  const flags = [...(isRoot ? ['--no-sandbox'] : []), '--window-size=1400,900', '--app='];
  if (platform === 'darwin') {
    const apps = MAC_APPS.map((name) => `/Applications/${name}.app`).filter((app) => find(app) !== null);
    return [...apps.map((app) => ({ argv: ['open', '-n', '-a', app, '--args', ...flags] })), { argv: ['open'] }];
  }
  // `start` is a word of cmd.exe; its first quoted argument is a title.
  if (platform === 'win32') return [{ argv: ['cmd.exe', '/d', '/c', 'start', '""'] }];
  const chromiumLike = CHROMIUM_LIKE.map(find).filter((path) => path !== null);
  const opener = find('xdg-open');
  return [
    ...chromiumLike.map((path) => ({ argv: [path, ...flags] })),
    ...(opener === null ? [] : [{ argv: [opener] }]),
  ];
}

export interface OpenedPage {
  /** Removes what led the browser to the page; it has been there, or never will. */
  forget(): Promise<void>;
}

/**
 * Starts the system's browser on a URL that nobody else may see: other users can read every argv, so the browser is given a file of this
 * user's alone that leads on to it. Null where no browser could be started.
 */
export async function openInBrowser(url: string, commands: readonly BrowserCommand[]): Promise<OpenedPage | null> {
  const folder = await mkdtemp(join(process.env['XDG_RUNTIME_DIR'] ?? tmpdir(), 'flamebench-'));
  const forget = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const page = join(folder, 'open.html');
  await writeFile(page, redirectPage(url), { mode: 0o600, flag: 'wx' });
  const address = pathToFileURL(page).href;
  for (const { argv } of commands) {
    const last = argv.at(-1) ?? '';
    const full = last.endsWith('=') ? [...argv.slice(0, -1), last + address] : [...argv, address];
    if (await startsWell(full)) return { forget };
  }
  await forget();
  return null;
}

/** The URL is ours: an origin and a token in base64url, which need no escaping. */
const redirectPage = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Flamebench</title><meta name="referrer" content="no-referrer">` +
  `<meta http-equiv="refresh" content="0; url=${url}">\n`;

/** A browser that ends with a failure does so at once; one that runs, or has handed over to one that did, is fine. */
const START_MS = 1500;

function startsWell(argv: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const [program, ...rest] = argv;
    const child = spawn(program ?? '', rest, { stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), START_MS);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.once('exit', () => clearTimeout(timer));
    // The browser outlives this process.
    child.unref();
  });
}

export const hostBrowserEnvironment = (): BrowserEnvironment => ({
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  find: findProgram,
});

function findProgram(program: string): string | null {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return null;
}
