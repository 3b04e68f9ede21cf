import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JavaOptions } from '#core/contract/java.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Recording } from '#collectors/collector.ts';
import { ASYNC_PROFILER_FILES } from '#collectors/java/async-profiler.ts';
import { javaCollector } from '#collectors/java/collector.ts';
import { keepGiven } from '#collectors/kept-files.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { ASYNC_PROFILER_JAR, asyncProfiler } from '../../support/async-profiler.ts';
import { jdk } from '../../support/java-program.ts';
import { HOT_JAVA } from '../../support/java-source.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const COMPILE = `mkdir -p /var/tmp/program && cd /var/tmp/program && printf '%s' "$1" >Hot.java && javac Hot.java`;

needing({ name: 'a JDK and ssh hosts', present: () => jdk.present() && sshHosts.present() }, () => {
  const hosts = ownHosts();

  async function start(host: SshHost, seconds: number, profile?: JavaOptions['profile']) {
    const target = hosts.target(host);
    await host.execute(['sh', '-c', COMPILE, 'sh', HOT_JAVA]);
    const { pid } = await host.start(['java', '-Xmx64m', '-cp', '/var/tmp/program', 'Hot'], { user: true });
    const scope = { kind: 'pid', pid, startTicks: null } as const;
    const options: JavaOptions = { collector: 'java', scope, seconds, ...(profile === undefined ? {} : { profile }) };
    const planned = () => javaCollector.preflight(target, options).then(({ plan }) => plan);
    await expect.poll(planned, { timeout: 60_000 }).not.toBeNull();
    const { plan } = await javaCollector.preflight(target, options);
    const sink = new MemorySink();
    return { pid, target, sink, recording: javaCollector.start(target, plan!, sink, SYSTEM_CLOCK) };
  }

  const recordingsIn = (host: SshHost, pid: number): Promise<string> =>
    host.execute(['jcmd', String(pid), 'JFR.check']).catch(String);
  /** Returns the files without those of the program and its JVM, and of `jcmd` as root. */
  const filesOf = async (host: SshHost): Promise<string[]> =>
    (await host.files()).filter((file) => !/\/program|hsperfdata|\/\.java_pid|\/\d{4}_\d\d_\d\d_[\d_]+$/.test(file));

  test('records a JVM of a host, and leaves nothing there', async () => {
    const host = await hosts.host({ link: true });
    const { pid, target, sink, recording } = await start(host, 2);
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    const { strings } = await importProfile({
      fileName: outcome.primaryFile,
      size: null,
      chunks: () => sink.read(outcome.primaryFile),
    });
    expect(strings).toContain('Hot.hot');
    expect(await recordingsIn(host, pid)).toContain('No available recordings');
    await target.dispose();
    await expect.poll(() => host.processes()).toEqual([]);
    expect(await filesOf(host)).toEqual([]);
  }, 120_000);

  test('ends in the JVM if the connection is lost', async () => {
    const host = await hosts.host({ link: true });
    const { pid, recording } = await start(host, 600);
    await expect.poll(() => recordingsIn(host, pid), { timeout: 30_000 }).toContain('flamebench');
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed' });
    await expect.poll(() => recordingsIn(host, pid), { timeout: 60_000 }).toContain('No available recordings');
    await expect.poll(() => host.processes(), { timeout: 60_000 }).toEqual([]);
    expect(await filesOf(host)).toEqual([]);
  }, 180_000);

  needing(asyncProfiler, () => {
    test('sends async-profiler’s library, and leaves no file of it, even if the connection is lost', async () => {
      const cache = makeLockedFolder('fb-async-profiler-kept-');
      vi.stubEnv('XDG_CACHE_HOME', cache.path);
      onTestFinished(() => {
        vi.unstubAllEnvs();
        cache.remove();
      });
      await keepGiven(await readFile(ASYNC_PROFILER_JAR), ASYNC_PROFILER_FILES);
      const host = await hosts.host({ link: true });
      const { pid, sink, recording } = await start(host, 2, 'async-profiler');
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      const { strings, valueTypes } = await importProfile({
        fileName: outcome.primaryFile,
        size: null,
        chunks: () => sink.read(outcome.primaryFile),
      });
      expect(strings).toContain('Hot.hot');
      expect(valueTypes.map(({ type }) => type)).toEqual(expect.arrayContaining(['cpu', 'wall']));
      await expect.poll(() => filesOf(host), { timeout: 60_000 }).toEqual([]);
      const lost = await start(host, 600, 'async-profiler');
      await recordingBegins(lost.recording);
      await host.cutLink();
      expect(await lost.recording.outcome).toMatchObject({ state: 'failed' });
      await expect.poll(() => host.processes(), { timeout: 60_000 }).toEqual([]);
      await expect.poll(() => filesOf(host), { timeout: 60_000 }).toEqual([]);
      expect(await host.execute(['cat', `/proc/${pid}/stat`])).toMatch(/^\d+ \(java\) [SR] /);
    }, 240_000);
  });
});

const recordingBegins = (recording: Recording): Promise<void> =>
  new Promise((resolve) =>
    recording.onProgress(({ state }) => {
      if (state === 'recording') resolve();
    }),
  );
