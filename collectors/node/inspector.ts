import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { expectChosen } from '../chosen-process.ts';
import { fetchText, FETCH_LIMITS } from '../fetch/http-fetch.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { listenersWithin, type Listener } from '../target/listeners.ts';
import { readProcStat } from '../target/processes.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { ForwardedPort, Target } from '../target/target.ts';
import type { NodeProcess } from './checks.ts';
import { inNetworkOf } from './own-network.ts';
import { CLOSE, signalArgv } from './plan.ts';

/** Time for the target to open its inspector, and to close it. */
const PORT_MS = 5000;
const POLL_MS = 50;
/** Time for an answer of the target, whose garbage collector may be running. */
const ANSWER_MS = 30_000;
/** Size of a profile as JSON within JSON. */
const MAX_ANSWER = 512 << 20;
const LIST_BYTES = 64 << 10;
const LIST_LIMITS = { ...FETCH_LIMITS, connectMs: 2000, headMs: 3000, idleMs: 2000, bodyMs: 4000 };

/** Runs a text in a Node process by its inspector. */
export interface Inspector {
  /** False: it was open before, and stays open. */
  readonly wasOpened: boolean;
  readonly port: number;
  /** Returns what the expression, which may be a promise, evaluates to: a text or a number. */
  evaluate(expression: string, isPromise?: boolean): Promise<string | number | null>;
  /** Ends the connection. */
  leave(): Promise<void>;
  /** Waits until the port that was opened is closed; returns whether it is. */
  isClosed(): Promise<boolean>;
}

const isOnLoopback = ({ host, isWildcard }: Listener): boolean =>
  isWildcard !== true && /^(?:127\.|\[0:0:0:0:0:0:0:1\]$|\[::1\]$)/.test(host);

/** What uses the inspectors of a target's processes, by PID: a second one would find a port that is about to close. */
const users = new WeakMap<Target, Map<number, Promise<unknown>>>();

/**
 * Connects to the inspector, which is opened with SIGUSR1 unless it is open, runs `use`, and waits until a port that was
 * opened is closed. `onOpen` is called if it stays open. Throws a {@link RefusedRecording}.
 */
export async function withInspector<T>(
  target: Target,
  node: NodeProcess,
  use: (inspector: Inspector) => Promise<T>,
  onOpen: () => void = () => undefined,
): Promise<T> {
  const busy = users.get(target) ?? new Map<number, Promise<unknown>>();
  users.set(target, busy);
  const run = async (): Promise<T> => {
    const { ownNetwork, pid } = node;
    const inspector = await attach(ownNetwork === null ? target : inNetworkOf(target, pid, ownNetwork), node);
    try {
      return await use(inspector);
    } finally {
      await inspector.leave();
      if (inspector.wasOpened && !(await inspector.isClosed())) onOpen();
    }
  };
  const turn = (busy.get(node.pid) ?? Promise.resolve()).then(run, run);
  busy.set(node.pid, turn);
  return turn;
}

async function attach(target: Target, node: NodeProcess): Promise<Inspector> {
  const { pid } = node;
  await expectChosen(target, node);
  const before = await listenersOf(target, pid);
  const known = before.filter(({ port }) => port === node.port);
  const open = await firstInspector(target, known);
  if (open !== null) return connectTo(target, node, open, false);
  if (known.length > 0)
    throw new RefusedRecording(
      'port-taken',
      `process ${pid} listens at port ${node.port} for something else than its inspector`,
      'start it with --inspect-port=0',
    );
  const { exit, stderr } = await runToEnd(target, signalArgv(pid), { env: { LC_ALL: 'C' } });
  if (exit.code !== 0)
    throw new RefusedRecording(
      'not-allowed',
      `process ${pid} can’t be signalled: ${escapeControls(stderr.trim().split('\n')[0] ?? '').slice(0, 200)}`,
      'record as its user or as root',
    );
  const until = performance.now() + PORT_MS * (target.slowness?.() ?? 1);
  while (performance.now() < until) {
    const now = await listenersOf(target, pid);
    const found = await firstInspector(
      target,
      now.filter(({ host, port }) => !before.some((one) => one.host === host && one.port === port)),
    );
    if (found !== null) return connectTo(target, node, found, true);
    await sleep(POLL_MS);
  }
  // A program may have opened it itself, at another port; then the signal has no effect.
  const own = await firstInspector(target, before);
  if (own !== null) return connectTo(target, node, own, false);
  if ((await readProcStat(target, pid))?.startTicks !== node.startTicks)
    throw new RefusedRecording('process-ended', `process ${pid} ended`, null);
  throw new RefusedRecording(
    'no-port',
    `process ${pid} opened no inspector within ${PORT_MS / 1000} s of SIGUSR1`,
    'its own output says why; a program that handles SIGUSR1 itself has received it, and opens none: record it with perf',
  );
}

const listenersOf = async (target: Target, pid: number): Promise<readonly Listener[]> =>
  (await listenersWithin(target, pid)) ?? [];

/** An inspector that listens: the path of its WebSocket is an ID. */
interface Found {
  readonly listener: Listener;
  readonly id: string;
}

const listSchema = z.array(z.object({ id: z.string().regex(/^[\w-]{1,100}$/), type: z.literal('node') })).min(1);

const addressOf = ({ host, port }: Listener): string => `${host}:${port}`;

