import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { JavaOptions } from '#core/contract/java.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { javaCollector } from '#collectors/java/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { javaPrograms, jdk, recordingsOf, type JavaProgram } from '../../support/java-program.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { isRunning } from '../../support/process-state.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const local = createLocalTarget();
/** The private folders of recordings by {@link target}. */
const folders: string[] = [];
const target: Target = {
  ...local,
  async makeTempDir() {
    folders.push(await local.makeTempDir());
    return folders.at(-1)!;
  },
};
const folder = makeLockedFolder('fb-java-library-');
afterAll(async () => {
  await local.dispose();
  folder.remove();
});

const optionsFor = (pid: number, seconds = 2): JavaOptions => ({
  collector: 'java',
  scope: { kind: 'pid', pid, startTicks: null },
  seconds,
});

async function start(pid: number, seconds?: number) {
  const { plan, checks } = await javaCollector.preflight(target, optionsFor(pid, seconds));
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const sink = new MemorySink();
  return { sink, plan: plan!, recording: javaCollector.start(target, plan!, sink, SYSTEM_CLOCK) };
}

async function record(pid: number, seconds?: number): Promise<{ outcome: RecordingOutcome; sink: MemorySink }> {
  const { sink, recording } = await start(pid, seconds);
  return { outcome: await recording.outcome, sink };
}

/** Returns the reason of the failed check. */
async function refusalOf(pid: number): Promise<string> {
  const { checks, plan } = await javaCollector.preflight(target, optionsFor(pid));
  expect(plan).toBeNull();
  return checks.find(({ status }) => status === 'failed')!.found;
}

const read = (sink: MemorySink): Promise<Profile> =>
  importProfile({ fileName: 'raw.jfr', size: null, chunks: () => sink.read('raw.jfr') });

/** Returns the share of the first value type's samples in which a method is the innermost. */
function shareOf(name: string, { samples, events, stacks, frames, functions, strings }: Profile): number {
  const rows = [...samples.stack].filter(
    (stack, row) => stack >= 0 && events[samples.event![row]!] === 'jdk.ExecutionSample',
  );
  const named = rows.filter((stack) => strings[functions.name[frames.func[stacks.frame[stack]!]!]!] === name);
  return named.length / rows.length;
}

/** Returns the private folders in use, also of other programs. */
const foldersInUse = (): string[] => globSync(join(tmpdir(), 'flamebench-*', 'settings.jfc'));

function expectUntouched({ pid, text }: JavaProgram): void {
  expect(isRunning(pid)).toBe(true);
  expect(recordingsOf(pid)).not.toContain('flamebench');
  // A JVM whose recording ends after the private folder says that it can't write the file.
  expect(text().replaceAll(/^\[.*\]\[error\]\[jfr\].*\n/gm, '')).toBe('ready\n');
  expect(folders.filter((path) => existsSync(path))).toEqual([]);
}

