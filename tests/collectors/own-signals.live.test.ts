import { readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import type { Collector, Preflight } from '#collectors/collector.ts';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import { javaCollector } from '#collectors/java/collector.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { pythonCollector } from '#collectors/python/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { javaPrograms, jdk } from '../support/java-program.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { needing } from '../support/needing.ts';
import { endNodePrograms, startNodeProgram } from '../support/node-program.ts';
import { NODE_MAJORS, nodeOf, nodeVersions } from '../support/node-versions.ts';
import { PY_SPY_FOLDER, pySpy } from '../support/py-spy.ts';
import { endPythonPrograms, startPythonProgram } from '../support/python-program.ts';

vi.stubEnv('PATH', `${PY_SPY_FOLDER}:${process.env['PATH']}`);
const target = createLocalTarget();
afterAll(() => target.dispose());

/** The signal by which a JVM interrupts a thread to sample it, SIGRTMAX-2; it handles that from the first time on. */
const JVM_SUSPEND = 62n;

/** Returns the signals that a process blocks, ignores and handles, as bits. */
const signalsOf = (pid: number): readonly bigint[] =>
  [...readFileSync(`/proc/${pid}/status`, 'latin1').matchAll(/^Sig(?:Blk|Ign|Cgt):\t([0-9a-f]+)$/gm)].map(
    ([, bits]) => BigInt(`0x${bits}`) & ~(1n << (JVM_SUSPEND - 1n)),
  );

/** Records a process, and checks that it handles the same signals as before. */
async function expectSameSignals<Options extends CollectorOptions>(
  collector: Collector<Options>,
  options: Options,
  pid: number,
): Promise<void> {
  const before = signalsOf(pid);
  const { plan, checks }: Preflight<Options> = await collector.preflight(target, options);
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const outcome = await collector.start(target, plan!, new MemorySink(), SYSTEM_CLOCK).outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null });
  expect(signalsOf(pid)).toEqual(before);
}

const scopeOf = (pid: number) => ({ kind: 'pid', pid, startTicks: null }) as const;

needing(nodeVersions, () => {
  endNodePrograms();

  test.each(NODE_MAJORS)(
    'a program of Node %i still answers its own signals',
    async (major) => {
      const handlers = ['SIGUSR2', 'SIGTERM'].map((name) => `process.on('${name}', () => console.log('own ${name}'));`);
      const running = await startNodeProgram(
        nodeOf(major),
        `${handlers.join('\n')} setInterval(() => { for (let i = 0; i < 1e6; i++); }, 5);`,
      );
      const { pid } = running;
      await expectSameSignals(
        nodeCollector,
        { collector: 'node', scope: scopeOf(pid), profile: 'cpu', seconds: 1 },
        pid,
      );
      expect(running.text()).toMatch(/Debugger listening on [^]*Debugger ending on /);
      for (const name of ['SIGUSR2', 'SIGTERM'] as const) {
        process.kill(pid, name);
        await running.said(new RegExp(`own ${name}`));
      }
    },
    120_000,
  );
});

needing(pySpy, () => {
  endPythonPrograms();

  test('a program of Python still answers its own signals', async () => {
    const running = await startPythonProgram(`import signal
for name in ('SIGUSR2', 'SIGTERM'): signal.signal(getattr(signal, name), lambda number, _: print('own', number, flush=True))
print('ready', flush=True)
while True: sum(range(100000))`);
    const { pid } = running;
    let text = '';
    running.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const common = { rateHz: 100, seconds: 1, threads: 'running', stacks: 'python', subprocesses: false } as const;
    await expectSameSignals(pythonCollector, { collector: 'python', scope: scopeOf(pid), ...common }, pid);
    for (const [name, number] of [
      ['SIGUSR2', 12],
      ['SIGTERM', 15],
    ] as const) {
      process.kill(pid, name);
      await expect.poll(() => text).toContain(`own ${number}\n`);
    }
  }, 120_000);
});

needing(jdk, () => {
  const programs = javaPrograms();

  test('a program of Java handles the same signals', async () => {
    const { pid } = await programs.start();
    await expectSameSignals(javaCollector, { collector: 'java', scope: scopeOf(pid), seconds: 2 }, pid);
  }, 120_000);
});
