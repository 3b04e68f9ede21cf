import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ASYNC_PROFILER_FILES, LIBRARY } from '#collectors/java/async-profiler.ts';
import { javaCollector } from '#collectors/java/collector.ts';
import { keepGiven, keptPath } from '#collectors/kept-files.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { JavaOptions } from '#core/contract/java.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { ASYNC_PROFILER_JAR, asyncProfiler } from '../../support/async-profiler.ts';
import { javaPrograms, type JavaProgram } from '../../support/java-program.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { isRunning } from '../../support/process-state.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const target = createLocalTarget();
const folder = makeLockedFolder('fb-async-profiler-');
const temporary = join(folder.path, 'tmp');

beforeAll(() => {
  mkdirSync(temporary);
  vi.stubEnv('XDG_CACHE_HOME', join(folder.path, 'cache'));
});
afterAll(async () => {
  await target.dispose();
  folder.remove();
});

const optionsFor = (pid: number): JavaOptions => ({
  collector: 'java',
  scope: { kind: 'pid', pid, startTicks: null },
  seconds: 2,
  profile: 'async-profiler',
});

async function record({ pid }: JavaProgram) {
  const { plan, checks } = await javaCollector.preflight(target, optionsFor(pid));
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const sink = new MemorySink();
  return { plan: plan!, sink, outcome: await javaCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome };
}

/** Installs async-profiler as its own archives do, and returns the folder of `asprof`, whose program is not run. */
async function install(): Promise<string> {
  await keepGiven(readFileSync(ASYNC_PROFILER_JAR), ASYNC_PROFILER_FILES);
  for (const name of ['bin', 'lib']) mkdirSync(join(folder.path, name));
  writeFileSync(join(folder.path, 'bin/asprof'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  copyFileSync(keptPath(ASYNC_PROFILER_FILES[0]!), join(folder.path, 'lib', LIBRARY));
  return join(folder.path, 'bin');
}

needing(asyncProfiler, () => {
  const programs = javaPrograms();

  test('records CPU, wall-clock time, allocations and locks at once, by the library that is sent', async () => {
    const running = await programs.start({ options: ['-Dpassword=secret-1'], env: { API_KEY: 'secret-2' } });
    const none = await javaCollector.preflight(target, optionsFor(running.pid));
    expect(none.checks).toMatchObject([{ status: 'failed', remedy: expect.stringMatching(/--async-profiler FILE/) }]);
    expect(await keepGiven(readFileSync(ASYNC_PROFILER_JAR), ASYNC_PROFILER_FILES)).toHaveLength(2);
    vi.stubEnv('TMPDIR', temporary);
    for (const _time of ['first', 'second']) {
      const { plan, sink, outcome } = await record(running);
      expect(plan.remark).toMatch(/^libasyncProfiler\.so \(async-profiler 4\.3\) is sent/);
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      const { strings, valueTypes } = await importProfile({
        fileName: 'raw.jfr',
        size: null,
        chunks: () => sink.read('raw.jfr'),
      });
      expect(strings).toContain('Hot.hot');
      const types = valueTypes.map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['samples', 'cpu', 'wall', expect.stringMatching(/^alloc_/), 'contentions', 'delay']),
      );
      expect(Buffer.from(sink.files.get('raw.jfr')!).toString('latin1')).not.toContain('secret-');
      expect(readdirSync(temporary)).toEqual([]);
    }
    expect(isRunning(running.pid)).toBe(true);
    expect(running.text()).toBe('ready\n');
    vi.stubEnv('TMPDIR', undefined);
  }, 120_000);

  test('removes the library that was sent if Flamebench is killed, and records again', async () => {
    const running = await programs.start();
    await keepGiven(readFileSync(ASYNC_PROFILER_JAR), ASYNC_PROFILER_FILES);
    vi.stubEnv('TMPDIR', temporary);
    const words = ['record', 'java', '--profile', 'async-profiler', '--pid', String(running.pid), '--seconds', '600'];
    const client = spawn(process.execPath, [LAUNCHER, ...words, '--library', join(folder.path, 'library')], {
      stdio: 'ignore',
    });
    const hasLibrary = (): boolean => readFileSync(`/proc/${running.pid}/maps`, 'latin1').includes(LIBRARY);
    await expect.poll(hasLibrary, { timeout: 60_000 }).toBe(true);
    client.kill('SIGKILL');
    await expect.poll(() => readdirSync(temporary), { timeout: 60_000 }).toEqual([]);
    await expect.poll(async () => (await record(running)).outcome.state, { timeout: 60_000 }).toBe('finished');
    expect(readdirSync(temporary)).toEqual([]);
    expect(isRunning(running.pid)).toBe(true);
    vi.stubEnv('TMPDIR', undefined);
  }, 180_000);

  test('uses the target’s own library, and stops in the JVM if Flamebench is killed', async () => {
    const running = await programs.start();
    const PATH = `${await install()}:${process.env['PATH']}`;
    vi.stubEnv('PATH', PATH);
    const words = ['record', 'java', '--profile', 'async-profiler', '--pid', String(running.pid), '--seconds', '600'];
    const client = spawn(process.execPath, [LAUNCHER, ...words, '--library', join(folder.path, 'library')], {
      stdio: 'ignore',
      env: { ...process.env, PATH },
    });
    const hasLibrary = (): boolean => readFileSync(`/proc/${running.pid}/maps`, 'latin1').includes(LIBRARY);
    await expect.poll(hasLibrary, { timeout: 60_000 }).toBe(true);
    // Another recording is refused while the first one runs.
    const { outcome } = await record(running);
    expect(outcome.error?.message).toMatch(/async-profiler did not start in process \d+ \(code 200\)/);
    client.kill('SIGKILL');
    await expect.poll(async () => (await record(running)).outcome.state, { timeout: 60_000 }).toBe('finished');
    const { plan } = await record(running);
    expect(plan.remark).toBeUndefined();
    expect(isRunning(running.pid)).toBe(true);
  }, 180_000);
});
