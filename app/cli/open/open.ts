import { existsSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { Option } from 'commander';
import { startProgram } from '#collectors/effects/start-program.ts';
import { comparisonWords, SIDE_WORD } from '#app/engine/comparison-words.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { resolveOpenRequest, type NamedInput } from '#app/engine/open-requests.ts';
import { liveToWord } from '#app/engine/live/live-word.ts';
import { viewFromWord, viewToWord } from '#core/report/packed-views.ts';
import { IS_CHECKOUT, isRendererBuilt, PROGRAM_FOLDER, SAMPLES_FOLDER } from '#app/engine/program-files.ts';
import type { Engine } from '#app/engine/server.ts';
import { checkPattern } from '../check-pattern.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { CliError, inputError, usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { fetchUrls } from './fetch-url.ts';
import { fetchElectron, findElectron, hasDisplay } from './find-electron.ts';
import { browserCommands, hostBrowserEnvironment, openInBrowser, type OpenedPage } from './open-browser.ts';
import { ensureBuilt, ensureRenderer, serveUntilSignal, startWorkbench } from './run-workbench.ts';
import { warn } from '../output/terminal.ts';
import { openRecentFiles } from '#app/engine/config/recent-files.ts';

interface OpenOptions {
  readonly library?: string;
  readonly browser?: true;
  readonly untilClosed?: true;
  readonly recent?: true;
  readonly compare?: true;
  readonly view?: string;
  readonly search?: string;
}

export const openCommand: CliCommand = {
  configure(command) {
    command
      .argument('[FILE...]', 'files, URLs of profiles, or ids of captures or experiments, to open')
      .option('--compare', 'compare the two: BEFORE and AFTER')
      .addOption(
        new Option('--view <text>', 'open it as seen when the command was copied: zoom, filters, value type').conflicts(
          'search',
        ),
      )
      .option('--search <regex>', 'open it with this search: matching functions are marked')
      .option(...LIBRARY_OPTION)
      .option('--recent', 'open the most recent file')
      .option('--browser', 'use the system browser even if Electron is available')
      .option('--until-closed', 'end a minute after the window in the browser is closed, saving a running recording');
  },

  async run(command) {
    const { library, browser, untilClosed: isBrief, recent, compare, search, view } = command.opts<OpenOptions>();
    const words = recent === true ? [await newestRecentFile(defaultConfigPath()), ...command.args] : command.args;
    const seen = search === undefined ? view : searchWord(search, compare === true ? [] : words);
    const fetched = await fetchUrls(words, library === undefined ? defaultLibraryPath() : resolvePath(library));
    const asked = withView(compare === true ? comparedWords(fetched) : fetched, seen);
    await openWorkbench(asked, library, browser === true, isBrief === true);
    return ExitCode.ok;
  },
};

/** Returns a view that has only a search. */
function searchWord(search: string, words: readonly string[]): string {
  checkPattern(search, '--search');
  if (words.length !== 1) throw usageError('--search takes one file or capture', 'name one: flamebench open FILE');
  return viewToWord({ search })!;
}

function withView(words: readonly string[], view: string | undefined): readonly string[] {
  if (view === undefined) return words;
  const remedy = 'copy the command again: Export › Copy command';
  if (words.length !== 1 && !words.every((word) => SIDE_WORD.test(word))) {
    throw usageError(`--view takes one input or a comparison, not ${words.length} inputs`, remedy);
  }
  if (viewFromWord(view) === undefined) throw usageError('--view: not a view that Flamebench wrote', remedy);
  return [...words, `view=${view}`];
}

function comparedWords(words: readonly string[]): string[] {
  const [before, after, ...others] = words;
  if (before === undefined || after === undefined || others.length > 0) {
    throw usageError(
      `--compare takes two inputs, not ${words.length}`,
      'give BEFORE AFTER, or use flamebench diff --open',
    );
  }
  return comparisonWords({ before: [before], after: [after] });
}

/** Runs the workbench until its window is closed or Ctrl-C is pressed. */
export async function openWorkbench(
  words: readonly string[],
  library: string | undefined,
  inBrowser: boolean,
  isBrief = false,
): Promise<void> {
  const libraryPath = library === undefined ? defaultLibraryPath() : resolvePath(library);
  // A package has no shell for Electron.
  const reason = inBrowser || !IS_CHECKOUT ? null : await tryElectron(words, libraryPath);
  if (reason === 'opened') return;
  if (reason !== null) warn(`${reason}; the workbench opens in a browser instead`);
  await ensureRenderer();
  await serveInBrowser(await startWorkbench({ libraryPath, open: words, guide: true }), isBrief);
}

/** Returns `opened` after Electron's window was closed, else one line that says why there was none. */
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
  throw new CliError(ExitCode.usage, `Electron ended: ${ending}`, 'your captures are in the library; start again');
}

