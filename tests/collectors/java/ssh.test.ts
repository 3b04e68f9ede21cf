import { expect, test } from 'vitest';
import type { JavaOptions } from '#core/contract/java.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { javaCollector } from '#collectors/java/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { jdk } from '../../support/java-program.ts';
import { HOT_JAVA } from '../../support/java-source.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const COMPILE = `mkdir /var/tmp/program && cd /var/tmp/program && printf '%s' "$1" >Hot.java && javac Hot.java`;

needing({ name: 'a JDK and ssh hosts', present: () => jdk.present() && sshHosts.present() }, () => {
  const hosts = ownHosts();

  async function start(host: SshHost, seconds: number) {
    const target = hosts.target(host);
    await host.execute(['sh', '-c', COMPILE, 'sh', HOT_JAVA]);
    const { pid } = await host.start(['java', '-Xmx64m', '-cp', '/var/tmp/program', 'Hot'], { user: true });
    const scope = { kind: 'pid', pid, startTicks: null } as const;
    const options: JavaOptions = { collector: 'java', scope, seconds };
    await expect.poll(() => javaCollector.preflight(target, options).then(({ plan }) => plan)).not.toBeNull();
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
});
