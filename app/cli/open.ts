import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { resolveOpenRequest } from '#app/engine/open-requests.ts';
import { isRendererBuilt, PROGRAM_FOLDER, SAMPLES_FOLDER } from '#app/engine/program-files.ts';
import type { Engine } from '#app/engine/server.ts';
import { ExitCode, type CliCommand } from './command.ts';
import { CliError, inputError } from './errors.ts';
import { fetchElectron, findElectron, hasDisplay } from './find-electron.ts';
import { browserCommands, hostBrowserEnvironment, openInBrowser, type OpenedPage } from './open-browser.ts';
import { newestRecentFile } from './recent-file.ts';
import { ensureBuilt, ensureRenderer, serveUntilSignal, startWorkbench } from './run-workbench.ts';

interface OpenOptions {
  readonly library?: string;
  readonly browser?: true;
  readonly recent?: true;
}

export const openCommand: CliCommand = {
  configure(command) {
    command
      .argument('[FILE...]', 'files, or ids of captures, to open')
      .option('--library <FOLDER>', 'the library (default: $FLAMEBENCH_LIBRARY, else in the user’s data folder)')
      .option('--recent', 'open the file that was opened last')
      .option('--browser', 'use the system’s browser even where Electron could be started');
  },

  async run(command) {
    const { library, browser, recent } = command.opts<OpenOptions>();
    const words = recent === true ? [await newestRecentFile(defaultConfigPath()), ...command.args] : command.args;
    const libraryPath = library === undefined ? defaultLibraryPath() : resolvePath(library);
    const reason = browser === true ? null : await tryElectron(words, libraryPath);
    if (reason === 'opened') return ExitCode.ok;
    if (reason !== null) process.stderr.write(`flamebench: ${reason}; the workbench opens in a browser instead\n`);
    await ensureRenderer();
    await serveInBrowser(await startWorkbench({ libraryPath, open: words }));
    return ExitCode.ok;
  },
};

/** `opened` once Electron's window has been closed again, else one line that says why there was none. */
async function tryElectron(words: readonly string[], libraryPath: string): Promise<string> {
  let found = findElectron();
  if ('reason' in found && found.reason === 'Electron is not installed') {
    const problem = await fetchElectron();
    found = problem === null ? findElectron() : { reason: `${found.reason}: ${problem}` };
  }
  if ('reason' in found) return found.reason;
  const paths = await checkWords(words, libraryPath);
  await ensureBuilt(missingParts());
  const start = performance.now();
  const ending = await runElectron(found.executable, paths, libraryPath);
  if (ending === null) return 'opened';
  if (performance.now() - start < START_MS) return `Electron could not start (${ending})`;
  throw new CliError(ExitCode.usage, `Electron ended: ${ending}`, 'what was captured is in the library; start again');
}

/** Fails here, in the terminal, rather than in a window. Capture ids stay as they are. */
async function checkWords(words: readonly string[], libraryPath: string): Promise<string[]> {
  const library = await openLibrary(libraryPath, { samplesPath: SAMPLES_FOLDER });
  const { files, captures, problems } = await resolveOpenRequest(words, process.cwd(), library);
  if (problems[0] !== undefined) throw inputError(problems[0]);
  return [...files.map(({ path }) => path), ...captures];
}

function missingParts(): string[] {
  const bundles = new Map([
    ['engine', join('dist', 'engine', 'main.mjs')],
    ['electron', join('dist', 'electron', 'main.cjs')],
  ]);
  const missing = [...bundles].filter(([, path]) => !existsSync(join(PROGRAM_FOLDER, path))).map(([id]) => id);
  return isRendererBuilt() ? missing : ['renderer', ...missing];
}

/** An Electron that can't start (a missing library, no sandbox) says so within this time. */
const START_MS = 10_000;

/** Resolves once Electron has ended: with null where the user ended it, else with how it ended. */
function runElectron(executable: string, paths: readonly string[], libraryPath: string): Promise<string | null> {
  // Chromium refuses to start for root with its sandbox.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return new Promise((resolve) => {
    const child = spawn(executable, [PROGRAM_FOLDER, ...flags, ...paths], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { FLAMEBENCH_ENGINE_NODE: process.execPath, ...process.env, FLAMEBENCH_LIBRARY: libraryPath },
    });
    // Ctrl-C reaches Electron, too, which saves what is being recorded; this process waits for it.
    process.on('SIGINT', () => undefined);
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const byUser = code === 0 || signal === 'SIGINT' || signal === 'SIGTERM';
      resolve(byUser ? null : signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
}

/** A browser that has not come for the page by now won't: the token has run out. */
const FORGET_MS = 60_000;

async function serveInBrowser(engine: Engine): Promise<void> {
  if (!hasDisplay()) {
    await serveUntilSignal(engine, 'There is no display: open this link in a browser (through ssh -L from elsewhere).');
    return;
  }
  // The window may be there before the browser is known to have started well.
  let arrived = false;
  let page: OpenedPage | null = null;
  const forget = (): void => {
    arrived = true;
    void page?.forget();
  };
  engine.onWindow(forget);
  page = await openInBrowser(engine.newUrl(), browserCommands(hostBrowserEnvironment()));
  if (arrived) await page?.forget();
  const timer = setTimeout(forget, FORGET_MS).unref();
  const hint = page === null ? 'No browser could be started: open this link.' : 'If no window appears, open this link.';
  await serveUntilSignal(engine, hint);
  clearTimeout(timer);
  await page?.forget();
}
