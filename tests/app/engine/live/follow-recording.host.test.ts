import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { createLiveSessions } from '#app/engine/live/live-sessions.ts';
import { startRecording } from '#app/engine/recording/recording.ts';
import { ownHosts } from '../../../collectors/target/ssh-hosts.ts';
import { BUSY_LOOP } from '../../../support/busy-loop.ts';
import { needing } from '../../../support/needing.ts';
import { pidScope, planFor } from '../../../support/perf-recording.ts';
import { sshHosts } from '../../../support/sshd.ts';

const PATIENT = { timeout: 60_000, interval: 100 };

needing(sshHosts, () => {
  const hosts = ownHosts();

  test('a recording on a host is shown as it grows, without a choice before it', { timeout: 180_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'follow-host-'));
    const library = await openLibrary(join(folder, 'library'));
    onTestFinished(() => {
      library.close();
      rmSync(folder, { recursive: true });
    });
    const host = await hosts.host();
    const target = hosts.target(host);
    await target.connection.connect();
    const { pid } = await host.start(BUSY_LOOP, { user: true });
    const plan = await planFor(pidScope(pid), target);
    const recording = await startRecording(
      { library },
      { hosts: [{ targetId: host.destination, target, plan }], repeat: 1, pauseSeconds: 0, name: null },
    );
    await expect.poll(() => recording.status.state, PATIENT).toBe('recording');
    expect(recording.status.noGraphYet).toBeUndefined();
    const live = createLiveSessions({
      library,
      targets: {} as Parameters<typeof createLiveSessions>[0]['targets'],
      journal: {} as Parameters<typeof createLiveSessions>[0]['journal'],
      memory: undefined,
      fileHandles: createFileHandles(),
    });
    const { liveId } = await live.follow(recording.id, recording.growing());
    const samples = async (): Promise<number> => (await live.status(liveId)).samples;
    await expect.poll(samples, PATIENT).toBeGreaterThan(20);
    const before = await samples();
    await expect.poll(samples, PATIENT).toBeGreaterThan(before);
    await recording.stop();
    await expect.poll(async () => (await live.status(liveId)).state, PATIENT).toBe('ended');
    const { captures } = await recording.ended;
    expect(await samples()).toBe(captures[0]?.samples);
    await live.dispose();
  });
});
