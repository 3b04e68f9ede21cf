import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventSchema, type EngineEvent } from '#core/contract/contract.ts';
import { EVENTS_PROTOCOL, PATHS } from '#core/contract/paths.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { containing } from '../support/matching.ts';
import { STATUS, startTestEngine, type TestEngine } from '../support/test-engine.ts';

interface Window {
  readonly socket: WebSocket;
  readonly events: EngineEvent[];
}

interface Attempt {
  readonly path?: string;
  readonly protocols?: string[];
  readonly headers?: Record<string, string>;
}

/** Resolves with the window, or with the HTTP status of the refusal. */
async function connectWindow(
  { engine, port, host, session }: TestEngine,
  attempt: Attempt = {},
): Promise<Window | number> {
  const protocols = attempt.protocols ?? [EVENTS_PROTOCOL, await session()];
  const socket = new WebSocket(`ws://127.0.0.1:${port}${attempt.path ?? PATHS.events}`, protocols, {
    headers: { host, origin: engine.origin, ...attempt.headers },
  });
  onTestFinished(() => socket.terminate());
  const events: EngineEvent[] = [];
  socket.on('message', (data: Buffer) => events.push(eventSchema.parse(JSON.parse(data.toString()))));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, events }));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', reject);
  });
}

async function connected(engine: TestEngine): Promise<Window> {
  const window = await connectWindow(engine);
  if (typeof window === 'number') throw new Error(`refused with ${window}`);
  return window;
}

test('windows are notified of recordings and library changes, whoever made them', async () => {
  const test = await startTestEngine();
  const [one, two] = [await connected(test), await connected(test)];
  expect(one.socket.protocol).toBe(EVENTS_PROTOCOL);
  test.recorder.tell(STATUS);
  const recording: EngineEvent = { kind: 'recording', status: STATUS };
  await expect.poll(() => [one.events, two.events]).toEqual([[recording], [recording]]);
  const elsewhere = await openLibrary(test.engine.libraryPath);
  await elsewhere.importFile('a.folded', chunksOf('main 1\n'));
  await expect.poll(() => one.events, { timeout: 5000 }).toContainEqual({ kind: 'library-changed' });
});

test('files opened later go to the newest window, or wait for one', async () => {
  const test = await startTestEngine();
  writeFileSync(join(test.folder, 'a.folded'), 'main 1\n');
  await test.engine.openFiles(['a.folded'], test.folder);
  expect(await test.result('app.state', {})).toMatchObject({ pendingFiles: [{ fileName: 'a.folded' }] });
  const [one, two] = [await connected(test), await connected(test)];
  const library = await openLibrary(test.engine.libraryPath);
  const { id } = await library.importFile('b.folded', chunksOf('main 1\n'));
  await test.engine.openFiles(['a.folded', `/some/where/${id}`, 'missing'], test.folder);
  const opened = (events: readonly EngineEvent[]): EngineEvent[] => events.filter(({ kind }) => kind === 'open-files');
  await expect
    .poll(() => opened(two.events))
    .toMatchObject([{ files: [{ fileName: 'a.folded' }], captures: [id], notices: [containing('missing')] }]);
  expect(opened(one.events)).toEqual([]);
});

test.each<[string, Attempt | ((session: string) => Attempt), number]>([
  ['no token', { protocols: [EVENTS_PROTOCOL] }, 401],
  ['a wrong token', { protocols: [EVENTS_PROTOCOL, 'A'.repeat(43)] }, 401],
  ['the token alone', (session) => ({ protocols: [session] }), 401],
  ['the token first', (session) => ({ protocols: [session, EVENTS_PROTOCOL] }), 401],
  ['more protocols', (session) => ({ protocols: [EVENTS_PROTOCOL, session, 'x'] }), 401],
  ['another origin', { headers: { origin: 'https://evil.example' } }, 403],
  ['another port as origin', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
  ['another host', { headers: { host: 'evil.example', origin: 'http://evil.example' } }, 403],
  ['the plain address', { headers: { host: '127.0.0.1', origin: 'http://127.0.0.1' } }, 403],
  ['another path', { path: '/' }, 404],
  ['a path with a query', { path: '/events?x' }, 404],
  ['a path that is encoded', { path: '/%65vents' }, 404],
])('%s gets no events', async (_what, attempt, status) => {
  const test = await startTestEngine();
  const given = typeof attempt === 'function' ? attempt(await test.session()) : attempt;
  expect(await connectWindow(test, given)).toBe(status);
});

test('disconnects a window that sends a large frame; other windows stay', async () => {
  const test = await startTestEngine();
  const [one, two] = [await connected(test), await connected(test)];
  const closed = new Promise((resolve) => one.socket.once('close', resolve));
  one.socket.send('x'.repeat(5000));
  expect(await closed).toBe(1009);
  two.socket.send('hello');
  test.recorder.tell(STATUS);
  await expect.poll(() => two.events).toHaveLength(1);
});

test.each([
  ['text that is not UTF-8', ({ socket }: Window) => socket.send(Buffer.from([0xff]), { binary: false }), 1007],
  ['a frame without a mask', ({ socket }: Window) => socket.send('x', { mask: false }), 1002],
])('disconnects a window that sends %s; other windows stay', async (_what, send, code) => {
  const test = await startTestEngine();
  const [one, two] = [await connected(test), await connected(test)];
  const closed = new Promise((resolve) => one.socket.once('close', resolve));
  send(one);
  expect(await closed).toBe(code);
  test.recorder.tell(STATUS);
  await expect.poll(() => two.events).toHaveLength(1);
});

test('closing the engine closes its windows', async () => {
  const test = await startTestEngine();
  const { socket } = await connected(test);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await test.engine.close();
  await closed;
  expect(socket.readyState).toBe(WebSocket.CLOSED);
});
