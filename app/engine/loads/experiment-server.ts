import { request } from 'node:http';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundComponents } from '#core/contract/load/component.ts';
import type { ServerOptions, SideServer } from '#core/contract/load/experiment.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { explainConnection } from '#collectors/fetch/explain-failure.ts';
import { portOf } from '#collectors/fetch/url-port.ts';
import { processTree } from '#collectors/target/processes.ts';
import { SpawnFailure, type RunningProcess, type Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { findComponents } from './find-components.ts';
import { componentsUnder } from './find-server.ts';
import { runHook } from './run-hook.ts';

/** The server of a turn. */
export interface TurnServer {
  /** Its processes on this machine. */
  readonly found: FoundComponents;
  /** Rejects with an `EngineFailure` if a server that was started accepts connections no longer. */
  readonly check: () => Promise<void>;
  /** Ends what was started; resolves when no process of it is left and its port is free. */
  end(): Promise<void>;
}

const POLL_MS = 100;
/** Time that a server may take to end before it is killed, and its port to become free. Milliseconds. */
const END_MS = 10_000;

/** Returns the command that starts or switches a side, without secrets; null: none does. */
export function sideCommand({ start, change }: SideServer, { cwd, env }: ServerOptions): string[] | null {
  if (start === null) return change && redactArgv(change);
  const set = [...(cwd === null ? [] : ['-C', cwd]), ...Object.entries(env).map((pair) => pair.join('='))];
  return redactArgv(set.length === 0 ? start : ['env', ...set, ...start]);
}

/**
 * Brings a side's server up on this machine. Rejects with an `EngineFailure`, or with the signal's reason; nothing is
 * left running then.
 */
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
    const nothing = (): Promise<void> => Promise.resolve();
    return { found: await watchedOf(target, side.url, options), check: nothing, end: nothing };
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
  const end = (): Promise<void> => endServer(target, child, side.url);
  try {
    await untilReady({ ready, url: side.url }, options.readySeconds, signal, () => ended.how, output.lastLines);
    const found = await watchedOf(target, side.url, options, child.pid);
    return { found, check: () => checkServer(side.url, () => ended.how, output.lastLines), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function checkServer(url: string, ended: () => string | null, said: () => string): Promise<void> {
  const deadline = performance.now() + END_MS;
  while (!(await accepts(url))) {
    const how = ended();
    const what =
      how === null ? 'The server no longer accepts connections' : `The server ended during its turn (${how})`;
    // One that still runs may be about to work off its queue.
    if (how !== null || performance.now() > deadline)
      throw new EngineFailure('server-ended', withLastLines(what, said), 'Start it by hand to see why.');
    await sleep(POLL_MS);
  }
}

function withLastLines(what: string, said: () => string): string {
  const last = said();
  return `${what}${last === '' ? '' : `; its last lines: ${last}`}.`;
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

/**
 * Waits until `ready` answers with anything but an error of the server, and `url` accepts connections. Rejects with an
 * `EngineFailure`, or with the signal's reason.
 */
async function untilReady(
  { ready, url }: { readonly ready: string; readonly url: string },
  seconds: number,
  signal: AbortSignal,
  ended: () => string | null,
  said: () => string = () => '',
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  const failed = (what: string): EngineFailure =>
    new EngineFailure(
      'not-ready',
      withLastLines(what, said),
      'Start it by hand to see why, or give --ready URL and --ready-seconds.',
    );
  while (!signal.aborted) {
    const how = ended();
    if (how !== null) throw failed(`The server ended before it was ready (${how})`);
    const reason =
      (await problemOf(ready)) ?? ((await accepts(url)) ? null : `${originOf(url)} accepts no connections`);
    if (reason === null) return;
    if (performance.now() > deadline) throw failed(redactText(`${ready} was not ready after ${seconds} s: ${reason}`));
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  signal.throwIfAborted();
}

/** Time for an answer of a server that starts. Milliseconds. */
const ANSWER_MS = 5000;

/** Returns why a URL does not answer, or its status of 5xx; null: it is ready. Any certificate will do, as for wrk. */
function problemOf(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const agent = new URL(url).protocol === 'https:' && new Agent({ rejectUnauthorized: false });
    const asked = request(url, { agent }, ({ statusCode = 0 }) => {
      resolve(statusCode < 500 ? null : `it answered ${statusCode}`);
      asked.destroy();
    });
    const late = setTimeout(() => {
      resolve(`it did not answer within ${ANSWER_MS / 1000} s`);
      asked.destroy();
    }, ANSWER_MS);
    asked.on('error', (error) => resolve(explainConnection(url, error).message));
    asked.once('close', () => clearTimeout(late));
    asked.end();
  });
}

const originOf = (url: string): string => new URL(url).origin;

/** Returns whether something accepts connections at the URL's address. */
function accepts(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: portOf(new URL(url)) });
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
    pids: root === null ? [] : await componentsUnder(target, root, portOf(new URL(url))),
  });
}

async function endServer(target: Target, child: RunningProcess, url: string): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await child.exit;
  clearTimeout(timer);
  // Children may outlive it, also without its port.
  child.kill('SIGKILL');
  const deadline = performance.now() + END_MS;
  while (await hasGroup(target, child.pid)) {
    if (performance.now() > deadline)
      throw new EngineFailure('not-ended', 'Processes of the server still run after they were killed.', 'End them.');
    await sleep(POLL_MS);
  }
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

/** Returns whether a process of a group is left; one that has ended and was not waited for is none. */
const hasGroup = async (target: Target, group: number): Promise<boolean> =>
  (await processTree(target, 0)).some((one) => one.group === group);
