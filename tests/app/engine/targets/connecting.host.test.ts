import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventSchema, type EngineEvent, type Result } from '#core/contract/contract.ts';
import { EVENTS_PROTOCOL, PATHS } from '#core/contract/paths.ts';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import { createRecorder } from '#app/engine/recording/create-recorder.ts';
import { needing } from '../../../support/needing.ts';
import { PASSWORD, sshHosts, startSshHost, type SshHost } from '../../../support/sshd.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';
import { BUSY_LOOP } from '../../../support/busy-loop.ts';

const failed = (code: string): object => ({ ok: false, error: { code } });

async function listen({ engine, port, host, session }: TestEngine): Promise<EngineEvent[]> {
  const events: EngineEvent[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}${PATHS.events}`, [EVENTS_PROTOCOL, await session()], {
    headers: { host, origin: engine.origin },
  });
  socket.on('message', (data: Buffer) => events.push(eventSchema.parse(JSON.parse(data.toString()))));
  await new Promise((resolve) => socket.once('open', resolve));
  return events;
}

/** Connects as the window does: plans the command, confirms it, and answers no prompt. */
async function connect({ result }: TestEngine, target: string): Promise<unknown> {
  const { confirmation } = (await result('target.plan', { target })) as Result<'target.plan'>;
  return result('target.connect', { target, confirmation });
}

needing(sshHosts, () => {
  const hosts: SshHost[] = [];
  beforeAll(async () => {
    hosts.push(
      ...(await Promise.all([startSshHost({ auth: 'password', known: false }), startSshHost(), startSshHost()])),
    );
  }, 60_000);
  afterAll(() => Promise.all(hosts.map((host) => host.dispose())));

  test('a new host is confirmed, prompts in the terminal, and serves all windows until it is closed', async () => {
    const host = hosts[0]!;
    const engine = await startTestEngine({ sshConfigPath: host.clientConfigFile });
    const { call, result } = engine;
    const target = host.destination;
    const events = await listen(engine);
    const stateOf = async (): Promise<string | undefined> => {
      const { targets } = (await result('target.list', {})) as Result<'target.list'>;
      return targets.find(({ id }) => id === target)?.state.kind;
    };
    const asked = async (question: RegExp): Promise<void> => {
      await expect
        .poll(() => result('target.terminal', { target }), { timeout: 30_000 })
        .toMatchObject({ text: expect.stringMatching(question) });
      await expect.poll(stateOf, { timeout: 30_000 }).toBe('needs-you');
    };

    const plan = (await result('target.plan', { target })) as Result<'target.plan'>;
    expect(plan.command).toEqual(expect.arrayContaining(['-M', 'StrictHostKeyChecking=ask', '--']));
    expect(await call('target.connect', { target, confirmation: null })).toMatchObject(failed('not-confirmed'));
    expect(await call('target.processes', { target })).toMatchObject(failed('not-confirmed'));
    const other = (await result('target.plan', { target: hosts[1]!.destination })) as Result<'target.plan'>;
    expect(await call('target.connect', { target, confirmation: other.confirmation })).toMatchObject(
      failed('not-confirmed'),
    );
    expect(await result('target.answer', { target, text: 'x' })).toEqual({ accepted: false });

    const connected = result('target.connect', { target, confirmation: plan.confirmation });
    await asked(/authenticity of host[^]*\? $/);
    expect(await result('target.answer', { target, text: 'yes\r' })).toEqual({ accepted: true });
    await asked(/password: $/);
    await result('target.resize', { target, columns: 120, rows: 40 });
    expect(await result('target.answer', { target, text: `${PASSWORD}\r` })).toEqual({ accepted: true });
    expect(await connected).toMatchObject({ kind: 'up' });

    const { processes } = (await result('target.processes', { target })) as Result<'target.processes'>;
    expect(processes.map(({ name }) => name)).toContain('sshd');
    const run = 'doctor 1';
    const { checks } = (await result('target.doctor', { target, pid: null, run })) as Result<'target.doctor'>;
    await expect
      .poll(() => events.flatMap((event) => (event.kind === 'target-check' && event.run === run ? [event.check] : [])))
      .toEqual(checks);

    expect(await result('target.plan', { target })).toEqual({ command: plan.command, confirmation: null });
    expect(await result('target.disconnect', { target })).toMatchObject({ kind: 'idle' });
    // A window that keeps listing processes does not reconnect it.
    expect(await call('target.processes', { target })).toMatchObject(failed('not-connected'));
    const shown = (await result('target.terminal', { target })) as Result<'target.terminal'>;
    expect(shown.end).toBe(shown.text.length);
    const ofTerminal = (): EngineEvent[] => events.filter(({ kind }) => kind === 'target-terminal');
    await expect.poll(() => ofTerminal().at(-1)).toMatchObject({ target, end: shown.end });
    const states = events.flatMap((event) => (event.kind === 'target-state' ? [event.state.kind] : []));
    expect(states).toEqual(expect.arrayContaining(['connecting', 'needs-you', 'up', 'idle']));
    const kept = readFileSync(join(engine.folder, 'config', 'targets.json'), 'utf8');
    expect(`${kept}${shown.text}${JSON.stringify(events)}`).not.toContain(PASSWORD);

    await result('target.remove', { target });
    expect(await call('target.processes', { target })).toMatchObject(failed('not-confirmed'));
    expect(engine.log).toEqual([]);
  });

  describe('several hosts', () => {
    const gone = 'ssh://127.0.0.1:1';
    let engine: TestEngine;
    let targets: string[];

    async function start(argv: string[]): Promise<{ plan: Result<'record.plan'>; status: RecordingStatus }> {
      const plan = (await engine.result('record.plan', {
        targets: [...targets, gone].map((target) => ({ target })),
        options: {
          collector: 'perf',
          scope: { kind: 'command', argv },
          rateHz: 997,
          event: null,
          callGraph: 'fp',
          seconds: null,
        },
        repeat: 1,
        pauseSeconds: 0,
        name: 'load',
      })) as Result<'record.plan'>;
      const status = await engine.result('record.start', { confirmation: plan.confirmation ?? '' });
      return { plan, status: status as RecordingStatus };
    }

    async function statusOf(recordingId: string): Promise<RecordingStatus> {
      const { recordings } = (await engine.result('app.state', {})) as Result<'app.state'>;
      return recordings.find((status) => status.recordingId === recordingId)!;
    }

    beforeEach(async () => {
      const some = hosts.slice(1);
      const sshConfigPath = join(mkdtempSync(join(tmpdir(), 'two-hosts-')), 'config');
      writeFileSync(sshConfigPath, some.map(({ clientConfigText }) => clientConfigText).join('\n'));
      engine = await startTestEngine({ sshConfigPath, createRecorder });
      onTestFinished(() => rmSync(dirname(sshConfigPath), { recursive: true }));
      targets = some.map(({ destination }) => destination);
      await Promise.all(targets.map((target) => connect(engine, target)));
    });

    test('are recorded together into one side; one that fails is left out', async () => {
      const count = ['sh', '-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'];
      const { plan, status } = await start(count);
      expect(plan.hosts.map(({ target, commands }) => [target, commands.length > 0])).toEqual([
        [targets[0], true],
        [targets[1], true],
        [gone, false],
      ]);
      expect(plan.hosts[2]!.checks).toMatchObject([{ id: 'target', status: 'failed' }]);
      const { recordingId } = status;
      await expect.poll(async () => (await statusOf(recordingId)).state, { timeout: 60_000 }).toBe('finished');
      const ended = await statusOf(recordingId);
      expect(ended).toMatchObject({ error: null, hosts: targets.map((target) => ({ target, state: 'finished' })) });
      expect(ended.samples).toBe(ended.hosts[0]!.samples + ended.hosts[1]!.samples);

      const id = ended.experimentId!;
      const { experiment } = (await engine.result('experiment.get', { id })) as Result<'experiment.get'>;
      const recorded = new Set(ended.hosts.map(({ captureId }) => captureId));
      expect(new Set(experiment.before.captures.map((capture) => capture.id))).toEqual(recorded);
      expect(experiment.after.captures).toEqual([]);
      const { captures } = (await engine.result('library.list', { query: '' })) as Result<'library.list'>;
      const known = captures.map(({ target, name, series }) => ({
        kind: target?.kind,
        host: target?.host,
        name,
        series,
      }));
      expect(known).toHaveLength(2);
      for (const { host } of ended.hosts) {
        expect(known).toContainEqual({ kind: 'ssh', host, name: `load on ${host}`, series: null });
      }
    });

    test('continue without one that is lost', async () => {
      const { status } = await start([...BUSY_LOOP]);
      const { recordingId } = status;
      const samples = async (): Promise<number> =>
        Math.min(...(await statusOf(recordingId)).hosts.map((host) => host.samples));
      await expect.poll(samples, { timeout: 60_000 }).toBeGreaterThan(20);
      hosts[2]!.killServer();
      await expect
        .poll(async () => (await statusOf(recordingId)).hosts[1]!.state, { timeout: 60_000 })
        .toMatch(/finished|failed/);
      const lost = await statusOf(recordingId);
      expect(lost).toMatchObject({ state: 'recording', hosts: [{ state: 'recording' }, {}] });
      const before = lost.hosts[0]!.samples;
      await expect
        .poll(async () => (await statusOf(recordingId)).hosts[0]!.samples, { timeout: 60_000 })
        .toBeGreaterThan(before);
      const stopped = (await engine.result('record.stop', { recordingId })) as RecordingStatus;
      expect(stopped).toMatchObject({ state: 'finished', hosts: [{ state: 'finished', error: null }, {}] });
      const { captures } = (await engine.result('library.list', { query: '' })) as Result<'library.list'>;
      const incomplete = captures.map((capture) => [capture.id, capture.incomplete]);
      expect(incomplete).toContainEqual([stopped.hosts[0]!.captureId, false]);
      expect(incomplete).toContainEqual([stopped.hosts[1]!.captureId, true]);
    });
  });
});
