import { accessSync, constants, lstatSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProgram } from '#collectors/effects/start-program.ts';
import { isOwn, makeTempFolder } from '#collectors/effects/remove.ts';
import { writeNew } from '#collectors/effects/write.ts';

/** An argv that opens a page; the page's address is appended, or joined to the last word if that ends with `=`. */
interface BrowserCommand {
  readonly argv: readonly string[];
}

/** Browsers based on Chromium open a page in a window without browser controls. */
const CHROMIUM_LIKE = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
  'vivaldi',
];
/** Renders like Chromium, but has no window. */
const WINDOWLESS = 'chromium-headless-shell';
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser', 'Vivaldi'];

interface BrowserEnvironment {
  readonly platform: string;
  readonly isRoot: boolean;
  /** Returns the program's path, or null if it is not installed. */
  readonly find: (program: string) => string | null;
}

/** Returns the commands that can open a page here, best first. */
export function browserCommands({ platform, isRoot, find }: BrowserEnvironment): BrowserCommand[] {
  // Chromium's sandbox refuses to start for root.
  const flags = [...(isRoot ? ['--no-sandbox'] : []), '--window-size=1400,900', '--app='];
  if (platform === 'darwin') {
    const apps = MAC_APPS.map((name) => `/Applications/${name}.app`).filter((app) => find(app) !== null);
    return [...apps.map((app) => ({ argv: ['open', '-n', '-a', app, '--args', ...flags] })), { argv: ['open'] }];
  }
  // `start` is built into cmd.exe; its first quoted argument is a title.
  if (platform === 'win32') return [{ argv: ['cmd.exe', '/d', '/c', 'start', '""'] }];
  const chromiumLike = CHROMIUM_LIKE.map(find).filter((path) => path !== null);
  const opener = find('xdg-open');
  return [
    ...chromiumLike.map((path) => ({ argv: [path, ...flags] })),
    ...(opener === null ? [] : [{ argv: [opener] }]),
  ];
}

export interface OpenedPage {
  /** Removes the redirecting file. Call it when the browser has read the file, or will never do so. */
  forget(): Promise<void>;
}

/**
 * Opens a URL in the system's browser without revealing it. Other users can read every argv, so the browser is given a
 * private file that redirects to the URL. Returns null if no browser could be started.
 */
export async function openInBrowser(url: string, commands: readonly BrowserCommand[]): Promise<OpenedPage | null> {
  const folder = await makeTempFolder('flamebench-', ownRuntimeFolder());
  const forget = (): Promise<void> => folder.remove();
  const page = join(folder.path, 'open.html');
  await writeNew(page, redirectPage(url));
  const address = pathToFileURL(page).href;
  for (const { argv } of commands) {
    const last = argv.at(-1) ?? '';
    const full = last.endsWith('=') ? [...argv.slice(0, -1), last + address] : [...argv, address];
    if (await startsWell(full)) return { forget };
  }
  await forget();
  return null;
}

/** Returns undefined if it is another user's, who could replace what is in it: root may have their environment. */
function ownRuntimeFolder(): string | undefined {
  const path = process.env['XDG_RUNTIME_DIR'] ?? '';
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() === true && isOwn(found) ? path : undefined;
}

/** Returns a page that redirects to the URL, whose origin and base64url token need no escaping. */
const redirectPage = (url: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Flamebench</title><meta name="referrer" content="no-referrer">` +
  `<meta http-equiv="refresh" content="0; url=${url}">\n`;

/**
 * Time in ms within which a browser that fails exits. One that keeps running, or has passed the page to a running one,
 * has succeeded.
 */
const START_MS = 1500;

function startsWell(argv: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const [program, ...rest] = argv;
    const child = startProgram(program ?? '', rest, { stdio: 'ignore', detached: true });
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

/**
 * Returns the path of a Chromium-based browser that can render, or of `FLAMEBENCH_CHROMIUM` if set; null if there is
 * none.
 */
export function findChromium({ platform, find }: BrowserEnvironment = hostBrowserEnvironment()): string | null {
  const named = process.env['FLAMEBENCH_CHROMIUM'];
  if (named !== undefined) return find(named);
  const places =
    platform === 'darwin'
      ? MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
      : [WINDOWLESS, ...CHROMIUM_LIKE];
  return places.map(find).find((path) => path !== null) ?? null;
}

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
