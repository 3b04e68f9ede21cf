import { expect, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { HOT_PROGRAM } from '../../support/node-program-source.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

/** Writes the number of sessions in it to a file. */
const PROGRAM = `${HOT_PROGRAM}
const { writeFileSync } = require('node:fs');
const count = () => Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('flamebench')).length;
setInterval(() => writeFileSync('/var/tmp/sessions', String(count())), 10);`;

const PATIENCE = { timeout: 60_000 };

needing(sshHosts, () => {
  const hosts = ownHosts();

  /** Starts a Node program on the host, and records it once it may be signalled. */
  async function start(host: SshHost, seconds: number) {
    const target = hosts.target(host);
    const { pid } = await host.start([process.execPath, '-e', PROGRAM], { user: true });
    const scope = { kind: 'pid', pid, startTicks: null } as const;
    const options: NodeOptions = { collector: 'node', scope, profile: 'cpu', seconds };
    const planned = () => nodeCollector.preflight(target, options).then(({ plan }) => plan);
    await expect.poll(planned, PATIENCE).not.toBeNull();
    const { plan } = await nodeCollector.preflight(target, options);
    const sink = new MemorySink();
    return { pid, target, sink, recording: nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK) };
  }

  const sessionsIn = (host: SshHost): Promise<string> => host.execute(['cat', '/var/tmp/sessions']);

  test('samples a process of a host by its connection, and leaves nothing there', async () => {
    const host = await hosts.host({ link: true });
    const { pid, target, sink, recording } = await start(host, 2);
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', error: null });
    const { strings } = await importProfile({
      fileName: outcome.primaryFile,
      size: null,
      chunks: () => sink.read(outcome.primaryFile),
    });
    expect(strings).toContain('hot');
    await expect.poll(() => sessionsIn(host), PATIENCE).toBe('0');
    expect(await host.execute(['cat', `/proc/${pid}/net/tcp`])).not.toMatch(/:240D \S+ 0A /);
    await target.dispose();
    await expect.poll(() => host.processes(), PATIENCE).toEqual([]);
    expect((await host.files()).filter((file) => !file.endsWith('/sessions'))).toEqual([]);
  }, 180_000);

  test('ends in the process if the connection is lost', async () => {
    const host = await hosts.host({ link: true });
    const { recording } = await start(host, 600);
    await expect.poll(() => sessionsIn(host), { ...PATIENCE, interval: 1 }).toBe('1');
    await host.cutLink();
    expect(await recording.outcome).toMatchObject({ state: 'failed' });
    await expect.poll(() => sessionsIn(host), PATIENCE).toBe('0');
    await expect.poll(() => host.processes(), PATIENCE).toEqual([]);
  }, 180_000);
});
