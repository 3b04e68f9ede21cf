import { expect, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import type { SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { HOT_PROGRAM } from '../../support/node-program.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

needing(sshHosts, () => {
  const hosts = ownHosts();

  /** Starts a Node program on the host, and returns what records it once it may be signalled. */
  async function start(target: SshTarget, seconds: number) {
    const node = await target.run([process.execPath, '-e', HOT_PROGRAM]);
    const scope = { kind: 'pid', pid: node.pid, startTicks: null } as const;
    const options: NodeOptions = { collector: 'node', scope, profile: 'cpu', seconds };
    await expect.poll(() => nodeCollector.preflight(target, options).then(({ plan }) => plan)).not.toBeNull();
    const { plan } = await nodeCollector.preflight(target, options);
    const sink = new MemorySink();
    return { node, sink, recording: nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK) };
  }

  const textOf = async (target: SshTarget, ...argv: string[]): Promise<string> =>
    new TextDecoder().decode((await runToEnd(target, argv)).stdout);

  test('samples a process of a host by its connection, and leaves nothing there', async () => {
    const target = hosts.target(await hosts.host());
    const { node, sink, recording } = await start(target, 2);
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    const { strings } = await importProfile({
      fileName: outcome.primaryFile,
      size: null,
      chunks: () => sink.read(outcome.primaryFile),
    });
    expect(strings).toContain('hot');
    expect(await textOf(target, 'sh', '-c', 'pgrep -x sleep; ls -A /tmp')).toBe('');
    expect(
      await textOf(target, 'sh', '-c', `grep -c ' 0A ' /proc/${node.pid}/net/tcp; kill -0 ${node.pid} && echo alive`),
    ).toMatch(/alive/);
  });

  test('ends in the process if the connection is lost', async () => {
    const host = await hosts.host({ link: true });
    const target = hosts.target(host);
    const { node, recording } = await start(target, 600);
    await new Promise<void>((resolve) => {
      recording.onProgress(({ state }) => {
        if (state === 'recording') resolve();
      });
    });
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'connection-lost' } });
    // The process lives, without the guard and so without a session.
    await expect.poll(() => host.execute(['sh', '-c', 'pgrep -x sleep || true']), { timeout: 60_000 }).toBe('');
    expect(await host.execute(['sh', '-c', 'pgrep -x node || pgrep MainThread'])).not.toBe('');
    expect(node.pid).toBeGreaterThan(0);
  }, 180_000);
});
