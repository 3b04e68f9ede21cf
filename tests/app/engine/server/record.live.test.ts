import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventSchema } from '#core/contract/contract.ts';
import { EVENTS_PROTOCOL, PATHS } from '#core/contract/paths.ts';
import type { CaptureDocument, RecordingStatus } from '#core/contract/schemas.ts';
import { createRecorder } from '#app/engine/recording/create-recorder.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';

/** Starts a busy process for perf to record. */
function busyProcess(): number {
  const child = spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random());'], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child.pid ?? 0;
}

interface Planned {
  readonly hosts: { readonly target: string; readonly commands: string[][] }[];
  readonly confirmation: string | null;
}

function plan({ result }: TestEngine, pid: number, seconds: number | null): Promise<Planned> {
  return result('record.plan', {
    targets: [{ target: 'local' }],
    options: {
      collector: 'perf',
      scope: { kind: 'pid', pid, startTicks: null },
      rateHz: 199,
      event: null,
      callGraph: 'fp',
      seconds,
    },
    repeat: 1,
    pauseSeconds: 0,
    name: 'busy',
  }) as Promise<Planned>;
}

async function listen({ engine, port, host, session }: TestEngine): Promise<RecordingStatus[]> {
  const statuses: RecordingStatus[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}${PATHS.events}`, [EVENTS_PROTOCOL, await session()], {
    headers: { host, origin: engine.origin },
  });
  onTestFinished(() => {
    socket.terminate();
  });
  socket.on('message', (data: Buffer) => {
    const event = eventSchema.parse(JSON.parse(data.toString()));
    if (event.kind === 'recording') statuses.push(event.status);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  return statuses;
}

test('the window records a process: plan, confirm, watch, stop, open', async () => {
  const engine = await startTestEngine({ createRecorder });
  const statuses = await listen(engine);
  const { hosts, confirmation } = await plan(engine, busyProcess(), null);
  expect(hosts[0]?.commands[0]?.join(' ')).toMatch(/perf record .*-F 199/);
  const started = (await engine.result('record.start', { confirmation: confirmation ?? '' })) as RecordingStatus;
  await expect.poll(() => statuses.at(-1)?.samples ?? 0, { timeout: 15_000 }).toBeGreaterThan(20);
  const { recordingId, captureId } = started;
  expect(await engine.result('library.get', { id: captureId })).toMatchObject({ state: 'recording', name: 'busy' });
  expect(await engine.call('library.trash', { id: captureId })).toMatchObject({ error: { code: 'in-use' } });
  expect(await engine.result('record.stop', { recordingId })).toMatchObject({ state: 'finished' });
  const capture = (await engine.result('library.get', { id: captureId })) as CaptureDocument;
  expect(capture).toMatchObject({
    state: 'finished',
    incomplete: false,
    origin: 'recorded',
    collector: { id: 'perf' },
  });
  expect(capture.samples).toBeGreaterThan(20);
  const folder = join(engine.engine.libraryPath, captureId);
  expect(readFileSync(join(folder, capture.primaryFile), 'utf8')).toContain('cpu-clock');
  expect(readdirSync(folder).sort()).toEqual(['capture.json', capture.primaryFile, ...capture.otherFiles].sort());
  expect(await engine.result('library.open', { id: captureId })).toMatchObject({ cached: false });
  expect(statuses.map(({ state }) => state)).toContain('recording');
  expect(engine.log).toEqual([]);
});

test('cancel discards; a missing process cannot be confirmed', async () => {
  const engine = await startTestEngine({ createRecorder });
  const statuses = await listen(engine);
  const { confirmation } = await plan(engine, busyProcess(), null);
  const { recordingId } = (await engine.result('record.start', {
    confirmation: confirmation ?? '',
  })) as RecordingStatus;
  await expect.poll(() => statuses.at(-1)?.state, { timeout: 15_000 }).toBe('recording');
  expect(await engine.result('record.cancel', { recordingId })).toMatchObject({ state: 'cancelled' });
  expect(await engine.result('record.cancel', { recordingId })).toMatchObject({ state: 'cancelled' });
  expect(await engine.result('library.list', { query: '' })).toEqual({ captures: [], damaged: [] });
  expect(await plan(engine, 2 ** 22 + 1, 1)).toMatchObject({ confirmation: null });
});

test('a plan with a hostile value in any field starts nothing with it, and cannot be confirmed', async () => {
  const engine = await startTestEngine({ createRecorder });
  const scope = { kind: 'pid', pid: busyProcess(), startTicks: null };
  const options = { collector: 'perf', scope, rateHz: 199, event: null, callGraph: 'fp', seconds: 1 };
  const asked = (change: object, more: object = {}): Promise<unknown> =>
    engine.call('record.plan', {
      targets: [{ target: 'local' }],
      options: { ...options, ...change },
      repeat: 1,
      pauseSeconds: 0,
      name: null,
      ...more,
    });
  for (const event of ['/tmp/evil.c', './evil.o', 'evil.bpf', '--output=/tmp/x', 'cycles,/tmp/evil.c']) {
    expect(await asked({ event })).toMatchObject({
      result: { confirmation: null, hosts: [{ commands: [], checks: expect.arrayContaining([REFUSED_EVENT]) }] },
    });
  }
  for (const [change, more] of [
    [{ callGraph: 'dwarf,65528;id' }, {}],
    [{ callGraph: '--output=/tmp/x' }, {}],
    [{ rateHz: '99 -o /tmp/x' }, {}],
    [{ rateHz: 1e9 }, {}],
    [{ seconds: -1 }, {}],
    [{ scope: { ...scope, pid: '1,2' } }, {}],
    [{ scope: { ...scope, pid: 2 ** 40 } }, {}],
    [{ scope: { ...scope, startTicks: '../x' } }, {}],
    [{ scope: { kind: 'command', argv: ['true\0-x'] } }, {}],
    [{ scope: { kind: 'command', argv: [] } }, {}],
    [{ collector: '/tmp/evil' }, {}],
    [{}, { targets: [{ target: '-oProxyCommand=id' }] }],
  ] as const) {
    expect(await asked(change, more)).toMatchObject({ ok: false, error: { code: 'invalid-arguments' } });
  }
  expect(engine.log).toEqual([]);
});

const REFUSED_EVENT: unknown = expect.objectContaining({ id: 'event', status: 'failed' });

test('an engine that is closed while recording keeps the data', async () => {
  const engine = await startTestEngine({ createRecorder });
  const statuses = await listen(engine);
  const { confirmation } = await plan(engine, busyProcess(), null);
  const { captureId } = (await engine.result('record.start', { confirmation: confirmation ?? '' })) as RecordingStatus;
  await expect.poll(() => statuses.at(-1)?.samples ?? 0, { timeout: 15_000 }).toBeGreaterThan(5);
  await engine.engine.close();
  const text = readFileSync(join(engine.engine.libraryPath, captureId, 'capture.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ state: 'finished', incomplete: false });
});
