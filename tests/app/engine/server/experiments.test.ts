import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Result } from '#core/contract/contract.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import type { ExperimentState, ImportedExperiment } from '#core/contract/experiment.ts';
import { oneLine } from '../support/matching.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';

async function pageHeaders({ engine, session }: TestEngine): Promise<Record<string, string>> {
  return { origin: engine.origin, [TOKEN_HEADER]: await session() };
}

async function upload(test: TestEngine, name: string): Promise<string> {
  const path = `${PATHS.upload}?name=${name}`;
  const answer = await test.send(path, { method: 'POST', headers: await pageHeaders(test), body: 'main;work 3\n' });
  return (JSON.parse(answer.text) as { result: { id: string } }).result.id;
}

async function makeExperiment(test: TestEngine): Promise<ExperimentState> {
  const [before, after] = [await upload(test, 'a.folded'), await upload(test, 'b.folded')];
  const params = { name: null, before: [{ id: before }], after: [{ id: after, requests: 5 }] };
  return (await test.result('experiment.create', params)) as ExperimentState;
}

test('creates, lists, changes, trashes and restores an experiment', async () => {
  const test = await startTestEngine();
  const { experiment } = await makeExperiment(test);
  const { id } = experiment;
  expect(await test.result('experiment.list', {})).toEqual({ experiments: [{ experiment, missing: [] }], damaged: [] });
  const change = { notes: 'n', before: { label: 'v1' }, options: { normalisation: 'share' as const } };
  const changed = (await test.result('experiment.change', { id, change })) as ExperimentState;
  expect(changed.experiment).toMatchObject({
    notes: 'n',
    before: { label: 'v1' },
    options: { normalisation: 'share' },
  });
  expect(await test.result('experiment.get', { id })).toEqual(changed);
  await test.result('experiment.trash', { id });
  expect(await test.call('experiment.get', { id })).toMatchObject({ ok: false, error: { code: 'not-found' } });
  expect(await test.result('experiment.restore', { id })).toEqual(changed);
  expect(test.log).toEqual([]);
});

test.each([
  ['experiment.create', { name: null, before: [], after: [{ id: 'x', requests: -1 }] }],
  ['experiment.create', { name: '', before: [], after: [] }],
  ['experiment.change', { id: 'x', change: { after: { timeRange: { start: 2, end: 1 } } } }],
  ['experiment.change', { id: 'x', change: { options: { normalisation: 'magic' } } }],
  ['experiment.change', { id: 'x', change: { swap: false } }],
  ['experiment.change', { id: 'x', change: { notes: 'x'.repeat(1_000_001) } }],
])('%s refuses %j', async (method, params) => {
  const { call } = await startTestEngine();
  const error = { code: 'invalid-arguments', message: oneLine };
  expect(await call(method, params)).toMatchObject({ ok: false, error });
});

test('exports an experiment as one file, which another engine imports', async () => {
  const [here, there] = [await startTestEngine(), await startTestEngine()];
  const { experiment } = await makeExperiment(here);
  const sent = await here.send(PATHS.experiment + experiment.id, { headers: await pageHeaders(here) });
  expect(sent.status).toBe(200);
  const body = sent.bytes;
  const taken = await there.send(PATHS.experiment, { method: 'POST', headers: await pageHeaders(there), body });
  const { result } = JSON.parse(taken.text) as { result: ImportedExperiment };
  expect(result).toMatchObject({ added: 2, known: 0, missing: [], experiment: { after: experiment.after } });
  expect(await there.result('library.list', { query: '' })).toMatchObject({ captures: [{}, {}] });
  const broken = { method: 'POST', headers: await pageHeaders(there), body: body.subarray(0, 200) };
  expect(JSON.parse((await there.send(PATHS.experiment, broken)).text)).toMatchObject({
    ok: false,
    error: { code: 'bad-bundle', message: oneLine },
  });
  const noise = { ...broken, body: Buffer.alloc(4 << 20, 7) };
  expect(JSON.parse((await there.send(PATHS.experiment, noise)).text)).toMatchObject({ error: { code: 'bad-bundle' } });
  expect(there.log).toEqual([]);
});

test('imports a file of the command line by its handle, once', async () => {
  const here = await startTestEngine();
  const { experiment } = await makeExperiment(here);
  const { bytes } = await here.send(PATHS.experiment + experiment.id, { headers: await pageHeaders(here) });
  const file = join(here.folder, 'pair.flamebench-experiment');
  writeFileSync(file, bytes);
  const there = await startTestEngine({ open: [file] });
  const { pendingFiles } = (await there.result('app.state', {})) as Result<'app.state'>;
  const { handle } = pendingFiles[0]!;
  expect(await there.result('experiment.import', { handle })).toMatchObject({ added: 2, known: 0 });
  expect(await there.call('experiment.import', { handle })).toMatchObject({ error: { code: 'handle-used' } });
});

test('refuses to record into a missing experiment before it begins', async () => {
  const { call } = await startTestEngine();
  const params = {
    targets: [{ target: 'local' }],
    options: { collector: 'perf', scope: { kind: 'system' }, rateHz: 99, event: null, callGraph: 'fp', seconds: 1 },
    repeat: 1,
    pauseSeconds: 0,
    name: null,
    into: { experimentId: 'experiment-none', side: 'after' },
  };
  expect(await call('record.plan', params)).toMatchObject({
    ok: false,
    error: { code: 'not-found', message: oneLine },
  });
});

test('experiment files need a session, the engine’s page, and an ID', async () => {
  const test = await startTestEngine();
  const { experiment } = await makeExperiment(test);
  const path = PATHS.experiment + experiment.id;
  const headers = await pageHeaders(test);
  expect((await test.send(path)).status).toBe(401);
  expect((await test.send(path, { headers: { ...headers, origin: 'http://example.org' } })).status).toBe(403);
  expect((await test.send(path, { method: 'POST', headers })).status).toBe(405);
  expect((await test.send(`${PATHS.experiment}experiment-no`, { headers })).status).toBe(404);
  expect((await test.send(PATHS.experiment, { method: 'POST', body: 'x' })).status).toBe(403);
  expect((await test.send(PATHS.experiment, { method: 'POST', headers: { origin: test.engine.origin } })).status).toBe(
    401,
  );
});
