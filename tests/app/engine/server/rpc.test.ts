import { request } from 'node:http';
import { join } from 'node:path';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Params } from '#core/contract/contract.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { writeNative } from '#core/model/native/write.ts';
import { createConfirmations } from '#app/engine/recording/confirmations.ts';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { startEngine } from '#app/engine/server.ts';
import { answerCall, type Handlers } from '#app/engine/http/rpc.ts';
import { needing } from '../../../support/needing.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { mounting, mountTmpfs, tempFolder } from '../support/temp-folder.ts';
import { STATUS, startTestEngine, type TestEngine } from '../support/test-engine.ts';
import { containing, oneLine } from '../support/matching.ts';
import { markOf, noteOf } from '../../../support/note.ts';

const PLAN = {
  targets: [{ target: 'local' }],
  options: { collector: 'perf', scope: { kind: 'system' }, rateHz: 99, event: null, callGraph: 'fp', seconds: 1 },
  repeat: 1,
  pauseSeconds: 0,
  name: null,
} satisfies Params<'record.plan'>;

const failed = (code: string): object => ({ ok: false, error: { code, message: oneLine } });

async function pageHeaders({ engine, session }: TestEngine): Promise<Record<string, string>> {
  return { origin: engine.origin, [TOKEN_HEADER]: await session() };
}

async function upload(test: TestEngine, name: string, body: string | Uint8Array): Promise<{ id: string }> {
  const path = `${PATHS.upload}?name=${encodeURIComponent(name)}`;
  const answer = await test.send(path, { method: 'POST', headers: await pageHeaders(test), body });
  return (JSON.parse(answer.text) as { result: { id: string } }).result;
}

test('names methods that do not exist', async () => {
  const { call } = await startTestEngine();
  for (const method of ['nope', '__proto__', 'constructor', 'toString', 'library', 'library.', '', 'library.list/x']) {
    expect(await call(encodeURIComponent(method), {})).toMatchObject(failed('unknown-method'));
  }
});

test.each([
  ['library.list', {}],
  ['library.list', { query: 7 }],
  ['library.list', { query: 'x'.repeat(1001) }],
  ['library.list', []],
  ['library.list', null],
  ['library.list', 'query'],
  ['library.rename', { id: 'x', name: '' }],
  ['library.tag', { id: 'x', tags: 'x' }],
  ['library.notes', { id: 5 }],
  ['library.editNotes', { id: 'x', change: { put: [noteOf('', {})], remove: [] } }],
  ['library.editNotes', { id: 'x', change: { put: [noteOf('n', { text: 'x'.repeat(20_001) })], remove: [] } }],
  ['library.editNotes', { id: 'x', change: { put: [noteOf('n', { created: -1 })], remove: [] } }],
  ['library.editNotes', { id: 'x', change: { put: [markOf('n', 2, 2)], remove: [] } }],
  ['library.editNotes', { id: 'x', change: { put: [markOf('n', Number.NaN)], remove: [] } }],
  ['library.editNotes', { id: 'x', change: { put: [{ ...noteOf('n'), colour: 'url(x)' }], remove: [] } }],
  [
    'library.editNotes',
    { id: 'x', change: { put: [{ ...noteOf('n'), anchor: { kind: 'file', path: '/' } }], remove: [] } },
  ],
  ['library.editNotes', { id: 'x', change: { put: [], remove: [{}] } }],
  ['record.plan', { ...PLAN, repeat: 1e9 }],
  ['record.plan', { ...PLAN, options: { ...PLAN.options, scope: { kind: 'pid', pid: -1, startTicks: null } } }],
  ['record.plan', { ...PLAN, options: { ...PLAN.options, collector: 'sh' } }],
  ['record.plan', { ...PLAN, targets: [] }],
  ['record.plan', { ...PLAN, targets: [{ target: 'local' }, { target: 'local' }] }],
  ['record.plan', { ...PLAN, targets: [{ target: 'ssh://-oProxyCommand=x' }] }],
  ['target.save', { target: 'ssh://web1', name: 'a\u001b[31m' }],
  ['target.answer', { target: 'ssh://web1', text: 'x'.repeat(5000) }],
])('%s refuses %j', async (method, params) => {
  const { call } = await startTestEngine();
  expect(await call(method, params)).toMatchObject(failed('invalid-arguments'));
});

