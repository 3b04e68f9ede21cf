import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { createSessionTokens } from '#app/engine/http/session-tokens.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';
import { containing } from '../support/matching.ts';

const fragmentOf = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';

/** Returns all headers as a page of the engine sends them, for the test to alter. */
async function goodHeaders({ engine, session, host }: TestEngine): Promise<Record<string, string>> {
  return { host, origin: engine.origin, [TOKEN_HEADER]: await session() };
}

const RPC = `${PATHS.rpc}app.state`;
const rpc = (headers: Record<string, string>): object => ({ method: 'POST', headers, body: '{}' });

const nameOf = ({ engine }: TestEngine): string => new URL(engine.origin).hostname;

test('serves its own page under the random name, with any port', async () => {
  const test = await startTestEngine();
  const name = nameOf(test);
  expect(name).toMatch(/^[a-z]{16}\.localhost$/);
  const headers = await goodHeaders(test);
  for (const host of [test.host, `${name}:8123`, name, name.toUpperCase()]) {
    const answer = await test.send(RPC, rpc({ ...headers, host, origin: `http://${host}` }));
    expect([host, answer.status]).toEqual([host, 200]);
  }
});

test('each engine has a different name', async () => {
  const [one, two] = [await startTestEngine(), await startTestEngine()];
  expect(nameOf(one)).not.toBe(nameOf(two));
});

test('tells a page of an earlier run that its session is unknown', async () => {
  const test = await startTestEngine();
  const host = `qwertyuiopasdfgh.localhost:${test.port}`;
  const headers = { ...(await goodHeaders(test)), host, origin: `http://${host}` };
  const answer = await test.send(RPC, rpc(headers));
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([401, { error: { code: 'no-session' } }]);
});

test.each([
  '127.0.0.1',
  'localhost',
  '[::1]:9',
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'localhost:80:80',
  '127.0.0.1:99999999',
  '127.0.0.2',
  '0.0.0.0',
  '[::]',
  'localhost@evil.example',
  'user@localhost',
  '127.0.0.1:80/..',
])('refuses the host %j, both calls and pages', async (host) => {
  const test = await startTestEngine();
  const headers = { ...(await goodHeaders(test)), host, origin: `http://${host}` };
  expect((await test.send(RPC, rpc(headers))).status).toBe(403);
  expect((await test.send('/', { headers: { host } })).status).toBe(403);
  expect((await test.send(PATHS.session, rpc(headers))).status).toBe(403);
});

test.each([
  ['another port', 'http://127.0.0.1:1'],
  ['another name', 'http://localhost'],
  ['another scheme', 'https://127.0.0.1'],
  ['a site', 'https://evil.example'],
  ['an opaque origin', 'null'],
  ['none', null],
])('refuses a call from %s as origin', async (_what, origin) => {
  const test = await startTestEngine();
  const { origin: own = '', ...headers } = await goodHeaders(test);
  const sent = origin === null ? headers : { ...headers, origin };
  for (const [path, method] of [
    [RPC, 'POST'],
    [PATHS.session, 'POST'],
    [`${PATHS.upload}?name=x`, 'POST'],
    [`${PATHS.cache}x`, 'PUT'],
  ] as const) {
    const answer = await test.send(path, { method, headers: sent, body: '{}' });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
  if (origin !== null) {
    expect((await test.send(`${PATHS.file}x`, { headers: sent })).status).toBe(403);
  }
  expect((await test.send(`${PATHS.file}x`, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })).status).toBe(
    403,
  );
  expect((await test.send(`${PATHS.file}x`, { headers: { ...headers, origin: own } })).status).toBe(404);
});

test.each([
  ['no token', null],
  ['an empty one', ''],
  ['a wrong one', 'A'.repeat(43)],
  ['a long one', 'A'.repeat(10_000)],
])('refuses %s as a session', async (_what, token) => {
  const test = await startTestEngine();
  const { [TOKEN_HEADER]: good, ...headers } = await goodHeaders(test);
  const sent = token === null ? headers : { ...headers, [TOKEN_HEADER]: token };
  expect((await test.send(RPC, rpc(sent))).status).toBe(401);
  expect((await test.send(`${PATHS.file}x`, { headers: sent })).status).toBe(401);
  expect((await test.send(`${PATHS.upload}?name=x`, rpc(sent))).status).toBe(401);
  expect((await test.send(`${PATHS.cache}x`, { ...rpc(sent), method: 'PUT' })).status).toBe(401);
  expect((await test.send(RPC, rpc({ ...headers, [TOKEN_HEADER]: good ?? '' }))).status).toBe(200);
});

test.each([{ 'service-worker': 'script' }, { 'sec-fetch-dest': 'serviceworker' }])(
  'serves no script to a service worker: %j',
  async (headers) => {
    const { send } = await startTestEngine();
    for (const path of ['/', '/assets/main-1a.js']) {
      const answer = await send(path, { headers });
      expect([answer.status, answer.text]).toEqual([403, containing('service-worker')]);
    }
  },
);

