import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forkUtility } from '../../../support/utility-process.ts';
import { matching } from '../../engine/support/matching.ts';

const COMMAND = resolve(import.meta.dirname, '../../../../app/cli/flamebench.mjs');
const ENGINE = resolve(import.meta.dirname, '../../../../app/engine/main.ts');

interface Running<Child = ChildProcess> {
  readonly child: Child;
  readonly folder: string;
  /** Output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts the command with its own library and page, without a display. */
const start = (script: string, args: readonly string[], env: Record<string, string> = {}): Running =>
  run((options) => spawn(process.execPath, [script, ...args], options), env);

type Options = Pick<SpawnOptions, 'cwd' | 'env'>;

function run<Child extends ChildProcess>(
  begin: (options: Options) => Child,
  env: Record<string, string>,
): Running<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
  const page = join(folder, 'page');
  mkdirSync(page);
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(folder, 'a.folded'), 'main 1\n');
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...own } = process.env;
  const child = begin({
    cwd: folder,
    env: {
      ...own,
      FLAMEBENCH_CONFIG: join(folder, 'config'),
      FLAMEBENCH_LIBRARY: join(folder, 'library'),
      FLAMEBENCH_RENDERER: page,
      ...env,
    },
  });
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return { child, folder, out: () => out, err: () => err, ended };
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Sends a request as a page at this address does. Browsers resolve names under .localhost themselves; the system need
 * not.
 */
function post(address: string, path: string, body: object, token = ''): Promise<Body> {
  const { host, origin, port } = new URL(address);
  const headers = { host, origin, 'x-flamebench-token': token };
  return new Promise((done, failed) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => done(JSON.parse(text) as Body));
    });
    sent.on('error', failed);
    sent.end(JSON.stringify(body));
  });
}

/** Exchanges the token as a page does; resolves with a function that calls a method. */
async function enter(url: string): Promise<(method: string, params: object) => Promise<unknown>> {
  const fragmentToken = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  const { sessionToken } = await post(url, '/session', { fragmentToken });
  return (method, params) => post(url, `/rpc/${method}`, params, String(sessionToken));
}

const URL_LINE = /^http:\/\/[a-z]{16}\.localhost:\d+\/#token=[\w-]{43}$/;

test.each(['serve', 'open'])(
  '%s without a display prints its link, serves the given files, and ends on Ctrl-C',
  async (name) => {
    const { child, out, err, ended } = start(COMMAND, [name, 'a.folded']);
    await expect.poll(err, { timeout: 10_000 }).toContain('Ctrl-C ends');
    expect(out().trimEnd()).toMatch(URL_LINE);
    const call = await enter(out().trimEnd());
    expect(await call('app.state', {})).toMatchObject({
      ok: true,
      result: { pendingFiles: [{ fileName: 'a.folded' }] },
    });
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    if (name === 'open') expect(err().split('\n')[0]).toContain('no display');
  },
);

test('serve --link prints another link of the running server; windows can ask for more', async () => {
  const { folder, err, out, child, ended } = start(COMMAND, ['serve']);
  await expect.poll(err, { timeout: 10_000 }).toContain('Ctrl-C ends');
  const same = { FLAMEBENCH_CONFIG: join(folder, 'config'), FLAMEBENCH_LIBRARY: join(folder, 'library') };
  const asked = start(COMMAND, ['serve', '--link'], same);
  expect(await asked.ended).toBe(0);
  expect(asked.out().trimEnd()).toMatch(URL_LINE);
  expect(asked.out()).not.toBe(out());
  const call = await enter(asked.out().trimEnd());
  const more = (await call('app.newWindow', {})) as { result: { token: string } };
  const third = await enter(
    out()
      .trimEnd()
      .replace(/token=.*/, `token=${more.result.token}`),
  );
  expect(await third('app.state', {})).toMatchObject({ ok: true });
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  const late = start(COMMAND, ['serve', '--link'], same);
  expect(await late.ended).toBe(3);
  expect(late.err()).toMatch(/^flamebench: no server of .* is running; start one: flamebench serve\n$/);
});

