import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { createLiveSessions } from '#app/engine/live/live-sessions.ts';
import type { LiveSession } from '#app/engine/live/live.types.ts';
import { startLive } from '#app/engine/live/live-session.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { compileBurst } from '../../../support/burst-program.ts';
import { endStartedProcesses, startReady } from '../../../support/busy-process.ts';
import { checkPerfEnds, clock, pidScope, planFor, RATE, target } from '../../../support/perf-recording.ts';
import { compilePhases } from '../../../support/phase-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'live-'));
let program = '';

endStartedProcesses();
checkPerfEnds();
beforeAll(() => {
  program = compilePhases(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const PATIENT = { timeout: 60_000, interval: 100 };

async function watch(pid: number, library?: Library, rateHz = RATE): Promise<LiveSession> {
  const plan = await planFor({ ...pidScope(pid), rateHz, watched: true });
  return startLive(
    { clock, collector: perfCollector, offersSuccessor: true, library },
    {
      targetId: 'local',
      target,
      plan,
      seconds: null,
      limits: { maxCpus: null, ...(library === undefined ? {} : { raw: { maxBytes: null } }) },
    },
  );
}

/** Share of the window's weight in a function. */
function shareOf(session: LiveSession, name: string): number {
  const { profile } = session.rolling(10);
  const view = buildStackView(profile);
  const stats = functionStats(view);
  const row = stats.func.findIndex((func) => profile.strings[profile.functions.name[func]!] === name);
  return row < 0 ? 0 : stats.self[row]! / view.total;
}

function weightsOf(profile: Profile, column: 'self' | 'total'): Record<string, number> {
  const { [column]: weights, func } = functionStats(buildStackView(profile));
  const { strings, functions } = profile;
  const sums: Record<string, number> = {};
  func.forEach((at, row) => {
    const name = `${strings[functions.name[at]!]!} ${strings[functions.module[at]!]!}`;
    sums[name] = (sums[name] ?? 0) + weights[row]!;
  });
  return sums;
}

function changesOf(session: LiveSession): string[] {
  const { strings, functions } = session.rolling(null).profile;
  const changes = session.pinned?.baseline.states('share') ?? [];
  return changes.map(({ func, state }) => `${strings[functions.name[func]!]!} ${state}`);
}

test('shows what a process does, also after its behaviour has changed', { timeout: 180_000 }, async () => {
  const child = await startReady(program, []);
  const session = await watch(child.pid);
  await expect.poll(() => shareOf(session, 'calm'), PATIENT).toBeGreaterThan(0.5);
  expect(shareOf(session, 'storm')).toBe(0);
  const covered = (): number => (session.rolling(10).profile.metadata.durationNs ?? 0) / 1e9;
  await expect.poll(covered, PATIENT).toBeGreaterThan(7);
  session.pin({ window: 10, until: null });
  expect(session.status.baseline).toMatchObject({ id: 1, isJudged: true });
  child.kill('SIGUSR1');
  await expect.poll(() => shareOf(session, 'storm'), PATIENT).toBeGreaterThan(0.5);
  expect(session.status).toMatchObject({ state: 'running', pid: child.pid, error: null });
  await expect.poll(() => session.status.latencyMs, PATIENT).not.toBeNull();
  await expect.poll(() => changesOf(session), PATIENT).toContain('storm grew');
  // Two functions cannot tell a change of the code from one of the load.
  expect(session.pinned!.baseline.states('per-second')).toBeNull();
  session.unpin();
  expect(session.status.baseline).toBeNull();

  const library = await openLibrary(join(folder, 'library'));
  const saved = await session.save(library, { seconds: null, until: null });
  expect(saved).toMatchObject({ state: 'finished', origin: 'recorded', event: 'cpu-clock' });
  const { path, fileName } = await library.openFile(saved.id, { ignoreCache: true });
  const profile = await importProfile(fileSource(path));
  expect(fileName).toBe('live.flamebench');
  expect(profile.samples.length).toBe(saved.samples);
  expect(profile.metadata.format).toBe('perf-script');
  // A window that is paused for a while saves what it shows: here the first two seconds.
  const { start } = session.rolling(null).range!;
  const early = await session.save(library, { seconds: 30, until: start + 2e9 });
  expect(early.durationMs).toBe(2000);
  expect(early.startedAt).toBeLessThanOrEqual(saved.startedAt! + 1000);
  expect(early.samples).toBeLessThan(saved.samples!);
  library.close();

  session.reset();
  await expect.poll(() => session.status.samples, PATIENT).toBeGreaterThan(20);
  expect(shareOf(session, 'storm')).toBeGreaterThan(0.5);
  await session.stop();
  expect(session.status.state).toBe('ended');
  expect(session.rolling(null).samples).toBe(session.status.samples);
});

test('says when the process has ended, and keeps its samples and raw output', { timeout: 120_000 }, async () => {
  const child = await startReady(program, []);
  const library = await openLibrary(join(folder, 'raw'));
  const session = await watch(child.pid, library);
  await expect.poll(() => session.status.samples, PATIENT).toBeGreaterThan(20);
  await expect.poll(() => session.status.raw?.bytes, PATIENT).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await session.ended;
  expect(session.status.state).toBe('ended');
  const { events } = session.status;
  expect(events[0]!.kind).toBe('started');
  expect(events.find(({ kind }) => kind === 'ended')?.text).toMatch(
    /^(?:Process \d+ ended after|phases \(\d+\) has ended)/,
  );
  expect(session.rolling(null).samples).toBe(session.status.samples);
  const [raw] = (await library.list()).captures;
  expect(raw).toMatchObject({ state: 'finished', format: 'perf-script', samples: session.status.samples });
  expect(raw!.name).toMatch(/^phases \(\d+\), raw output$/);
  expect(raw!.sizeBytes).toBe(session.status.raw!.bytes);
  const { path } = await library.openFile(raw!.id);
  const kept = await importProfile(fileSource(path));
  // What was shown is exactly what is kept.
  const shown = session.rolling(null).profile;
  for (const of of ['self', 'total'] as const) expect(weightsOf(kept, of)).toEqual(weightsOf(shown, of));
  library.close();

  const again = await startReady(program, []);
  await expect.poll(() => session.status.successor?.pid, PATIENT).toBe(again.pid);
  expect(session.status.events.at(-1)!.kind).toBe('restarted');
});

test('says that the process used more CPU time than was sampled, and saves so', { timeout: 120_000 }, async () => {
  const { pid } = await startReady(compileBurst(folder), ['sampled']);
  const session = await watch(pid, undefined, 299);
  const said = (): string | undefined => session.status.events.find(({ kind }) => kind === 'lost')?.text;
  await expect.poll(said, PATIENT).toMatch(/^perf sampled .* but the process used [\d.]+ s: the rest is missing\.$/);
  await expect.poll(() => session.status.samples, PATIENT).toBeGreaterThan(0);
  const library = await openLibrary(join(folder, 'missed'));
  const saved = await session.save(library, { seconds: null, until: null });
  library.close();
  expect(saved.lostSamples).toBeGreaterThan(0);
  expect(saved.diagnostics.map(({ code }) => code)).toContain('cpu-time-missed');
  const { lost } = session.status;
  await session.stop();
  expect(lost).toBe(0);
  expect(session.status.lost).toBeGreaterThanOrEqual(saved.lostSamples!);
});

test('begins again at half the rate if the collector takes too much of a CPU', { timeout: 120_000 }, async () => {
  const child = await startReady(program, []);
  const plan = await planFor({ ...pidScope(child.pid), watched: true, rateHz: 400 });
  const session = await startLive(
    {
      clock,
      collector: perfCollector,
      offersSuccessor: false,
      replan: async (options) => (await perfCollector.preflight(target, options as never)).plan,
    },
    { targetId: 'local', target, plan, seconds: null, limits: { maxCpus: 0.000_001 } },
  );
  await expect.poll(() => session.status.rateHz, PATIENT).toBeLessThan(400);
  const text = (kind: string): string | undefined => session.status.events.find((event) => event.kind === kind)?.text;
  expect(text('rate')).toContain('it samples at 200 Hz from here on, instead of 400 Hz');
  await expect.poll(() => text('gap'), PATIENT).toMatch(/^Sampling again: no samples for \d/);
  expect(session.status.gapSeconds).toBeGreaterThan(0);
  await session.stop();
  expect(session.rolling(null).samples).toBe(session.status.samples);
});

test('refuses unknown sessions', async () => {
  const sessions = createLiveSessions({
    library: null as never,
    targets: { open: () => Promise.resolve(target) } as never,
    journal: { begin: () => Promise.reject(new Error('nothing starts')) },
    memory: undefined,
    fileHandles: createFileHandles(),
  });
  for (const call of [
    () => sessions.open({ liveId: '__proto__', window: 10, until: null }),
    () => sessions.save({ liveId: 'x', seconds: 30, until: null }),
    () => sessions.stop('x'),
    () => sessions.pin({ liveId: 'x', from: { kind: 'capture', captureId: '../..' } }),
    () => sessions.unpin('x'),
    () => sessions.baseline('__proto__'),
  ]) {
    await expect((async () => call())()).rejects.toMatchObject({ code: 'not-found' });
  }
  const planned = await sessions.plan({
    target: 'local',
    limits: { maxCpus: null },
    options: { ...OPTIONS, ...pidScope(2_147_483_647) } as never,
  });
  expect(planned.start).toBeNull();
  expect(planned.host.checks).toContainEqual(expect.objectContaining({ found: 'there is no process 2147483647' }));
  await sessions.dispose();
});

const OPTIONS = { collector: 'perf', rateHz: 99, event: null, callGraph: 'fp', seconds: null } as const;
