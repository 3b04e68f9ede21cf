import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundComponents } from '#core/contract/load/component.ts';
import type { ServerOptions, SideServer } from '#core/contract/load/experiment.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { SpawnFailure, type RunningProcess, type Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { findComponents } from './find-components.ts';
import { componentsUnder, portOf } from './find-server.ts';
import { runHook } from './run-hook.ts';

/** The server of a turn. */
export interface TurnServer {
  /** Its processes on this machine. */
  readonly found: FoundComponents;
  /** Ends what was started; resolves when no process of it is left and its port is free. */
  end(): Promise<void>;
}

const POLL_MS = 100;
/** Time that a server may take to end before it is killed, and its port to become free. Milliseconds. */
const END_MS = 10_000;

/** Brings a side's server up on this machine. Rejects with an `EngineFailure`; nothing is left running then. */
export async function startSideServer(
  target: Target,
  side: SideServer,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<TurnServer> {
  const ready = options.ready ?? side.url;
  if (side.change !== null)
    await runHook(target, side.change, { failed: `${quoteArgv(side.change)} failed`, code: 'change-failed' }, signal);
  if (side.start === null) {
    await untilReady({ ready, url: side.url }, options.readySeconds, signal, () => null);
    return { found: await watchedOf(target, side.url, options), end: () => Promise.resolve() };
  }
  if (await accepts(side.url)) {
    throw new EngineFailure(
      'port-taken',
      `Something already listens at ${redactText(originOf(side.url))}.`,
      'End it, or give the port that the command uses.',
    );
  }
  const child = await start(target, side.start, options);
  const output = followOutput(child);
  const ended = { how: null as string | null };
  // What it left in the background may become ready as long as it can print.
  void Promise.all([child.exit, output.ended]).then(([{ code, signal: by }]) => {
    ended.how = by === null ? `exit code ${code}` : `signal ${by}`;
  });
  try {
    await untilReady({ ready, url: side.url }, options.readySeconds, signal, () => ended.how, output.lastLines);
    const found = await watchedOf(target, side.url, options, child.pid);
    return { found, end: () => endServer(child, side.url) };
  } catch (error) {
    await endServer(child, side.url);
    throw error;
  }
}

async function start(target: Target, argv: readonly string[], { cwd, env }: ServerOptions): Promise<RunningProcess> {
  try {
    return await target.run(argv, { input: false, env, ...(cwd === null ? {} : { cwd }) });
  } catch (error) {
    if (!(error instanceof SpawnFailure)) throw error;
    throw new EngineFailure('no-start', `${argv[0]} can't be started: ${error.message}.`, 'Check its path and --cwd.');
  }
}

const MAX_SAID = 4000;

/** Reads all output of a server, so that it never waits; its last lines are for messages. */
function followOutput({ stdout, stderr }: RunningProcess): {
  readonly ended: Promise<unknown>;
  readonly lastLines: () => string;
} {
  let text = '';
  const read = async (output: AsyncIterable<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of output) text = (text + decoder.decode(chunk, { stream: true })).slice(-MAX_SAID);
  };
  return {
    ended: Promise.allSettled([read(stdout), read(stderr)]),
    lastLines: () => redactText(text.trim().split('\n').slice(-3).join(' | ')).slice(0, 600),
  };
}

/** Waits until `ready` answers with anything but an error of the server, and `url` accepts connections. */
async function untilReady(
  { ready, url }: { readonly ready: string; readonly url: string },
  seconds: number,
  signal: AbortSignal,
  ended: () => string | null,
  said: () => string = () => '',
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  const failed = (what: string): EngineFailure => {
    const last = said();
    return new EngineFailure(
      'not-ready',
      `${what}${last === '' ? '' : `; its last lines: ${last}`}.`,
      'Start it by hand to see why, or give --ready URL and --ready-seconds.',
    );
  };
  while (!signal.aborted) {
    const how = ended();
    if (how !== null) throw failed(`The server ended before it was ready (${how})`);
    if ((await answers(ready)) && (await accepts(url))) return;
    if (performance.now() > deadline) throw failed(`${redactText(ready)} was not ready after ${seconds} s`);
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}

const originOf = (url: string): string => new URL(url).origin;

/** Returns whether something accepts connections at the URL's address. */
function accepts(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: portOf(url) });
    const answer = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).setTimeout(5000, answer(false));
  });
}

/**
 * Returns the processes of a server of this machine: of one that was started, which `root` names, those under it that
 * listen at a port and their workers; of others, those at the URL's port and what they are connected to.
 */
export async function watchedOf(
  target: Target,
  url: string,
  { components = [], isUnwatched }: ServerOptions,
  root: number | null = null,
): Promise<FoundComponents> {
  if (isUnwatched === true) return { machine: null, sentence: null };
  return findComponents(target, {
    url,
    find: root === null ? 'if-found' : 'no',
    isServer: false,
    components,
    pids: root === null ? [] : await componentsUnder(target, root, portOf(url)),
  });
}

async function endServer(child: RunningProcess, url: string): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await child.exit;
  clearTimeout(timer);
  // Children may outlive it, also without its port.
  child.kill('SIGKILL');
  const deadline = performance.now() + END_MS;
  while (await accepts(url)) {
    if (performance.now() > deadline) {
      throw new EngineFailure(
        'port-kept',
        `Something still listens at ${redactText(originOf(url))} after the server ended.`,
        'Let the server stay in the foreground: a service that detaches can’t be ended; use --switch-before and --switch-after.',
      );
    }
    await sleep(POLL_MS);
  }
}