needing(jdk, () => {
  const programs = javaPrograms();

  test('records methods, allocations and locks, without arguments, environment and properties', async () => {
    const running = await programs.start({ options: ['-Dpassword=secret-1'], env: { API_KEY: 'secret-2' } });
    const { outcome, sink } = await record(running.pid);
    expect(outcome).toMatchObject({
      state: 'finished',
      error: null,
      primaryFile: 'raw.jfr',
      event: 'jdk.ExecutionSample',
    });
    const profile = await read(sink);
    expect(shareOf('Hot.hot', profile)).toBeGreaterThan(0.5);
    expect(outcome.samples).toBeGreaterThan(20);
    expect(outcome.samples).toBeLessThan(profile.samples.length);
    const types = profile.valueTypes.map(({ type }) => type);
    expect(types[0]).toBe('samples');
    expect(types).toEqual(expect.arrayContaining(['contentions', 'delay', expect.stringMatching(/^alloc_/)]));
    expect(Buffer.from(sink.files.get('raw.jfr')!).toString('latin1')).not.toContain('secret-');
    expectUntouched(running);
  });

  test('takes a snapshot of all threads with their states, and leaves nothing in the JVM', async () => {
    const running = await programs.start();
    const options: JavaOptions = { ...optionsFor(running.pid), profile: 'threads' };
    const { plan } = await javaCollector.preflight(target, options);
    expect(plan!.steps).toMatchObject([{ argv: expect.arrayContaining([String(running.pid), 'Thread.print']) }]);
    const sink = new MemorySink();
    const outcome = await javaCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
    const primaryFile = 'raw.threads.txt';
    expect(outcome).toMatchObject({ state: 'finished', error: null, durationMs: null, event: 'threads', primaryFile });
    const { threads, strings, samples } = await importProfile({
      fileName: primaryFile,
      size: null,
      chunks: () => sink.read(primaryFile),
    });
    const names = [...threads.name].map((name) => strings[name]);
    expect(names).toEqual(expect.arrayContaining(['main', 'holder', 'waiter']));
    expect(outcome.samples).toBe(samples.length);
    expect(samples.labelSets.flat()).toContainEqual({ key: 'state', text: 'RUNNABLE' });
    expect(await javaCollector.recover(null, sink)).toMatchObject({ primaryFile, samples: outcome.samples });
    expectUntouched(running);
    running.child.kill('SIGTERM');
    await expect.poll(() => isRunning(running.pid)).toBe(false);
    const late = javaCollector.start(target, plan!, new MemorySink(), SYSTEM_CLOCK);
    expect(await late.outcome).toMatchObject({ state: 'failed', error: { message: /no process/ } });
  });

  test('records another user’s process as root, as that user', async () => {
    const running = await programs.start({ by: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] });
    const { plan, sink, recording } = await start(running.pid);
    expect(plan.steps.map((step) => (step.kind === 'command' ? step.argv[0] : null))).toEqual([
      'chmod',
      'install',
      'setpriv',
      'setpriv',
      'cat',
    ]);
    expect(await recording.outcome).toMatchObject({ state: 'finished', error: null });
    expect(shareOf('Hot.hot', await read(sink))).toBeGreaterThan(0.5);
    expectUntouched(running);
  });

  test('stops early and keeps, or cancels and keeps nothing; a recording of the user’s goes on', async () => {
    const running = await programs.start();
    const own = spawn('jcmd', [String(running.pid), 'JFR.start', 'name=own']);
    await expect.poll(() => own.exitCode, { timeout: 30_000 }).toBe(0);
    for (const [ask, state] of [
      ['stop', 'finished'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { recording, sink } = await start(running.pid, 600);
      recording.onProgress((progress) => {
        if (progress.state === 'recording' && progress.elapsedMs > 500) void recording[ask]();
      });
      expect(await recording.outcome).toMatchObject({ state, error: null });
      expect(sink.files.size).toBe(ask === 'stop' ? 1 : 0);
      expect(recordingsOf(running.pid)).toMatch(/name=own.*\(running\)/);
      expectUntouched(running);
    }
  });

  test('says that the data is lost if the process ends', async () => {
    const running = await programs.start();
    const { recording } = await start(running.pid, 60);
    recording.onProgress(({ state }) => {
      if (state === 'recording') running.child.kill('SIGTERM');
    });
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'process-ended' } });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends in the JVM if Flamebench gets %s', async (signal) => {
    const running = await programs.start();
    const before = foldersInUse();
    const words = [
      'record',
      'java',
      '--pid',
      String(running.pid),
      '--seconds',
      '600',
      '--library',
      join(folder.path, 'library'),
    ];
    const client = spawn(process.execPath, [LAUNCHER, ...words], { stdio: 'ignore' });
    await expect.poll(() => recordingsOf(running.pid), { timeout: 30_000 }).toMatch(/name=flamebench-\w+ .*running/);
    const [made] = foldersInUse().filter((path) => !before.includes(path));
    client.kill(signal);
    await expect.poll(() => recordingsOf(running.pid), { timeout: 30_000 }).not.toContain('flamebench');
    await expect.poll(() => existsSync(made!)).toBe(false);
    expectUntouched(running);
  });

  test.each(['TERM', 'KILL'])('ends in the JVM if the shell that watches the recording gets %s', async (signal) => {
    const running = await programs.start();
    const { recording } = await start(running.pid, 600);
    recording.onProgress(({ state }) => {
      if (state === 'recording') spawnSync('pkill', [`-${signal}`, '-f', `^/bin/sh -c .* flamebench ${running.pid} `]);
    });
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'connection-lost' } });
    await expect.poll(() => recordingsOf(running.pid), { timeout: 30_000 }).not.toContain('flamebench');
    expectUntouched(running);
  });

  test('does not attach where it would be refused, and says why', async () => {
    const checksOf = async (pid: number) => javaCollector.checkProcess!(target, (await findProcess(target, pid))!);
    for (const how of [
      { options: ['-XX:+DisableAttachMechanism'] },
      { env: { JDK_JAVA_OPTIONS: '-XX:+DisableAttachMechanism' } },
    ]) {
      const disabled = await programs.start({ ...how, idle: true });
      expect(await refusalOf(disabled.pid)).toMatch(/-XX:\+DisableAttachMechanism/);
      expect(await checksOf(disabled.pid)).toMatchObject([{ id: 'flight-recorder', status: 'failed' }]);
      expect(disabled.text()).not.toContain('thread dump');
    }
    const deaf = await programs.start({ options: ['-Xrs'], idle: true });
    expect(await refusalOf(deaf.pid)).toMatch(/does not handle SIGQUIT/);
    const contained = await programs.start({ by: ['unshare', '--mount'], idle: true });
    expect(await refusalOf(contained.pid)).toMatch(/has other files than this host/);
    const other = spawn('sleep', ['60']);
    onTestFinished(() => void other.kill());
    expect(await refusalOf(other.pid!)).toMatch(/runs sleep, not java$/);
    expect(await checksOf(other.pid!)).toEqual([]);
    expect(await refusalOf(4_194_000)).toMatch(/there is no process/);
  });

  test('says what jcmd said if the JVM can’t record', async () => {
    const running = await programs.start({ idle: true });
    const { plan } = await javaCollector.preflight(target, optionsFor(running.pid));
    const steps = plan!.steps.map((step) =>
      step.kind === 'command'
        ? { ...step, argv: step.argv.map((word) => word.replace('settings.jfc', 'missing.jfc')) }
        : step,
    );
    const sink = new MemorySink();
    const { error } = await javaCollector.start(target, { ...plan!, steps }, sink, SYSTEM_CLOCK).outcome;
    expect(error).toMatchObject({ code: 'refused', message: expect.stringMatching(/^jcmd: Could not parse settings/) });
    expectUntouched(running);
    expect(sink.files.size).toBe(0);
  });
});