/** Reports errors in the terminal instead of in a window. IDs are left unchanged. */
async function checkWords(words: readonly string[], libraryPath: string): Promise<string[]> {
  const library = await openLibrary(libraryPath, { samplesPath: SAMPLES_FOLDER });
  const request = await resolveOpenRequest(words, process.cwd(), library);
  if (request.problems[0] !== undefined) throw inputError(request.problems[0]);
  const toWord = (input: NamedInput): string => (input.kind === 'file' ? input.path : input.id);
  return [
    ...request.files.map(({ path }) => path),
    ...request.captures,
    ...(request.view === null ? [] : [`view=${request.view}`]),
    ...(request.live === null ? [] : [liveToWord(request.live)]),
    ...request.experiments,
    ...request.comparisons.flatMap(({ before, after }) =>
      comparisonWords({ before: before.map(toWord), after: after.map(toWord) }),
    ),
  ];
}

function missingParts(): string[] {
  const bundles = new Map([
    ['engine', join('dist', 'engine', 'main.mjs')],
    ['electron', join('dist', 'electron', 'main.cjs')],
  ]);
  const missing = [...bundles].filter(([, path]) => !existsSync(join(PROGRAM_FOLDER, path))).map(([id]) => id);
  return isRendererBuilt() ? missing : ['renderer', ...missing];
}

/** Time in ms within which an Electron that cannot start (a missing library, no sandbox) exits. */
const START_MS = 10_000;

/** Resolves when Electron has ended: with null if the user closed it, else with how it ended. */
function runElectron(executable: string, paths: readonly string[], libraryPath: string): Promise<string | null> {
  // Chromium's sandbox refuses to start for root.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return new Promise((resolve) => {
    const child = startProgram(executable, [PROGRAM_FOLDER, ...flags, ...paths], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, FLAMEBENCH_LIBRARY: libraryPath },
    });
    // Ctrl-C also reaches Electron, which saves running recordings; this process waits for it.
    process.on('SIGINT', () => undefined);
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const byUser = code === 0 || signal === 'SIGINT' || signal === 'SIGTERM';
      resolve(byUser ? null : signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
}

/**
 * Time in ms after which the file with the link is removed, even if no browser has read it, and after which
 * `--until-closed` ends without a window. The printed link stays valid for longer.
 */
const FORGET_MS = 60_000;

async function serveInBrowser(engine: Engine, isBrief: boolean): Promise<void> {
  const ended = isBrief ? untilClosed(engine, FORGET_MS) : undefined;
  if (!hasDisplay()) {
    await serveUntilSignal(
      engine,
      'No display found: open this link in a browser (from another machine, through ssh -L).',
      ended,
    );
    return;
  }
  // The window may connect before the browser's start is known to have succeeded.
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
  const hint = page === null ? 'Could not start a browser: open this link.' : 'If no window appears, open this link.';
  await serveUntilSignal(engine, hint, ended);
  clearTimeout(timer);
  await page?.forget();
}

/** Returns the path of the most recently opened file that still exists. */
export async function newestRecentFile(configFolder: string): Promise<string> {
  const recent = await openRecentFiles(configFolder);
  try {
    for (const { id } of recent.list()) {
      const found = await recent.find(id).catch(() => null);
      if (found !== null) return found.path;
    }
  } finally {
    await recent.close();
  }
  throw inputError('none of the recent files still exists', 'name one: flamebench open FILE');
}

/**
 * Resolves when no window has been connected for a time in ms, which allows for a reload and for the start of the
 * browser.
 */
export function untilClosed(
  { onWindow, onNoWindow }: Pick<Engine, 'onWindow' | 'onNoWindow'>,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const wait = (): NodeJS.Timeout => setTimeout(resolve, ms).unref();
    let timer = wait();
    onWindow(() => clearTimeout(timer));
    onNoWindow(() => (timer = wait()));
  });
}
