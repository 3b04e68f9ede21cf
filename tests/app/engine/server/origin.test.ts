import { createServer as createHttpServer, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { listenOnLoopback, type Loopback } from '#app/engine/http/loopback.ts';
import { startEngine } from '#app/engine/server.ts';
import { createSessionTokens } from '#app/engine/http/session-tokens.ts';
import { containing } from '../support/matching.ts';
import { startTestEngine, type Answer, type TestEngine } from '../support/test-engine.ts';

/** An address from RFC 3849, which no machine has: binding it fails as [::1] does without IPv6. */
const NO_IPV6 = '2001:db8::1';

/** Starts another user's server, which counts connections. Port 0 selects a free one on this address. */
async function occupy(address: string, port = 0): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, address, listening);
  });
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

async function listen(options: Parameters<typeof listenOnLoopback>[1]): Promise<Loopback> {
  const server = createHttpServer((_request, response) => response.end('ours'));
  const loopback = await listenOnLoopback(server, options);
  onTestFinished(() => {
    loopback.close();
    server.closeAllConnections();
  });
  return loopback;
}

/** Returns the status and body of a GET. */
function get(address: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: address, port, agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => resolve(chunk.toString()));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the port', () => {
  test('is bound on both loopback addresses, so that nobody else can have either', async () => {
    const { port, hasIpv6 } = await listen({ port: 0 });
    expect(hasIpv6).toBe(true);
    for (const address of ['127.0.0.1', '::1']) {
      expect(await get(address, port)).toBe('ours');
      await expect(occupy(address, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    }
  });

  test.each(['::1', '127.0.0.1'])(
    'is drawn again if another server has it on %s, which gets no request',
    async (taken) => {
      const other = await occupy(taken);
      const draws = [other.port, other.port, 0];
      const { port } = await listen({ port: 0, drawPort: () => draws.shift() ?? 0 });
      expect(port).not.toBe(other.port);
      expect(draws).toEqual([]);
      expect(await get('::1', port)).toBe('ours');
      expect(other.connections()).toBe(0);
    },
  );

  test('that is given and in use on [::1] fails with a message, and 127.0.0.1 is free again', async () => {
    const other = await occupy('::1');
    const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const options = { libraryPath: join(folder, 'library'), configPath: join(folder, 'config'), samplesPath: null };
    await expect(startEngine({ ...options, port: other.port })).rejects.toMatchObject({
      code: 'port-taken',
      message: `Port ${other.port} is in use by another program on [::1], where browsers look first.`,
      remedy: containing('--port'),
    });
    await occupy('127.0.0.1', other.port);
    expect(other.connections()).toBe(0);
  });

  test('is bound only on 127.0.0.1 on a machine without IPv6', async () => {
    const { port, hasIpv6 } = await listen({ port: 0, ipv6Address: NO_IPV6 });
    expect(hasIpv6).toBe(false);
    expect(await get('127.0.0.1', port)).toBe('ours');
    await expect(get('::1', port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the plain address', () => {
  const plainHost = ({ port }: TestEngine): string => `127.0.0.1:${port}`;
  const fromPlain = (test: TestEngine, body: object): Promise<Answer> => {
    const host = plainHost(test);
    const headers = { host, origin: `http://${host}` };
    return test.send(PATHS.session, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const codeOf = (answer: Answer): unknown => [
    answer.status,
    (JSON.parse(answer.text) as { error?: { code: string } }).error?.code ?? 'granted',
  ];

  test('is used without IPv6; its URL has no token, and its page is served', async () => {
    const test = await startTestEngine({ ipv6Address: NO_IPV6 });
    expect(test.engine.newUrl()).toBe(`http://127.0.0.1:${test.port}/`);
    expect(test.engine.plainOrigins).toEqual([`http://127.0.0.1:${test.port}`]);
    expect((await test.send('/', { headers: { host: plainHost(test) } })).status).toBe(200);
  });

  test('is not used by a front end that resolves the random name itself', async () => {
    const { engine, send, port } = await startTestEngine({ ipv6Address: NO_IPV6, resolvesName: true });
    expect(engine.newUrl()).toMatch(/^http:\/\/[a-z]{16}\.localhost:\d+\/#token=/);
    expect((await send('/', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(403);
  });

  test('accepts the code shown in the terminal once, and its session can call', async () => {
    const test = await startTestEngine({ hosts: ['127.0.0.1', 'bench.example'] });
    expect(test.engine.plainOrigins).toEqual([`http://127.0.0.1:${test.port}`, `http://bench.example:${test.port}`]);
    const code = test.engine.newCode();
    expect(code).toMatch(/^\d{6}$/);
    const granted = await fromPlain(test, { code });
    const { sessionToken } = JSON.parse(granted.text) as { sessionToken: string };
    for (const host of [plainHost(test), '127.0.0.1', 'bench.example:80', 'BENCH.example']) {
      const headers = { host, origin: `http://${host}`, [TOKEN_HEADER]: sessionToken };
      expect((await test.send(`${PATHS.rpc}app.state`, { method: 'POST', headers, body: '{}' })).status).toBe(200);
    }
    expect(codeOf(await fromPlain(test, { code }))).toEqual([401, 'code-void']);
  });

  test('refuses a link’s token, which stays valid for its own page', async () => {
    const test = await startTestEngine({ hosts: ['127.0.0.1'] });
    const fragmentToken = new URLSearchParams(new URL(test.engine.newUrl()).hash.slice(1)).get('token');
    expect(codeOf(await fromPlain(test, { fragmentToken }))).toEqual([401, 'token-used']);
    const headers = { origin: test.engine.origin };
    const own = await test.send(PATHS.session, { method: 'POST', headers, body: JSON.stringify({ fragmentToken }) });
    expect(own.status).toBe(200);
  });

  test('allows three attempts at a code', async () => {
    const test = await startTestEngine({ hosts: ['127.0.0.1'] });
    const code = test.engine.newCode();
    const wrong = code === '000000' ? '000001' : '000000';
    expect(codeOf(await fromPlain(test, { code: wrong }))).toEqual([401, 'wrong-code']);
    expect((await fromPlain(test, { code: wrong })).text).toContain('1 try is left');
    expect(codeOf(await fromPlain(test, { code: wrong }))).toEqual([401, 'code-void']);
    expect(codeOf(await fromPlain(test, { code }))).toEqual([401, 'code-void']);
    expect(codeOf(await fromPlain(test, { code: test.engine.newCode() }))).toEqual([200, 'granted']);
  });

  test('accepts no code before one was shown, nor under the random name', async () => {
    const test = await startTestEngine({ hosts: ['127.0.0.1'] });
    expect(codeOf(await fromPlain(test, { code: '' }))).toEqual([401, 'code-void']);
    const body = JSON.stringify({ code: test.engine.newCode() });
    const own = await test.send(PATHS.session, { method: 'POST', headers: { origin: test.engine.origin }, body });
    expect(codeOf(own)).toEqual([401, 'code-void']);
  });
});

test('accepts only the newest code, for 60 seconds', () => {
  let now = 0;
  const tokens = createSessionTokens(() => now);
  const old = tokens.newCode();
  const code = tokens.newCode();
  if (old !== code) expect(tokens.exchangeCode(old)).toEqual({ triesLeft: 2 });
  now = 60_000;
  expect(tokens.exchangeCode(code)).toEqual({ triesLeft: 0 });
  const session = tokens.exchangeCode(tokens.newCode());
  expect('sessionToken' in session && tokens.isSession(session.sessionToken)).toBe(true);
});