/** Asks each listener for its list of targets. The WebSocket's address that it gives is not used, only the ID. */
async function firstInspector(target: Target, listeners: readonly Listener[]): Promise<Found | null> {
  for (const listener of listeners) {
    const forwarded = await target.forwardPort(listener.port, listener.host).catch(() => null);
    if (forwarded === null) continue;
    try {
      const fetch = { url: `http://${addressOf(listener)}/json/list`, options: {}, via: forwarded.address };
      const signal = AbortSignal.timeout(5000);
      const text = await fetchText({ ...fetch, signal, limits: LIST_LIMITS }, LIST_BYTES);
      const list = listSchema.safeParse(JSON.parse(text));
      if (list.success) return { listener, id: list.data[0]!.id };
    } catch {
      // It is not an inspector, or not yet.
    } finally {
      await forwarded.close();
    }
  }
  return null;
}

async function connectTo(
  target: Target,
  node: NodeProcess,
  { listener, id }: Found,
  wasOpened: boolean,
): Promise<Inspector> {
  const forwarded = await target.forwardPort(listener.port, listener.host);
  let session: Session;
  try {
    session = await openSession(forwarded.address, `ws://${addressOf(listener)}/${id}`);
  } catch (error) {
    await forwarded.close();
    throw error;
  }
  const inspector: Inspector = {
    wasOpened,
    port: listener.port,
    evaluate: (expression, isPromise = false) => session.evaluate(expression, isPromise, target.slowness?.() ?? 1),
    async leave() {
      session.end();
      await forwarded.close();
    },
    async isClosed() {
      const until = performance.now() + PORT_MS * (target.slowness?.() ?? 1);
      const isIt = ({ host, port }: Listener): boolean => host === listener.host && port === listener.port;
      while ((await listenersOf(target, node.pid)).some(isIt)) {
        if (performance.now() > until) return false;
        await sleep(POLL_MS);
      }
      return true;
    },
  };
  try {
    const isForeign = wasOpened && !isOnLoopback(listener);
    // Whatever ends the connection then, the process closes the port.
    const pid = await inspector.evaluate(wasOpened ? CLOSE : 'process.pid');
    if (isForeign)
      throw new RefusedRecording(
        'foreign-address',
        `process ${node.pid} opened its inspector where other machines may reach it, so it was closed at once`,
        'start it without an --inspect-port address, or record it with perf',
      );
    if (pid !== node.innerPid)
      throw new RefusedRecording(
        'other-process',
        `the inspector belongs to process ${pid}, not ${node.innerPid}`,
        null,
      );
    return inspector;
  } catch (error) {
    await inspector.leave();
    throw error;
  }
}

const answerSchema = z.object({
  id: z.number(),
  error: z.object({ message: z.string() }).exactOptional(),
  result: z
    .object({
      result: z.object({ value: z.union([z.string(), z.number(), z.null()]).exactOptional() }).exactOptional(),
      exceptionDetails: z
        .object({ text: z.string(), exception: z.object({ description: z.string().exactOptional() }).exactOptional() })
        .exactOptional(),
    })
    .exactOptional(),
});
type Answer = z.infer<typeof answerSchema>;

interface Session {
  evaluate(expression: string, isPromise: boolean, slowness: number): Promise<string | number | null>;
  end(): void;
}

const lost = (): RefusedRecording =>
  new RefusedRecording(
    'connection-lost',
    'the inspector’s connection ended',
    'record again; the process may have ended',
  );

/** Connects as Chrome's DevTools do; see chromedevtools.github.io/devtools-protocol. */
async function openSession(via: ForwardedPort['address'], url: string): Promise<Session> {
  // Loaded here because other recordings need no WebSocket.
  const { WebSocket: Client } = await import('ws');
  const socket: WebSocket = new Client(url, {
    createConnection: () => connect(via),
    handshakeTimeout: ANSWER_MS,
    maxPayload: MAX_ANSWER,
    perMessageDeflate: false,
  });
  const waiting = new Map<number, (answer: Answer | null) => void>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('open', resolve);
  socket.on('error', () => reject(lost()));
  socket.on('close', () => {
    reject(lost());
    for (const answered of waiting.values()) answered(null);
  });
  socket.on('message', (bytes: Buffer) => {
    const answer = readAnswer(bytes.toString('utf8'));
    if (answer !== null) waiting.get(answer.id)?.(answer);
  });
  await promise;
  let last = 0;
  return {
    async evaluate(expression, isPromise, slowness) {
      const id = (last += 1);
      const answered = new Promise<Answer | null>((done) => waiting.set(id, done));
      const params = { expression, awaitPromise: isPromise, returnByValue: true, includeCommandLineAPI: true };
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
      const over = new AbortController();
      const late = sleep(ANSWER_MS * slowness, null, { signal: over.signal }).catch(() => null);
      const answer = await Promise.race([answered, late]);
      over.abort();
      waiting.delete(id);
      if (answer === null) throw lost();
      const { result, error } = answer;
      const details = result?.exceptionDetails;
      const problem = error?.message ?? details?.exception?.description ?? details?.text;
      if (problem !== undefined) {
        const said = escapeControls(problem.split('\n')[0]!).slice(0, 300);
        throw new RefusedRecording('refused', `the process refused: ${said}`, 'record it with perf');
      }
      return result?.result?.value ?? null;
    },
    end: () => socket.terminate(),
  };
}

function readAnswer(text: string): Answer | null {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
