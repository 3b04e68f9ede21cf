import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PythonOptions } from '#core/contract/python.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { pythonCollector } from '#collectors/python/collector.ts';
import { keepGiven } from '#collectors/kept-files.ts';
import { PY_SPY_BUILDS } from '#collectors/python/builds.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { HOT_PYTHON, PY_SPY, PY_SPY_WHEEL, pySpy, PYTHON } from '../../support/py-spy.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const both = {
  name: `${sshHosts.name}; ${pySpy.name}`,
  present: () => sshHosts.present() && pySpy.present(),
};

needing(both, () => {
  const hosts = ownHosts();

  const optionsFor = (pid: number, more: Partial<PythonOptions> = {}): PythonOptions => ({
    collector: 'python',
    scope: { kind: 'pid', pid, startTicks: null },
    rateHz: 100,
    seconds: 2,
    threads: 'running',
    stacks: 'python',
    subprocesses: false,
    ...more,
  });

  /** Installs py-spy on a host, which has the folder of its keys at /run/machine. */
  async function install(host: SshHost, path: string, owner: string): Promise<void> {
    await copyFile(PY_SPY, join(dirname(host.keyFile), 'py-spy'));
    await host.execute(['install', '-D', '-m', '755', '-o', owner, '/run/machine/py-spy', path]);
  }

  async function startRecording(target: Target, options: PythonOptions) {
    const { plan, checks } = await pythonCollector.preflight(target, options);
    expect(plan, JSON.stringify(checks)).not.toBeNull();
    const sink = new MemorySink();
    return { plan: plan!, sink, recording: pythonCollector.start(target, plan!, sink, SYSTEM_CLOCK) };
  }

  async function stringsOf(sink: MemorySink, fileName: string): Promise<readonly string[]> {
    return (await importProfile({ fileName, size: null, chunks: () => sink.read(fileName) })).strings;
  }

  const pySpiesOn = (host: SshHost): readonly string[] => host.processes().filter((one) => one.includes('py-spy'));

  test('samples a process of the user with the py-spy of the user’s home, and leaves nothing there', async () => {
    const host = await hosts.host();
    const target = hosts.target(host);
    await install(host, '/home/fb-test/.local/bin/py-spy', 'fb-test');
    const { pid } = await host.start([PYTHON, '-c', HOT_PYTHON], { user: true });
    const files = await host.files();
    await expect.poll(() => pythonCollector.preflight(target, optionsFor(pid)).then(({ plan }) => plan)).not.toBeNull();
    const { sink, recording } = await startRecording(target, optionsFor(pid));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    expect(await stringsOf(sink, outcome.primaryFile)).toEqual(expect.arrayContaining(['hot', 'worker-one']));
    expect(await host.execute(['cat', `/proc/${pid}/stat`])).toMatch(/^\d+ \(python3\) [SR] /);
    await target.dispose();
    await expect.poll(() => host.processes()).toEqual([]);
    expect(await host.files()).toEqual(files);
  });

  test('refuses another user’s process, and reads it with sudo by a program that belongs to root', async () => {
    const host = await hosts.host({ sudo: 'without password', env: { PATH: '/run/tools:/usr/bin:/bin' } });
    const target = hosts.target(host);
    const { pid } = await host.start([PYTHON, '-c', HOT_PYTHON]);
    const refusal = async (options: PythonOptions) => {
      const { checks, plan } = await pythonCollector.preflight(target, options);
      expect(plan).toBeNull();
      return checks.find(({ status }) => status === 'failed')!;
    };
    await install(host, '/home/fb-test/.local/bin/py-spy', 'fb-test');
    expect(await refusal(optionsFor(pid))).toMatchObject({
      found: `process ${pid} belongs to root, so py-spy may not read it`,
      remedy: 'record as root: --sudo, or connect as root',
    });
    expect((await refusal(optionsFor(pid, { asRoot: true }))).found).toMatch(/does not belong to root/);
    await host.execute(['mkdir', '/run/tools']);
    await host.execute(['ln', '-s', '/home/fb-test/.local/bin/py-spy', '/run/tools/py-spy']);
    expect((await refusal(optionsFor(pid, { asRoot: true }))).found).toMatch(/does not belong to root/);
    await host.execute(['rm', '/run/tools/py-spy']);
    await install(host, '/run/tools/py-spy', 'root');
    const { plan, sink, recording } = await startRecording(target, optionsFor(pid, { asRoot: true }));
    expect(plan.sudo).not.toBeNull();
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    expect(await stringsOf(sink, outcome.primaryFile)).toContain('hot');
    await expect.poll(() => pySpiesOn(host)).toEqual([]);
  });

  test('sends py-spy, to run as the user or as root, and leaves nothing there, even if the connection is lost', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'fb-py-spy-kept-'));
    vi.stubEnv('XDG_CACHE_HOME', cache);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(cache, { recursive: true });
    });
    await keepGiven(await readFile(PY_SPY_WHEEL), PY_SPY_BUILDS);
    const host = await hosts.host({ sudo: 'without password', link: true });
    const target = hosts.target(host);
    const files = await host.files();
    const own = await host.start([PYTHON, '-c', HOT_PYTHON], { user: true });
    const roots = await host.start([PYTHON, '-c', HOT_PYTHON]);
    const send = 'kept';
    for (const options of [optionsFor(own.pid, { send }), optionsFor(roots.pid, { send, asRoot: true })]) {
      const { plan, sink, recording } = await startRecording(target, options);
      expect(plan.sudo === null).toBe(options.asRoot !== true);
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      expect(await stringsOf(sink, outcome.primaryFile)).toContain('hot');
      await expect.poll(() => host.files()).toEqual(files);
    }
    const { recording } = await startRecording(target, optionsFor(own.pid, { send, seconds: 600 }));
    await new Promise<void>((resolve) =>
      recording.onProgress(({ state }) => {
        if (state === 'recording') resolve();
      }),
    );
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'link-lost' } });
    const programs = [own, roots].map(({ pid }) => pid);
    await expect.poll(() => host.processes().filter((one) => !one.includes('-c')), { timeout: 60_000 }).toEqual([]);
    await expect.poll(() => host.files(), { timeout: 60_000 }).toEqual(files);
    for (const pid of programs)
      expect(await host.execute(['cat', `/proc/${pid}/stat`])).toMatch(/^\d+ \(python3\) [SR] /);
  }, 240_000);

  test('ends on the host if the connection is lost, and the process runs on', async () => {
    const host = await hosts.host({ link: true });
    const target = hosts.target(host);
    await install(host, '/home/fb-test/.local/bin/py-spy', 'fb-test');
    const { pid } = await host.start([PYTHON, '-c', HOT_PYTHON], { user: true });
    await expect.poll(() => pythonCollector.preflight(target, optionsFor(pid)).then(({ plan }) => plan)).not.toBeNull();
    const { recording } = await startRecording(target, optionsFor(pid, { seconds: 600 }));
    await new Promise<void>((resolve) =>
      recording.onProgress(({ state }) => {
        if (state === 'recording') resolve();
      }),
    );
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'link-lost' } });
    await expect.poll(() => pySpiesOn(host), { timeout: 60_000 }).toEqual([]);
    expect(await host.execute(['cat', `/proc/${pid}/stat`])).toMatch(/^\d+ \(python3\) [SR] /);
  }, 180_000);
});
