import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { listenersWithin } from '#collectors/target/listeners.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { endNodePrograms, startNodeProgram } from '../../support/node-program.ts';
import { HOT_PROGRAM } from '../../support/node-program-source.ts';
import { nodeOf, nodeVersions } from '../../support/node-versions.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const target = createLocalTarget();
const folder = makeLockedFolder('fb-node-traps-');
afterAll(async () => {
  await target.dispose();
  folder.remove();
});
endNodePrograms();

/** A program that works, and prints how many sessions it has when that changes. */
const PROGRAM = `
const count = () => Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('flamebench')).length;
let last = 0;
setInterval(() => { if (count() !== last) { last = count(); console.log('sessions', last); } }, 50);
${HOT_PROGRAM}`;

async function start(pid: number, more: Partial<NodeOptions> = {}, on: Target = target) {
  const scope = { kind: 'pid', pid, startTicks: null } as const;
  const options: NodeOptions = { collector: 'node', scope, profile: 'cpu', seconds: 2, ...more };
  const { plan, checks } = await nodeCollector.preflight(on, options);
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  return nodeCollector.start(on, plan!, new MemorySink(), SYSTEM_CLOCK);
}

const portsOf = async (pid: number): Promise<number[]> =>
  ((await listenersWithin(target, pid)) ?? []).map(({ port }) => port);

/** Connects to an inspector as a debugger, which then neither reads nor answers. */
async function connectSilently(port: number): Promise<() => void> {
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [{ id: string }];
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const head = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13'];
  socket.write([`GET /${list[0].id} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...head, '', ''].join('\r\n'));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return () => void socket.destroy();
}

/** Returns the CPU ticks of a process. */
const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return Number(fields[11]);
};

needing(nodeVersions, () => {
  test.each([20, 22, 24, 26] as const)(
    'Node %i goes on while a debugger neither answers nor leaves, and closes the port after it',
    async (major) => {
      const running = await startNodeProgram(nodeOf(major), PROGRAM);
      let leave = (): void => undefined;
      let port = 0;
      const watched: Target = {
        ...target,
        async forwardPort(at, host) {
          if (port === 0) {
            leave = await connectSilently(at);
            port = at;
          }
          return target.forwardPort(at, host);
        },
      };
      const recording = await start(running.pid, { seconds: 600 }, watched);
      await new Promise<void>((resolve) =>
        recording.onProgress(({ state }) => {
          if (state === 'recording') resolve();
        }),
      );
      const before = ticksOf(running.pid);
      await expect.poll(() => ticksOf(running.pid), { timeout: 60_000 }).toBeGreaterThan(before + 100);
      expect(await portsOf(running.pid)).toEqual([port]);
      leave();
      await expect.poll(() => portsOf(running.pid), { timeout: 60_000 }).toEqual([]);
      void recording.stop();
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      await expect.poll(() => portsOf(running.pid)).toEqual([]);
    },
    180_000,
  );

  test('keeps what was sampled if Flamebench is terminated', async () => {
    const running = await startNodeProgram(nodeOf(24), PROGRAM);
    const library = join(folder.path, 'library');
    const words = ['record', 'node', '--pid', String(running.pid), '--seconds', '600', '--library', library];
    const client = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void client.kill('SIGKILL'));
    await running.said(/sessions 1/);
    await expect.poll(() => portsOf(running.pid), { timeout: 60_000 }).toEqual([]);
    client.kill('SIGTERM');
    await running.said(/sessions 0/);
    await expect.poll(() => client.exitCode ?? client.signalCode, { timeout: 60_000 }).not.toBeNull();
    const kept = await openLibrary(library);
    const { captures } = await kept.list();
    kept.close();
    expect({ code: client.exitCode, signal: client.signalCode, captures }).toMatchObject({
      captures: [{ state: 'finished', primaryFile: 'raw.cpuprofile' }],
    });
    await expect.poll(() => portsOf(running.pid)).toEqual([]);
  }, 180_000);

  test('records twice at the same time', async () => {
    const running = await startNodeProgram(nodeOf(24), PROGRAM);
    const recordings = [
      await start(running.pid, { seconds: 600 }),
      await start(running.pid, { seconds: 600, profile: 'heap' }),
    ];
    await running.said(/sessions 2/);
    const outcomes = await Promise.all(
      recordings.map((recording) => {
        void recording.stop();
        return recording.outcome;
      }),
    );
    expect(outcomes).toMatchObject([
      { state: 'finished', error: null, primaryFile: 'raw.cpuprofile' },
      { state: 'finished', error: null, primaryFile: 'raw.heapprofile' },
    ]);
    await running.said(/sessions 0/);
    await expect.poll(() => portsOf(running.pid)).toEqual([]);
  }, 180_000);

  test('leaves the coverage that a program collects alone, and says what that costs', async () => {
    const coverage = join(folder.path, 'coverage');
    const running = await startNodeProgram(nodeOf(24), `process.on('SIGUSR2', () => process.exit()); ${PROGRAM}`, {
      env: { NODE_V8_COVERAGE: coverage },
    });
    const outcome = await (await start(running.pid)).outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    expect(outcome.diagnostics).toContainEqual(expect.objectContaining({ code: 'inlined-functions' }));
    running.child.kill('SIGUSR2');
    await expect.poll(() => running.child.exitCode, { timeout: 60_000 }).toBe(0);
    expect(readdirSync(coverage)).not.toEqual([]);
  }, 180_000);
});
