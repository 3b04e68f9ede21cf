import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { PythonOptions } from '#core/contract/python.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { pythonCollector } from '#collectors/python/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { openCleanRoot, trixie, TRIXIE } from '../../support/clean-root.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { isRunning } from '../../support/process-state.ts';
import { HOT_PYTHON, PY_SPY_FOLDER, pySpy } from '../../support/py-spy.ts';

vi.stubEnv('PATH', `${PY_SPY_FOLDER}:${process.env['PATH']}`);

const both = { name: `${trixie.name}; ${pySpy.name}`, present: () => trixie.present() && pySpy.present() };

/** Returns the PID of a child, or of the process itself if it has none. */
function innermost(pid: number): number {
  const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10);
  return Number.isNaN(child) ? pid : innermost(child);
}

needing(both, () => {
  const target = createLocalTarget();
  const root = openCleanRoot(TRIXIE);
  afterAll(async () => {
    root.close();
    await target.dispose();
  });

  /** Starts its Python, in a command that enters something else; returns the PID here. */
  async function startPython(...within: readonly string[]): Promise<number> {
    const child = root.start(...within, 'python3', '-c', HOT_PYTHON);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    });
    await once(child.stdout!, 'data');
    return innermost(child.pid!);
  }
  const OWN_PIDS = ['unshare', '--pid', '--fork', '--kill-child'];
  const common = { collector: 'python', rateHz: 100, seconds: 2, threads: 'running', subprocesses: false } as const;

  test.each<[string, PythonOptions['stacks'], readonly string[]]>([
    ['another root', 'python', []],
    ['another root, with native code', 'native', []],
    ['another root with its own PIDs', 'python', OWN_PIDS],
  ])(
    'samples Debian 13’s CPython 3.13 in %s',
    async (_name, stacks, within) => {
      const pid = await startPython(...within);
      const scope = { kind: 'pid', pid, startTicks: null } as const;
      const { plan, checks } = await pythonCollector.preflight(target, { ...common, scope, stacks });
      expect(checks).toContainEqual(
        expect.objectContaining({ status: 'ok', found: expect.stringMatching(/^Python 3\.13\./) }),
      );
      const sink = new MemorySink();
      const outcome = await pythonCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      const source = { fileName: outcome.primaryFile, size: null, chunks: () => sink.read(outcome.primaryFile) };
      const { strings, functions, samples } = await importProfile(source);
      expect(samples.length).toBeGreaterThan(50);
      expect(strings).toContain('hot');
      const hasNative = [...functions.module].some((module) => /python3\.13|libc\.so/.test(strings[module]!));
      expect(hasNative).toBe(stacks === 'native');
      expect(isRunning(pid)).toBe(true);
    },
    120_000,
  );

  test('refuses native code of a process with its own PIDs, which py-spy can’t unwind', async () => {
    const pid = await startPython(...OWN_PIDS);
    const scope = { kind: 'pid', pid, startTicks: null } as const;
    const { plan, checks } = await pythonCollector.preflight(target, { ...common, scope, stacks: 'native' });
    expect(plan).toBeNull();
    expect(checks.at(-1)).toMatchObject({
      id: 'native',
      status: 'failed',
      remedy: expect.stringContaining('without --native'),
    });
  }, 60_000);
});