test('the token of a link works once', async () => {
  const { engine, send } = await startTestEngine();
  const body = JSON.stringify({ fragmentToken: fragmentOf(engine.newUrl()) });
  const exchange = { method: 'POST', headers: { origin: engine.origin }, body };
  expect((await send(PATHS.session, exchange)).status).toBe(200);
  const again = await send(PATHS.session, exchange);
  expect([again.status, JSON.parse(again.text)]).toMatchObject([401, { ok: false, error: { code: 'token-used' } }]);
  for (const wrong of ['{}', '{"fragmentToken":7}', '{"fragmentToken":""}', '{', '[]', 'null']) {
    expect((await send(PATHS.session, { ...exchange, body: wrong })).status).toBeGreaterThanOrEqual(400);
  }
});

test('the token of a link works for 15 minutes; sessions last', () => {
  let now = 0;
  const tokens = createSessionTokens(() => now);
  const [early, late] = [tokens.newFragmentToken(), tokens.newFragmentToken()];
  now = 15 * 60_000 - 1;
  const session = tokens.exchange(early);
  now = 15 * 60_000;
  expect(tokens.exchange(late)).toBeNull();
  expect(tokens.exchange(early)).toBeNull();
  now = 1e9;
  expect(tokens.isSession(session ?? '')).toBe(true);
  expect(tokens.isSession(early)).toBe(false);
  expect(tokens.isSession(undefined)).toBe(false);
});

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/%252e%252e/secret.txt',
  '/assets/../../secret.txt',
  '/assets/..\\..\\secret.txt',
  '/assets/%5c..%5c..%5csecret.txt',
  '//etc/passwd',
  '/etc/passwd',
  '/%00',
  '/index.html%00.js',
  '/index.html/',
  '/./index.html',
  '/assets/',
  '/assets',
  '/link.txt',
  '/linked/secret.txt',
  '/.hidden.txt',
  '/page.unknown',
  '/%',
  '/%ff',
  '/INDEX.HTML',
  '/index.html;x',
  'http://evil.example/index.html',
  '*',
])('%s is not found', async (path) => {
  const { send, folder } = await startTestEngine();
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'page', 'link.txt'));
  symlinkSync(folder, join(folder, 'page', 'linked'));
  writeFileSync(join(folder, 'page', '.hidden.txt'), 'secret');
  writeFileSync(join(folder, 'page', 'page.unknown'), 'secret');
  mkdirSync(join(folder, 'page', 'empty'));
  const answer = await send(path);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).not.toMatch(/secret|page|root:/);
});

test('serves the page with its types and headers', async () => {
  const { send } = await startTestEngine();
  const page = await send('/');
  expect(page).toMatchObject({ status: 200, text: containing('<title>page') });
  expect((await send('/?x=1')).status).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': containing(
      "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'",
    ),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': containing('camera=()'),
    'cache-control': 'no-store',
  });
  expect(page.headers['content-security-policy']).toContain(
    "require-trusted-types-for 'script'; frame-ancestors 'none'",
  );
  expect((await send('/assets/main-1a.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(await send('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
    expect([method, (await send('/', { method })).status]).toEqual([method, 405]);
  }
  const missing = await send('/missing');
  expect(missing.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
});

test('finds a page that is rebuilt while it is served', async () => {
  const { send, folder } = await startTestEngine();
  expect((await send('/')).status).toBe(200);
  writeFileSync(join(folder, 'page', 'assets', 'main-2b.js'), 'export {};');
  await expect.poll(async () => (await send('/assets/main-2b.js')).status, { timeout: 5000 }).toBe(200);
});

test.each(['get', 'post', 'delete', 'put'])('calls with the wrong method (%s) do nothing', async (method) => {
  const test = await startTestEngine();
  const headers = await goodHeaders(test);
  if (method !== 'post') expect((await test.send(RPC, { method, headers })).status).toBe(405);
  if (method !== 'get') expect((await test.send(`${PATHS.file}x`, { method, headers })).status).toBe(405);
  if (method !== 'put') expect((await test.send(`${PATHS.cache}x`, { method, headers })).status).toBe(405);
});

/** Returns the answer to a connection that sends `text` and then nothing. */
function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
}

test.each([
  ['rubbish', '\u0016\u0003\u0001 hello\r\n\r\n', '400'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n', '4'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '4'],
  ['endless headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n`, '4'],
  [
    'length and chunks at once',
    'POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    '400',
  ],
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', ''],
])('%s ends the connection', async (_what, text, status) => {
  const { port, send } = await startTestEngine();
  const answer = await rawAnswer(port, text);
  expect(answer.startsWith(`HTTP/1.1 ${status}`) || (status === '' && answer === '')).toBe(true);
  expect((await send('/')).status).toBe(200);
});

test('a body that arrives slowly, or is too large for a token, ends the connection', async () => {
  const { port, host } = await startTestEngine();
  const head = `POST /session HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n`;
  const start = performance.now();
  const slow = rawAnswer(port, `${head}Content-Length: 100\r\n\r\n{`);
  expect(await rawAnswer(port, `${head}Content-Length: 5000\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413/);
  expect(await slow).toBe('');
  expect(performance.now() - start).toBeLessThan(8000);
});

test('drops a silent or slow connection without an answer', async () => {
  const { port } = await startTestEngine();
  const start = performance.now();
  const [idle, slow] = await Promise.all([
    rawAnswer(port, ''),
    rawAnswer(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: '),
  ]);
  expect([idle, slow]).toEqual(['', '']);
  expect(performance.now() - start).toBeLessThan(10_000);
});