test('serve --host prints the address and its code', async () => {
  const { err, out } = start(COMMAND, ['serve', '--host', '127.0.0.1', '--host', '::1']);
  await expect.poll(err, { timeout: 10_000 }).toContain('Ctrl-C ends');
  expect(out().trimEnd()).toMatch(URL_LINE);
  const [, plain = '', code = ''] =
    /^Code for (http:\/\/127\.0\.0\.1:\d+\/) and http:\/\/\[::1\]:\d+\/: (\d{6}) \(works once, within 60 s and 3 tries\)$/m.exec(
      err(),
    ) ?? [];
  const { sessionToken } = await post(plain, '/session', { code });
  expect(await post(plain, '/rpc/app.state', {}, String(sessionToken))).toMatchObject({ ok: true });
});

test.each(['127.0.0.1', '::1'])('reports a port in use on %s in one line with a remedy', async (address) => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, address, listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { out, err, ended } = start(COMMAND, ['serve', '--port', String(port)]);
  expect(await ended).toBe(2);
  expect([out(), err().trimEnd().split('\n')]).toEqual([
    '',
    [expect.stringMatching(/^flamebench: Port \d+ is in use.*--port/)],
  ]);
});

test.each<[string[], number, RegExp]>([
  [['serve', 'missing.folded'], 3, /missing\.folded is neither a file, a capture nor an experiment/],
  [['open', '.'], 3, /is a folder/],
  [['serve', '--port', '99999'], 2, /Invalid --port 99999/],
  [['serve', '--port', '-1'], 2, /Invalid --port -1/],
  [['serve', '--host', 'http://x'], 2, /Invalid --host http:\/\/x/],
  [['serve', '--host', 'x:80'], 2, /Invalid --host x:80/],
  [['serve', '--library', 'a.folded'], 2, /is not a folder/],
])('%j exits with %i in one line', async (args, code, message) => {
  const { err, ended } = start(COMMAND, args);
  expect(await ended).toBe(code);
  const lines = err()
    .trimEnd()
    .split('\n')
    .filter((line) => !line.includes('opens in a browser instead'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(message);
});

/** Starts the desktop shell's engine; `messages` returns those of a kind so far. */
function startEngine(args: readonly string[], env: Record<string, string> = {}) {
  const engine = run(
    (options) => forkUtility(ENGINE, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
    env,
  );
  const received: Record<string, unknown>[] = [];
  engine.child.on('message', (message) => received.push(message as Record<string, unknown>));
  const messages = (kind: string): Record<string, unknown>[] => received.filter((message) => message['kind'] === kind);
  return { ...engine, messages };
}

test('the desktop shell’s engine reports ready, opens and lists files, returns links, and ends when it is asked to', async () => {
  const { child, folder, messages, err, ended } = startEngine(['a.folded']);
  await expect.poll(() => messages('recent').length, { timeout: 30_000 }).toBe(1);
  expect(messages('ready')).toMatchObject([{ url: matching(URL_LINE) }]);
  const call = await enter(String(messages('ready')[0]?.['url']));
  child.send('rubbish');
  child.send({ kind: 'unknown' });
  child.send({ kind: 'open-files', paths: [join(folder, 'a.folded')] });
  const waiting = (count: number): unknown => ({
    result: { pendingFiles: Array.from({ length: count }, () => ({ fileName: 'a.folded' })) },
  });
  await expect.poll(() => call('app.state', {})).toMatchObject(waiting(2) as object);
  const { files } = messages('recent').at(-1) as { files: { id: string; fileName: string }[] };
  expect(files).toMatchObject([{ fileName: 'a.folded' }]);
  child.send({ kind: 'open-recent', id: files[0]!.id });
  await expect.poll(() => call('app.state', {})).toMatchObject(waiting(3) as object);
  child.send({ kind: 'new-url' });
  await expect.poll(() => messages('url').length).toBe(1);
  await enter(String(messages('url')[0]?.['url']));
  expect(err().trimEnd().split('\n')).toHaveLength(2);
  child.send({ kind: 'close', discard: false });
  expect(await ended).toBe(0);
});

test('an engine that cannot start reports why in one message', async () => {
  const { messages, ended } = startEngine([], { FLAMEBENCH_LIBRARY: '/dev/null' });
  expect(await ended).toBe(1);
  expect(messages('failed')).toMatchObject([{ message: 'The library /dev/null is not a folder.' }]);
});

test('starting the workbench does not create a library', async () => {
  const { child, folder, out, ended } = start(COMMAND, ['serve']);
  await expect.poll(out, { timeout: 10_000 }).toMatch(/token=/);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(existsSync(join(folder, 'library'))).toBe(false);
  expect(readFileSync(join(folder, 'a.folded'), 'utf8')).toBe('main 1\n');
});
