import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createLiveSessions } from '#app/engine/live/live-sessions.ts';
import { startRecording, type RecordingSession } from '#app/engine/recording/recording.ts';
import { endStartedProcesses, startBusy, startReady } from '../../../support/busy-process.ts';
import { checkPerfEnds, pidScope, planFor, target } from '../../../support/perf-recording.ts';
import { compilePhases } from '../../../support/phase-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'follow-'));
const PATIENT = { timeout: 60_000, interval: 100 };
let program = '';
let library: Library;

endStartedProcesses();
checkPerfEnds();
beforeAll(async () => {
  program = compilePhases(folder);
  library = await openLibrary(join(folder, 'library'));
});
afterAll(() => {
  library.close();
  rmSync(folder, { recursive: true });
});

const sessions = () =>
  createLiveSessions({
    library,
    targets: {} as Parameters<typeof createLiveSessions>[0]['targets'],
    journal: {} as Parameters<typeof createLiveSessions>[0]['journal'],
    memory: undefined,
    fileHandles: createFileHandles(),
  });

async function record(watched: boolean): Promise<RecordingSession> {
  const { pid } = await startReady(program, []);
  const plan = await planFor({ ...pidScope(pid), ...(watched ? { watched } : {}) });
  const hosts = [{ targetId: 'local', target, plan }];
  const recording = await startRecording({ library }, { hosts, repeat: 1, pauseSeconds: 0, name: null });
  await expect.poll(() => recording.status.state, PATIENT).toBe('recording');
  return recording;
}

test(
  'a recording is shown as it grows, from its start; leaving the graph does not end it',
  { timeout: 180_000 },
  async () => {
    const recording = await record(true);
    expect(recording.status.noGraphYet).toBeUndefined();
    await expect.poll(() => recording.status.samples, PATIENT).toBeGreaterThan(50);
    const live = sessions();
    const { liveId, recordingId } = await live.follow(recording.id, recording.growing());
    expect(recordingId).toBe(recording.id);
    const samples = async (): Promise<number> => (await live.status(liveId)).samples;
    await expect.poll(samples, PATIENT).toBeGreaterThan(50);
    const before = await samples();
    await expect.poll(samples, PATIENT).toBeGreaterThan(before);
    expect((await live.follow(recording.id, recording.growing())).liveId).toBe(liveId);

    expect((await live.stop(liveId)).state).toBe('ended');
    expect(recording.status.state).toBe('recording');
    const again = await live.follow(recording.id, recording.growing());
    expect(again.liveId).not.toBe(liveId);
    await recording.stop();
    await expect.poll(async () => (await live.status(again.liveId)).state, PATIENT).toBe('ended');
    const { samples: shown, events } = await live.status(again.liveId);
    expect(events.at(-1)?.text).toBe('The recording has ended.');

    const { captures } = await recording.ended;
    expect(shown).toBe(captures[0]?.samples);
    await live.dispose();
  },
);

test('after auto has switched to DWARF, the graph is that of the new run', { timeout: 180_000 }, async () => {
  // The shell is built without frame pointers.
  const plan = await planFor({ ...pidScope(startBusy().pid), callGraph: 'auto', watched: true });
  const hosts = [{ targetId: 'local', target, plan }];
  const recording = await startRecording({ library }, { hosts, repeat: 1, pauseSeconds: 0, name: null });
  await expect.poll(() => recording.status.state, PATIENT).toBe('recording');
  const replaced = recording.status.captureId;
  const live = sessions();
  const first = await live.follow(recording.id, recording.growing());
  const isNew = (): boolean => recording.status.captureId !== replaced && recording.status.state === 'recording';
  await expect.poll(isNew, PATIENT).toBe(true);
  const { liveId } = await live.follow(recording.id, recording.growing());
  expect(liveId).not.toBe(first.liveId);
  await expect.poll(async () => (await live.status(liveId)).samples, PATIENT).toBeGreaterThan(20);
  await expect.poll(async () => (await live.status(first.liveId)).state, PATIENT).not.toBe('running');
  await recording.stop();
  await live.dispose();
});

test('without the choice, the recording says why its graph opens at its end', { timeout: 180_000 }, async () => {
  const recording = await record(false);
  expect(recording.status.noGraphYet).toMatch(/^perf script names the functions at the end/);
  expect(() => recording.growing()).toThrow(/^No graph yet: perf script/);
  await recording.cancel();
});
