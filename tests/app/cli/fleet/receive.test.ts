import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { otlpRequest, type OtlpJsonResource } from '../../../support/otlp-json.ts';
import { startCli } from '../../../support/start-cli.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../fixtures/import/otlp');
const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-receive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a receiver on a free port of loopback. */
async function startReceiver(...args: string[]) {
  const file = path.join(makeFolder(), 'fleet.duckdb');
  const run = startCli(['fleet', 'receive', '--to', file, '--listen', '127.0.0.1:0', ...args]);
  await run.says('Ctrl-C ends');
  const url = /https?:\/\/\S+(?=;)/.exec(run.said())![0];
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(url, {
      method,
      headers: { 'content-type': JSON_TYPE, ...headers },
      ...(method === 'GET' ? {} : { body: Buffer.from(body) }),
    });
  return {
    file,
    url,
    post,
    send: (resources: readonly OtlpJsonResource[]) => post(JSON.stringify(otlpRequest(resources))),
    run,
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      run.child.kill(signal);
      return run.ended;
    },
  };
}

async function capturesIn(file: string) {
  const { stdout } = await callCli(['fleet', 'list', '--captures', '--json', '--in', file]);
  return (JSON.parse(stdout) as { captures: Record<string, unknown>[] }).captures;
}

test('each resource of a request becomes a capture, once, in JSON and protobuf, packed or not', async () => {
  const { post, send, file, end } = await startReceiver('--label', 'env=prod');
  const resources = [
    {
      attributes: {
        'service.name': 'page',
        'service.version': '1.1',
        'host.name': 'web-1',
        'vcs.ref.head.revision': 'c0ffee',
      },
      stacks: { 'main;parse': 30, main: 10 },
      timeUnixNano: '1700000000000000000',
    },
    { attributes: { 'service.name': 'page', 'host.name': 'web-2' }, stacks: { 'main;parse': 5 } },
  ];
  const first = await send(resources);
  expect([first.status, first.headers.get('content-type'), await first.text()]).toEqual([200, JSON_TYPE, '{}']);
  // The same content, with the resources and so the dictionary in another order.
  expect((await send(resources.toReversed())).status).toBe(200);
  const binary = readFileSync(path.join(FIXTURES, 'two-profiles.otlp'));
  const packed = { 'content-type': PROTOBUF, 'content-encoding': 'gzip' };
  const answers = [
    await post(binary, { 'content-type': `${PROTOBUF}; charset=x` }),
    await post(gzipSync(binary), packed),
    await post(readFileSync(path.join(FIXTURES, 'two-profiles.json')), { 'content-encoding': 'identity' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([answers[1]!.headers.get('content-type'), (await answers[1]!.bytes()).length]).toEqual([PROTOBUF, 0]);

  const { code, stdout } = await end();
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${file}: 3 captures added, 4 already there, 0 profiles rejected\n`,
  });
  const captures = await capturesIn(file);
  expect(captures).toMatchObject([
    { name: 'shop', service: 'shop' },
    { name: 'page', host: 'web-1', release: '1.1', commit: 'c0ffee', labels: { env: 'prod' } },
    { name: 'page', host: 'web-2', release: '' },
  ]);
  const top = JSON.parse((await callCli(['fleet', 'top', '--service', 'page', '--json', '--in', file])).stdout) as {
    total: number;
    functions: { name: string; self: number; total: number }[];
  };
  expect(top.total).toBe(45);
  expect(top.functions).toMatchObject([
    { name: 'parse', self: 35, total: 35 },
    { name: 'main', self: 10, total: 45 },
  ]);
});

test('what differs only in its profile id is another capture; what can’t be read is counted, the rest is added', async () => {
  const { send, post, file, end, run } = await startReceiver();
  const one = { attributes: { 'service.name': 'page' }, stacks: { main: 1 } };
  await send([
    { ...one, profileId: '00000000000000000000000000000001' },
    { ...one, profileId: '00000000000000000000000000000002' },
  ]);
  const mixed = otlpRequest([one, { ...one, stacks: { main: 0 } }, { ...one, stacks: { b: 2 } }]);
  mixed.resourceProfiles[2]!.scopeProfiles[0]!.profiles[0]!.samples[0]!.stackIndex = 99;
  const answer = await post(JSON.stringify(mixed));
  expect(await answer.json()).toEqual({
    partialSuccess: {
      rejectedProfiles: '2',
      errorMessage: 'no sample has weight; the stack of samples[0] is 99, of 4 rows',
    },
  });
  await run.says('2 profiles rejected: no sample has weight');
  expect((await end()).stdout).toBe(`${file}: 3 captures added, 0 already there, 2 profiles rejected\n`);
});

test('requests that are not profiles are refused with a status and the reason, and the receiver goes on', async () => {
  const { post, send, url, end, file } = await startReceiver('--max-body', '1');
  const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20));
  const deep = `{"resourceProfiles":${'['.repeat(100_000)}`;
  const binary = readFileSync(path.join(FIXTURES, 'two-profiles.otlp'));
  const refusals: [() => Promise<Response>, number, RegExp][] = [
    [() => post('{"resourceProfiles": [{}'), 400, /the JSON text is truncated/],
    [() => post('[]'), 400, /the request is not an object/],
    [() => post('{"resourceProfiles": {"__proto__": 1}}'), 400, /resourceProfiles is not an array/],
    [() => post(deep), 413, /nested more than 50,000 levels/],
    [
      () => post(JSON.stringify({ resourceProfiles: Array.from({ length: 10_001 }, () => ({})) })),
      413,
      /10001 resources/,
    ],
    [() => post(' '.repeat(2 ** 20 + 1)), 413, /larger than 1048576 bytes/],
    [() => post(bomb, { 'content-encoding': 'gzip' }), 413, /the body unpacks to more than 1 MiB/],
    [() => post(bomb.subarray(0, 1000), { 'content-encoding': 'gzip' }), 400, /is truncated/],
    [() => post('x', { 'content-encoding': 'gzip' }), 400, /is (?:damaged|truncated)/],
    [() => post('x', { 'content-encoding': 'zstd' }), 415, /must be gzip or identity/],
    [() => post('x', { 'content-type': 'text/plain' }), 415, /must be application\/json or application\/x-protobuf/],
    [() => post(binary.subarray(0, 100), { 'content-type': PROTOBUF }), 400, /the data ends within/],
    [() => post('{}', { 'otlp-profiles-development-version': '2' }), 400, /must be 1/],
    [() => post('{}', { origin: 'http://page.example' }), 403, /pages may not/],
    [() => post('', {}, 'GET'), 405, /only POST/],
    [() => fetch(url.replace('profiles', 'traces'), { method: 'POST' }), 404, /profiles go to/],
  ];
  for (const [sent, status, reason] of refusals) {
    const answer = await sent();
    const text = await answer.text();
    expect([answer.status, text]).toEqual([status, expect.stringMatching(reason)]);
    if (answer.headers.get('content-type') === JSON_TYPE)
      expect(JSON.parse(text)).toEqual({ code: expect.any(Number), message: expect.any(String) });
  }
  // A client that ends in the middle of its body.
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\n`;
  socket.end(`${head}Content-Length: 100\r\n\r\n{"resource`);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await post('{}')).status).toBe(200);
  expect((await send([{ attributes: {}, stacks: { main: 1 } }])).status).toBe(200);
  const { code, stdout, stderr } = await end();
  expect(code).toBe(0);
  expect(stdout).toMatch(/1 capture added, .*; requests refused: .*\d with 415/);
  expect(stderr).not.toMatch(/internal|unhandled/i);
  expect(await capturesIn(file)).toHaveLength(1);
});

test('hostile names and thousands of resources are stored as they are', { timeout: 120_000 }, async () => {
  const { send, file, end } = await startReceiver('--redact', 'none');
  const hostile = ['__proto__', `'; DROP TABLE captures; --`, '\u001b[31m', '\0', 'x'.repeat(100_000), '<img src=x>'];
  const evil = hostile.map((text) => ({
    attributes: {
      'service.name': text,
      'service.version': text,
      'host.name': text,
      'thread.name': text,
      [text]: text,
    },
    stacks: { [text]: 3 },
  }));
  expect((await send(evil)).status).toBe(200);
  const many = Array.from({ length: 3000 }, (_, place) => ({
    attributes: { 'service.name': 'many', 'host.name': `host-${place}` },
    stacks: { 'main;work': place + 1 },
  }));
  expect((await send(many)).status).toBe(200);
  expect((await end()).stdout).toContain('3,006 captures added, 0 already there, 0 profiles rejected');
  const captures = await capturesIn(file);
  const stored = captures.filter(({ service }) => service !== 'many');
  expect(new Set(stored.map(({ host }) => host))).toEqual(new Set(hostile));
  expect(new Set(stored.map(({ release }) => release))).toEqual(new Set(hostile));
  const top = await callCli(['fleet', 'top', '--service', 'many', '--json', '--in', file]);
  expect(JSON.parse(top.stdout)).toMatchObject({ total: (3000 * 3001) / 2 });
});

test('a store that is in use answers 503, and the repeated request is added; TERM waits for running requests', async () => {
  const { send, url, file, run } = await startReceiver();
  const resource = { attributes: { 'service.name': 'page' }, stacks: { main: 1 } };
  const instance = await vi.waitFor(() => DuckDBInstance.create(file), { timeout: 20_000 });
  const away = await send([resource]);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await away.json()).toMatchObject({ code: 14, message: expect.stringContaining('in use') });
  instance.closeSync();
  expect((await send([resource])).status).toBe(200);

  const body = JSON.stringify(otlpRequest([{ ...resource, stacks: { main: 2 } }]));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  // The server asks for the body once it has the head.
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nExpect: 100-continue\r\n`;
  socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
  expect(await answer).toContain('100 Continue');
  run.child.kill('SIGTERM');
  await vi.waitFor(async () => await expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 20_000 });
  const last = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  socket.write(body);
  expect(await last).toContain('200 OK');
  expect((await run.ended).stdout).toContain('2 captures added, 0 already there');
  expect(await capturesIn(file)).toHaveLength(2);
});

test('beyond this machine, it listens only with a token and TLS, whose files are checked', async () => {
  const folder = makeFolder();
  const write = (name: string, text: string, mode = 0o600): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode });
    return file;
  };
  const to = ['--to', path.join(folder, 'fleet.duckdb')];
  const token = write('token', 'an-excellent-token\n');
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  expect(statSync(key).mode & 0o077).toBe(0);
  const secured = ['--token-file', token, '--cert', cert, '--key', key];
  const refused: [string[], RegExp][] = [
    [['--listen', '0.0.0.0:0'], /needs a token and TLS; add --token-file FILE, --cert FILE and --key FILE/],
    [['--listen', '[::]:0', '--token-file', token], /needs a token and TLS/],
    [['--listen', 'web-1:0', '--cert', cert, '--key', key], /needs a token and TLS/],
    [['--cert', cert], /--cert and --key belong together/],
    [['--cert', key, '--key', key], /name a certificate and its key/],
    [['--token-file', write('open', 'an-excellent-token', 0o644)], /other users can read .*chmod 600/],
    [['--token-file', write('short', 'secret')], /no token of 16 or more/],
    [['--token-file', path.join(folder, 'none')], /can't read|no such/i],
    [['--listen', '4318'], /'4318' is not an address with a port/],
    [['--max-body', '0'], /not from 1 to 64/],
    [['--listen', '127.0.0.1:0', '--to', token], /is not a fleet/],
  ];
  for (const [args, reason] of refused) {
    const run = await callCli(['fleet', 'receive', ...to, ...args]);
    expect([args, run.stdout, run.stderr]).toEqual([args, '', expect.stringMatching(reason)]);
    expect(run.code).not.toBe(0);
  }

  const { url, end } = await startReceiver(...secured);
  expect(url).toMatch(/^https:/);
  const agent = new Agent({ ca: readFileSync(cert), checkServerIdentity: () => undefined });
  const statusWith = (authorization?: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': JSON_TYPE, ...(authorization === undefined ? {} : { authorization }) };
      const sent = httpsRequest(url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      sent.end('{}');
    });
  expect(await statusWith('Bearer an-excellent-token')).toBe(200);
  expect(await statusWith('Bearer an-excellent-tokem')).toBe(401);
  expect(await statusWith()).toBe(401);
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed');
  agent.destroy();
  expect((await end('SIGINT')).stdout).toContain('2 with 401');
});
