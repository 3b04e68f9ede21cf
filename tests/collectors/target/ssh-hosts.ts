import { afterAll, expect, vi } from 'vitest';
import { parseTargetId, type SshDestination } from '#core/contract/target-id.ts';
import type { ConnectionStateKind } from '#collectors/target/connection.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { createSshTarget, type SshTarget, type SshTargetOptions } from '#collectors/target/ssh/ssh-target.ts';
import { startSshHost, type SshHost, type SshHostOptions } from '../../support/sshd.ts';

export function destinationOf(id: string): SshDestination {
  const address = parseTargetId(id);
  if (address.kind === 'local') throw new Error('no ssh target');
  return address;
}

/** Manages the hosts and targets of a test file and disposes of them after it. */
export function ownHosts() {
  const left: { dispose(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const each of left.toReversed()) await each.dispose();
  });
  return {
    async host(options: SshHostOptions = {}): Promise<SshHost> {
      const host = await startSshHost(options);
      left.push(host);
      return host;
    },
    target(host: SshHost, options: SshTargetOptions = {}): SshTarget {
      const target = createSshTarget(destinationOf(host.destination), {
        configFile: host.clientConfigFile,
        ...options,
      });
      left.push(target);
      return target;
    },
  };
}

/** Waits until the condition holds. Unlike `expect.poll`, it works in tests that run concurrently. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 30_000, interval: 20 });
}

export const untilState = (target: SshTarget, kind: ConnectionStateKind): Promise<void> =>
  until(() => target.connection.state.kind === kind);

export async function printedBy(target: SshTarget, ...argv: string[]): Promise<string> {
  const { stdout, stderr, exit } = await runToEnd(target, argv);
  expect({ stderr, exit }).toEqual({ stderr: '', exit: { code: 0, signal: null } });
  return new TextDecoder().decode(stdout);
}