test.each(['', '{', '{"query":', 'null', '[]', '"x"', '\0', '{"query":""}{}', '['.repeat(100_000)])(
  'answers a body of %j with a failure',
  async (body) => {
    const test = await startTestEngine();
    const headers = await pageHeaders(test);
    const answer = await test.send(`${PATHS.rpc}library.list`, { method: 'POST', headers, body });
    expect(JSON.parse(answer.text)).toMatchObject(failed('invalid-arguments'));
    expect(test.log).toEqual([]);
  },
);

test('refuses a body beyond the limit, announced or streamed', async () => {
  const test = await startTestEngine();
  const headers = await pageHeaders(test);
  const told = { ...headers, 'content-length': String(1e12) };
  expect((await test.send(`${PATHS.rpc}library.list`, { method: 'POST', headers: told })).status).toBe(413);
  const body = `{"query":"${'x'.repeat(3 << 20)}"}`;
  const sent = test.send(`${PATHS.rpc}library.list`, { method: 'POST', headers, body });
  // The connection ends before everything was read; an answer, or its absence, shows that.
  expect(
    await sent.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
  expect(await test.call('library.list', { query: '' })).toMatchObject({ ok: true });
});

test('keys that would reach a prototype change nothing', async () => {
  const test = await startTestEngine();
  const headers = await pageHeaders(test);
  const body =
    '{"query":"","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}';
  const answer = await test.send(`${PATHS.rpc}library.list`, { method: 'POST', headers, body });
  expect(JSON.parse(answer.text)).toMatchObject({ ok: true });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  const { id } = await upload(test, '__proto__', 'main 1\n');
  expect(await test.result('library.tag', { id, tags: ['__proto__', 'constructor'] })).toMatchObject({
    tags: ['__proto__', 'constructor'],
  });
  expect(await test.result('library.list', { query: '__proto__' })).toMatchObject({ captures: [{ id }] });
});

test('keeps unexpected errors of a handler in the log, and validates its result', async () => {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const secret = (): Promise<never> => Promise.reject(new Error('secret in /home'));
  const broken = { 'library.list': secret, 'library.get': () => Promise.resolve({ id: 7 }) } as unknown as Handlers;
  const thrown = await answerCall(broken, 'library.list', { query: '' }, log);
  expect(thrown).toMatchObject(failed('internal'));
  expect(JSON.stringify(thrown)).not.toContain('secret');
  expect(await answerCall(broken, 'library.get', { id: 'x' }, log)).toMatchObject(failed('internal'));
  expect(lines).toMatchObject([containing('secret in /home'), containing('name')]);
});

test('uploads, lists, opens, caches, renames, annotates, trashes and restores a file', async () => {
  const test = await startTestEngine();
  const headers = await pageHeaders(test);
  const { id } = await upload(test, 'größe & <b>.folded', 'main;work 3\n');
  expect(await test.result('library.list', { query: '' })).toMatchObject({
    captures: [{ id, name: 'größe & <b>.folded', sizeBytes: 12 }],
    damaged: [],
  });
  const opened = (await test.result('library.open', { id })) as { handle: string };
  expect(opened).toMatchObject({ fileName: 'raw.folded', size: 12, cached: false });
  const file = await test.send(PATHS.file + opened.handle, { headers });
  expect(file).toMatchObject({ status: 200, text: 'main;work 3\n', headers: { 'content-length': '12' } });
  expect((await test.send(PATHS.file + opened.handle, { headers })).status).toBe(404);
  const native = Buffer.concat(writeNative(profileFromText('main;work 3')));
  const put = await test.send(PATHS.cache + id, { method: 'PUT', headers, body: native });
  expect(JSON.parse(put.text)).toEqual({ ok: true, result: { kept: true } });
  const bad = await test.send(PATHS.cache + id, { method: 'PUT', headers, body: 'not a native file' });
  expect(JSON.parse(bad.text)).toMatchObject(failed('invalid-arguments'));
  expect(await test.result('library.open', { id })).toMatchObject({ cached: true, size: native.length });
  expect(await test.result('library.open', { id, ignoreCache: true })).toMatchObject({ cached: false });
  expect(await test.result('library.rename', { id, name: 'Before' })).toMatchObject({ name: 'Before' });
  const note = noteOf('n', { anchor: { kind: 'function', func: { name: '</script>', module: '' } } });
  const change = { put: [note], remove: ['unknown'] };
  expect(await test.result('library.editNotes', { id, change })).toEqual({ notes: [note] });
  expect(await test.result('library.notes', { id })).toEqual({ notes: [note] });
  expect(await test.result('library.noteCounts', {})).toEqual({ counts: { [id]: 1 } });
  expect(await test.result('library.earlierNotes', { id })).toEqual({ captures: [] });
  expect(await test.result('library.trash', { id })).toEqual({});
  expect(await test.call('library.get', { id })).toMatchObject(failed('not-found'));
  expect(await test.result('library.restore', { id })).toMatchObject({ id, name: 'Before' });
  expect(await test.result('library.trash', { id })).toEqual({});
  expect(await test.result('trash.list', {})).toMatchObject({
    items: [{ entry: id, id, kind: 'capture', name: 'Before' }],
  });
  expect(await test.call('trash.delete', { entries: [id, '../..'] })).toMatchObject(failed('not-found'));
  expect(await test.result('trash.restore', { entry: id })).toEqual({});
  expect(await test.result('library.get', { id })).toMatchObject({ id, name: 'Before' });
  await test.result('library.trash', { id });
  expect(await test.result('trash.delete', { entries: [id] })).toEqual({});
  expect(await test.result('trash.list', {})).toEqual({ items: [], others: 0 });
  expect(await test.call('trash.restore', { entry: id })).toMatchObject(failed('not-found'));
  expect(test.log).toEqual([]);
});

test('streams a large upload; an interrupted one leaves nothing behind', async () => {
  const test = await startTestEngine();
  const body = Buffer.alloc(30 << 20, 'main;work 1\n');
  const { id } = await upload(test, 'big.folded', body);
  expect(statSync(join(test.folder, 'library', id, 'raw.folded')).size).toBe(body.length);
  const headers = { ...(await pageHeaders(test)), host: test.host, 'content-length': '1000' };
  const sent = request({
    host: '127.0.0.1',
    port: test.port,
    path: `${PATHS.upload}?name=cut`,
    method: 'POST',
    headers,
  });
  sent.on('error', () => undefined);
  sent.write('some');
  await expect.poll(async () => test.result('library.list', { query: 'cut' })).toMatchObject({ captures: [{}] });
  sent.destroy();
  await expect.poll(async () => test.result('library.list', { query: '' })).toMatchObject({ captures: [{ id }] });
  await expect.poll(() => readdirSync(join(test.folder, 'library', '.tmp'))).toEqual([]);
});

test('refuses uploads without a name', async () => {
  const test = await startTestEngine();
  const headers = await pageHeaders(test);
  for (const query of ['', '?name=', `?name=${'x'.repeat(5000)}`]) {
    const answer = await test.send(PATHS.upload + query, { method: 'POST', headers, body: 'x' });
    expect(JSON.parse(answer.text)).toMatchObject(failed('invalid-arguments'));
  }
});

needing(mounting, () => {
  test('reports an upload to a full disk; the window stays usable', async () => {
    const disk = mountTmpfs(1 << 20);
    const test = await startTestEngine({ libraryPath: join(disk, 'library') });
    const headers = await pageHeaders(test);
    const body = Buffer.alloc(2 << 20);
    const sent = test.send(`${PATHS.upload}?name=x`, { method: 'POST', headers, body });
    expect(
      await sent.then(
        ({ status }) => status,
        () => 507,
      ),
    ).toBe(507);
    expect(await test.result('library.list', { query: '' })).toEqual({ captures: [], damaged: [] });
  });
});

test('a recording starts once, as it was shown, and only with its confirmation', async () => {
  const { call, result, recorder } = await startTestEngine();
  const plan = (await result('record.plan', PLAN)) as { hosts: { commands: string[][] }[]; confirmation: string };
  const other = await result('record.plan', { ...PLAN, options: { ...PLAN.options, rateHz: 999 } });
  expect(other).not.toMatchObject({ confirmation: plan.confirmation });
  expect(await call('record.start', { confirmation: 'x' })).toMatchObject(failed('not-confirmed'));
  expect(recorder.started).toEqual([]);
  expect(await call('record.start', { confirmation: plan.confirmation })).toEqual({ ok: true, result: STATUS });
  expect(await call('record.start', { confirmation: plan.confirmation })).toMatchObject(failed('not-confirmed'));
  expect(recorder.started).toEqual([plan.hosts[0]?.commands]);
  expect(await result('record.plan', { ...PLAN, name: 'impossible' })).toMatchObject({ confirmation: null });
});

test('confirmations expire, and are dropped if too many wait', () => {
  let now = 0;
  const confirmations = createConfirmations<number>('recording', () => now);
  const [first, second] = [confirmations.add(1), confirmations.add(2)];
  expect(confirmations.take(first)).toBe(1);
  now = 600_000;
  expect(() => confirmations.take(second)).toThrow('not confirmed');
  const third = confirmations.add(3);
  const last = Array.from({ length: 100 }, (_value, index) => confirmations.add(index)).at(-1) ?? '';
  expect(() => confirmations.take(third)).toThrow('not confirmed');
  expect(confirmations.take(last)).toBe(99);
});

test('file handles expire, and are dropped if too many wait', () => {
  let now = 0;
  const handles = createFileHandles(() => now);
  const file = { path: '/x', fileName: 'x' };
  const [first, second] = [handles.add(file), handles.add(file)];
  expect([handles.take(first), handles.take(first), handles.take('x')]).toEqual([file, null, null]);
  now = 600_000;
  expect(handles.take(second)).toBeNull();
  const third = handles.add(file);
  const last = Array.from({ length: 1000 }, () => handles.add(file)).at(-1) ?? '';
  expect([handles.take(third), handles.take(last)]).toEqual([null, file]);
});

test('files of the command line wait for the window, also across a reload', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.folded'), 'main 1\n');
  mkdirSync(join(folder, 'folder'));
  const test = await startTestEngine({ open: ['a.folded', 'folder', 'missing', '/dev/null'], cwd: folder });
  const problems = ['folder is a folder', 'missing is neither', '/dev/null is not a regular file'];
  expect(test.engine.problems).toMatchObject(problems.map(containing));
  const headers = await pageHeaders(test);
  for (let load = 0; load < 2; load++) {
    const state = (await test.result('app.state', {})) as { pendingFiles: { handle: string }[] };
    expect(state).toMatchObject({
      pendingFiles: [{ fileName: 'a.folded', size: 7 }],
      pendingCaptures: [],
      notices: problems.map(containing),
    });
    const file = await test.send(PATHS.file + state.pendingFiles[0]?.handle, { headers });
    expect(file.text).toBe('main 1\n');
  }
  const state = (await test.result('app.state', {})) as { pendingFiles: { handle: string }[] };
  rmSync(join(folder, 'a.folded'));
  const gone = await test.send(PATHS.file + state.pendingFiles[0]?.handle, { headers });
  expect(JSON.parse(gone.text)).toMatchObject(failed('file-missing'));
});

test('reports a port in use in one line with a remedy', async () => {
  const { port } = await startTestEngine();
  const options = { libraryPath: join(tempFolder(), 'library'), configPath: tempFolder(), samplesPath: null, port };
  await expect(startEngine(options)).rejects.toMatchObject({
    code: 'port-taken',
    message: `Port ${port} is in use by another program.`,
    remedy: containing('--port'),
  });
});

test('closing ends recordings once, and frees the port', async () => {
  const { engine, recorder, port } = await startTestEngine();
  await Promise.all([engine.close(), engine.close()]);
  expect(recorder.disposed).toBe(1);
  const next = await startEngine({
    libraryPath: engine.libraryPath,
    configPath: tempFolder(),
    samplesPath: null,
    port,
  });
  await next.close();
});

test('the engine leaves only the library’s own files behind', async () => {
  const test = await startTestEngine();
  const { id } = await upload(test, 'a.folded', 'main 1\n');
  await test.engine.close();
  expect(JSON.parse(readFileSync(join(test.folder, 'library', id, 'capture.json'), 'utf8'))).toMatchObject({
    state: 'finished',
  });
  expect(readdirSync(join(test.folder, 'library', id)).sort()).toEqual(['capture.json', 'raw.folded']);
});
