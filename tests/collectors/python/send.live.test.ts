import { spawn, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PY_SPY_BUILDS, type PySpyBuild } from '#collectors/python/builds.ts';
import { pythonCollector } from '#collectors/python/collector.ts';
import { isKept, keepGiven, keptPath } from '#collectors/kept-files.ts';
import { provideProgram } from '#collectors/python/provide.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { PythonOptions } from '#core/contract/python.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { isRunning } from '../../support/process-state.ts';
import { HOT_PYTHON, PY_SPY, pySpy, PY_SPY_WHEEL } from '../../support/py-spy.ts';
import { endPythonPrograms, startPythonProgram } from '../../support/python-program.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const target = createLocalTarget();
const folder = makeLockedFolder('fb-send-');
const cache = join(folder.path, 'cache');
const temporary = join(folder.path, 'tmp');
const [x64] = PY_SPY_BUILDS as [PySpyBuild];
const kept = (): string => keptPath(x64);

beforeEach(() => {
  rmSync(cache, { recursive: true, force: true });
  vi.stubEnv('XDG_CACHE_HOME', cache);
  vi.stubEnv('HOME', folder.path);
  mkdirSync(temporary, { recursive: true });
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(async () => {
  await target.dispose();
  folder.remove();
});
endPythonPrograms();

const optionsFor = (pid: number, send: 'fetched' | 'kept', seconds = 1): PythonOptions => ({
  collector: 'python',
  scope: { kind: 'pid', pid, startTicks: null },
  rateHz: 100,
  seconds,
  threads: 'running',
  stacks: 'python',
  subprocesses: false,
  send,
});

/** Returns what recordings left in their temporary folder. */
const temporaryFiles = (): string[] => readdirSync(temporary);

const tampered = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1);

/** Serves `body` once as the wheel of a build. */
async function serving(body: Uint8Array): Promise<{ readonly build: PySpyBuild; readonly server: Server }> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { build: { ...x64, url: `http://127.0.0.1:${port}/py_spy.whl` }, server };
}

needing(pySpy, () => {
  test('keeps a wheel or the program that the user gives, and nothing else', async () => {
    const wheel = readFileSync(PY_SPY_WHEEL);
    for (const given of [wheel, readFileSync(PY_SPY)]) {
      rmSync(cache, { recursive: true, force: true });
      expect(await isKept(x64)).toBe(false);
      expect(await keepGiven(given, PY_SPY_BUILDS)).toEqual([x64]);
      expect(await isKept(x64)).toBe(true);
      expect(readFileSync(kept()).equals(readFileSync(PY_SPY))).toBe(true);
    }
    rmSync(cache, { recursive: true });
    for (const other of [tampered(wheel), wheel.subarray(0, 1000), new Uint8Array()])
      expect(await keepGiven(other, PY_SPY_BUILDS)).toEqual([]);
    expect(existsSync(cache)).toBe(false);
  });

  test('fetches the wheel, keeps its program, and refuses another file', async () => {
    const { signal } = new AbortController();
    const wheel = readFileSync(PY_SPY_WHEEL);
    const wrong = await serving(tampered(wheel));
    await expect(provideProgram(wrong.build, true, signal)).rejects.toMatchObject({ code: 'other-py-spy' });
    wrong.server.close();
    expect(await isKept(x64)).toBe(false);
    await expect(provideProgram(wrong.build, true, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/^py-spy was not fetched: nothing is listening on 127/),
      remedy: expect.stringMatching(/--py-spy py_spy\.whl$/),
    });
    const right = await serving(wheel);
    const program = await provideProgram(right.build, true, signal);
    right.server.close();
    expect(Buffer.from(program).equals(readFileSync(PY_SPY))).toBe(true);
    expect(Buffer.from(await provideProgram(right.build, false, signal)).equals(program)).toBe(true);
    writeFileSync(kept(), tampered(program));
    await expect(provideProgram(right.build, false, signal)).rejects.toMatchObject({ code: 'other-py-spy' });
  });

  test('sends it where there is none, says so before, and leaves nothing', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    const fetching = await pythonCollector.preflight(target, optionsFor(pid, 'fetched'));
    expect(fetching.plan!.steps[0]).toEqual({ kind: 'request', method: 'GET', url: x64.url, headers: [] });
    const none = await pythonCollector.preflight(target, optionsFor(pid, 'kept'));
    expect(none.checks).toMatchObject([{ status: 'failed', found: 'the py-spy given is not for x86_64' }, {}]);
    await keepGiven(readFileSync(PY_SPY_WHEEL), PY_SPY_BUILDS);
    const { plan } = await pythonCollector.preflight(target, optionsFor(pid, 'fetched'));
    expect(plan!.steps).toHaveLength(1);
    expect(plan!.remark).toBe('py-spy 0.4.3 is sent, checked by its SHA-256, and deleted before it runs');
    const sink = new MemorySink();
    const recording = pythonCollector.start(target, plan!, sink, SYSTEM_CLOCK);
    expect(await recording.outcome).toMatchObject({ state: 'finished', error: null });
    expect(sink.text('raw.speedscope.json')).toContain('"worker-one');
    expect(isRunning(pid)).toBe(true);
    expect(temporaryFiles()).toEqual([]);
  });

  test('leaves nothing if Flamebench is killed', async () => {
    const { pid } = await startPythonProgram(HOT_PYTHON);
    await keepGiven(readFileSync(PY_SPY_WHEEL), PY_SPY_BUILDS);
    const library = join(folder.path, 'library');
    const words = ['--pid', String(pid), '--send-py-spy', '--seconds', '600', '--library', library];
    const client = spawn(process.execPath, [LAUNCHER, 'record', 'python', ...words], { stdio: 'ignore' });
    onTestFinished(() => void client.kill('SIGKILL'));
    const pySpies = () => spawnSync('pgrep', ['-f', `^/proc/self/fd/9 record --pid ${pid} `]).status === 0;
    await expect.poll(pySpies, { timeout: 60_000 }).toBe(true);
    client.kill('SIGKILL');
    await expect.poll(pySpies, { timeout: 60_000 }).toBe(false);
    await expect.poll(temporaryFiles, { timeout: 60_000 }).toEqual([]);
    expect(isRunning(pid)).toBe(true);
    rmSync(library, { recursive: true });
  }, 180_000);

  test('does not run what is not what was sent', () => {
    const script = readFileSync(new URL('../../../collectors/python/run-sent.sh', import.meta.url), 'utf8');
    const run = (file: string, sum: string) =>
      spawnSync('/bin/sh', ['-c', script, 'flamebench', file, sum, '--version'], { encoding: 'utf8' });
    expect(run(PY_SPY, x64.sha256)).toMatchObject({ status: 0, stdout: 'py-spy 0.4.3\n' });
    expect(run(PY_SPY, '0'.repeat(64))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'Error: the copy of py-spy is not what was sent\n',
    });
    expect(run(join(folder.path, 'missing'), x64.sha256).status).toBe(1);
    expect(temporaryFiles()).toEqual([]);
  });
});
