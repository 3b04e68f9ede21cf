import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChannelQueue } from '#collectors/target/ssh/channel-queue.ts';
import type { ChannelSource } from '#collectors/target/ssh/channel.ts';
import { Pace } from '#collectors/target/ssh/pace.ts';
import { RemoteFiles } from '#collectors/target/ssh/remote-files.ts';
import { REMOTE_SHELL } from '#collectors/target/ssh/remote-script.ts';
import type { SshConnection } from '#collectors/target/ssh/ssh-connection.ts';

/** A host with a slow login, on which resolving a link never ends; counts its channels. */
function slowHost() {
  const folder = mkdtempSync(join(tmpdir(), 'kept-queries-'));
  writeFileSync(join(folder, 'readlink'), '#!/bin/sh\nexec sleep 60\n');
  chmodSync(join(folder, 'readlink'), 0o755);
  const pace = new Pace();
  pace.note(4000);
  const channels: ReturnType<typeof spawn>[] = [];
  onTestFinished(() => {
    for (const { pid } of channels) process.kill(-pid!, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const source = {
    host: 'web-1',
    state: { kind: 'up', message: null, remedy: null },
    pace,
    ensure: () => Promise.resolve(),
    noteHello: () => {},
    spawnChannel: () => {
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
      const child = spawn('/bin/sh', ['-c', REMOTE_SHELL], { env, detached: true, stdio: 'pipe' });
      channels.push(child);
      return child;
    },
  } satisfies ChannelSource;
  const files = new RemoteFiles(source as unknown as SshConnection, new ChannelQueue('web-1'));
  return { files, channels };
}

test('queries follow each other on one channel if the login is slow', async () => {
  const { files, channels } = slowHost();
  const all = await Promise.all(['/proc/self/comm', '/proc/self/comm', '/nowhere'].map((path) => files.stat(path)));
  expect(all.map((facts) => facts === null)).toEqual([false, false, true]);
  const text = new TextDecoder();
  expect(text.decode(await files.readFile('/proc/sys/kernel/ostype'))).toBe('Linux\n');
  expect(text.decode(await files.readFile('/proc/sys/kernel/ostype'))).toBe('Linux\n');
  expect(channels).toHaveLength(1);
});

test('a query that hangs delays the others by half a second only', async () => {
  const { files, channels } = slowHost();
  let hasEnded = false;
  files.readLinks(['/proc/self/exe']).then(
    () => (hasEnded = true),
    () => {},
  );
  const started = performance.now();
  expect(await files.stat('/')).not.toBeNull();
  expect(await files.stat('/')).not.toBeNull();
  expect(performance.now() - started).toBeLessThan(5000);
  expect(hasEnded).toBe(false);
  expect(channels).toHaveLength(2);
});
