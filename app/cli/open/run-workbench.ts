import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProgram } from '#collectors/effects/start-program.ts';
import {
  checkoutNode,
  IS_CHECKOUT,
  isRendererBuilt,
  PROGRAM_FOLDER,
  rendererFolder,
} from '#app/engine/program-files.ts';
import { startEngine, type Engine, type EngineOptions } from '#app/engine/server.ts';
import { inputError, usageError } from '../errors.ts';
import { print, relay, say, warn, sayAlways } from '../output/terminal.ts';

/**
 * Starts the engine for `open` and `serve`. If something cannot be opened, the command ends before anything is shown.
 */
export async function startWorkbench(options: EngineOptions): Promise<Engine> {
  const engine = await startEngine({ log: (line) => say(`flamebench engine: ${line}`), ...options });
  const [problem] = engine.problems;
  if (problem === undefined) return engine;
  await engine.close();
  throw inputError(problem);
}

/** Builds missing parts of the workbench in a checkout; `parts` names them. */
export async function ensureBuilt(parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return;
  if (!IS_CHECKOUT || !existsSync(join(PROGRAM_FOLDER, 'node_modules', 'vite'))) {
    throw usageError(
      `the window's page is missing from ${rendererFolder()}`,
      IS_CHECKOUT ? 'run npm ci && npm run build in the checkout' : 'reinstall Flamebench',
    );
  }
  warn(`building ${parts.join(', ')} (once)…`);
  const child = startProgram(checkoutNode(), [join(PROGRAM_FOLDER, 'scripts', 'build.ts'), ...parts], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', relay);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  if (code !== 0) throw usageError('building the workbench failed', 'run npm run build to see why');
}

export const ensureRenderer = (): Promise<void> => ensureBuilt(isRendererBuilt() ? [] : ['renderer']);

/**
 * Serves until Ctrl-C, SIGTERM or SIGHUP, or `ended` resolves; if stdin is a terminal, Enter prints a new link.
 */
export async function serveUntilSignal(engine: Engine, hint: string, ended?: Promise<void>): Promise<void> {
  const input = process.stdin.isTTY ? createInterface({ input: process.stdin }) : null;
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    // readline intercepts Ctrl-C.
    input?.once('SIGINT', resolve);
    void ended?.then(resolve);
  });
  const showLinks = (): void => {
    print(`${engine.newUrl()}\n`);
    if (engine.plainOrigins.length > 0) sayAlways(codeLine(engine));
  };
  input?.on('line', showLinks);
  showLinks();
  say(`${hint}${linkLimits(engine)}; Ctrl-C ends.`);
  await asked;
  input?.close();
  await engine.close();
}

/** Returns the line with the code that pages under these addresses ask for. */
function codeLine(engine: Engine): string {
  const addresses = engine.plainOrigins.map((origin) => `${origin}/`).join(' and ');
  return `Code for ${addresses}: ${engine.newCode()} (works once, within 60 s and 3 tries)`;
}

function linkLimits({ origin, plainOrigins }: Engine): string {
  // Without IPv6 the address is always the same, and only the code expires.
  const thing = plainOrigins.includes(origin) ? 'code' : 'one';
  const limits = thing === 'code' ? ' Its page asks for the code above' : ' It works once, within 15 minutes';
  return process.stdin.isTTY ? `${limits} (Enter prints a new ${thing})` : limits;
}
