import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_WITHOUT_SESSION } from '#app/engine/http/connections.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';

interface Connection {
  readonly socket: Socket;
  /** Returns what the engine has sent. */
  readonly received: () => string;
  isOpen: boolean;
}

/** Opens a connection that sends `text` and then nothing. */
function open(port: number, text = '', address = '127.0.0.1'): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: address, allowHalfOpen: true }, () => resolve(connection));
    const connection: Connection = { socket, received: () => received, isOpen: true };
    socket.write(text);
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    for (const event of ['end', 'close', 'error']) socket.on(event, () => (connection.isOpen = false));
    socket.once('error', reject);
    onTestFinished(() => void socket.destroy());
  });
}

async function openMany(port: number, count: number, text = ''): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let index = 0; index < count; index++) {
    connections.push(await open(port, text, index % 2 === 0 ? '127.0.0.1' : '::1'));
  }
  return connections;
}

/** Returns the indices of open connections. */
const openOnes = (connections: readonly Connection[]): number[] =>
  connections.flatMap(({ isOpen }, index) => (isOpen ? [index] : []));

const indices = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** Sends a request on a connection that is reused; resolves with the port from which it was sent. */
async function callFrom(test: TestEngine, agent: Agent, token: string): Promise<number | undefined> {
  const headers = { host: test.host, origin: test.engine.origin, [TOKEN_HEADER]: token };
  return new Promise((resolve, reject) => {
    const path = `${PATHS.rpc}app.state`;
    const sent = request({ host: '127.0.0.1', port: test.port, path, method: 'POST', headers, agent }, (response) => {
      const { localPort } = response.socket;
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? localPort : undefined));
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

test('closes the oldest of more than 16 idle connections, and never the newest', async () => {
  const { port } = await startTestEngine();
  const connections = await openMany(port, 20);
  await expect.poll(() => openOnes(connections)).toEqual(indices(20 - MAX_WITHOUT_SESSION, 20));
  connections.push(await open(port, 'GET / HTTP/1.1\r\nHost: '));
  await expect.poll(() => openOnes(connections)).toEqual(indices(21 - MAX_WITHOUT_SESSION, 21));
});

test('answers the user’s page under 1,000 idle connections, and keeps its own', async () => {
  const test = await startTestEngine();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
  });
  const token = await test.session();
  const own = await callFrom(test, agent, token);
  const idle = await openMany(test.port, 500);
  const slow = await openMany(test.port, 500, `GET / HTTP/1.1\r\nHost: ${test.host}\r\nX: `);
  expect(await callFrom(test, agent, token)).toBe(own);
  // Another connection that starts without a session, as each page does.
  expect((await test.send('/')).status).toBe(200);
  expect(await test.call('app.state', {})).toMatchObject({ ok: true });
  await expect.poll(() => openOnes([...idle, ...slow]).length).toBeLessThanOrEqual(MAX_WITHOUT_SESSION);
});

test('a burst of connections does not affect one that sends its request', async () => {
  const test = await startTestEngine();
  const pending = indices(0, 200).map(() => open(test.port));
  const answer = test.send('/');
  const after = indices(0, 50).map(() => open(test.port));
  expect((await answer).status).toBe(200);
  await Promise.all([...pending, ...after]);
});

test('a request that is being sent is not idle', async () => {
  const { port, host } = await startTestEngine();
  const body = JSON.stringify({ fragmentToken: 'x' });
  const head = `POST /session HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const slow = await open(port, head + body.slice(0, 5));
  const idle = await openMany(port, 30);
  await expect.poll(() => openOnes(idle).length).toBeLessThan(MAX_WITHOUT_SESSION);
  slow.socket.write(body.slice(5));
  await expect.poll(slow.received).toMatch(/^HTTP\/1\.1 401/);
});

test.each([
  [
    'an upgrade',
    (host: string) => `GET /events HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ['rubbish', () => 'rubbish\r\n\r\n'],
  ['an unread body', (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n\r\n`],
])('%s leaves no connection half open', async (_what, text) => {
  const { port, host } = await startTestEngine();
  const connection = await open(port, text(host));
  await expect.poll(connection.received).toMatch(/^HTTP\/1\.1 \d+/);
  // The client never closes; what it sends is refused once the engine has closed the connection.
  await expect
    .poll(
      () => {
        connection.socket.write('x');
        return connection.socket.destroyed || connection.socket.errored !== null;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
});
