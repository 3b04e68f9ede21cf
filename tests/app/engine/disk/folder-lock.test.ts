import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isLocked, takeLock, underLock } from '#app/engine/disk/folder-lock.ts';
import { ownIdentity, processState } from '#app/engine/disk/process-identity.ts';
import { needing } from '../../../support/needing.ts';
import { ended, IN_PID_NAMESPACE, pidNamespaces, printed, startChild } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';

const self = await ownIdentity();
const waiting = { waitMs: 2000, inUse: () => new Error('in use') };
/** An environment whose PATH has no flock(1). */
const WITHOUT_FLOCK = { ...process.env, PATH: '/nonexistent' };

/** Starts a process that takes the lock; resolves when it has. */
async function holder(folder: string, name: string, options: Parameters<typeof startChild>[2] = {}) {
  const child = startChild('hold-lock.ts', [folder, name], options);
  expect(await printed(child, (text) => text.includes('\n'))).toBe('held\n');
  return child;
}

test('only one process holds a lock until it releases it', async () => {
  const folder = tempFolder();
  const lock = await takeLock(folder, 'edit', self);
  expect(lock).not.toBeNull();
  expect(await takeLock(folder, 'edit', self)).toBeNull();
  expect(await takeLock(folder, 'writer', self)).not.toBeNull();
  expect(await isLocked(folder, 'edit', self)).toBe(true);
  await lock?.release(folder);
  expect(await isLocked(folder, 'edit', self)).toBe(false);
  expect(readdirSync(folder)).toEqual(['writer.lock']);
});

test('a lock moves with its folder, and its holder notices when it is deleted, replaced or taken over', async () => {
  const parent = tempFolder();
  const [folder, moved] = [join(parent, 'a'), join(parent, 'b')];
  for (const lose of [
    () => rmSync(join(moved, 'writer.lock')),
    () => renameSync(join(moved, 'other'), join(moved, 'writer.lock')),
    () => writeFileSync(join(moved, 'writer.lock'), JSON.stringify({ ...self, kernel: false, token: 'another' })),
  ]) {
    renameSync(tempFolder(), folder);
    const lock = await takeLock(folder, 'writer', self);
    renameSync(folder, moved);
    writeFileSync(join(moved, 'other'), '');
    expect(await lock?.isHeld(moved)).toBe(true);
    expect(await isLocked(moved, 'writer', self)).toBe(true);
    lose();
    expect(await lock?.isHeld(moved)).toBe(false);
    const left = readdirSync(moved);
    await lock?.release(moved);
    expect(readdirSync(moved)).toEqual(left);
    rmSync(moved, { recursive: true });
  }
});

test.each([
  ['the kernel holds', process.env],
  ['a process without flock(1) holds', WITHOUT_FLOCK],
])('a lock that %s is held while the process is stopped, and free at once when it is killed', async (_what, env) => {
  const folder = tempFolder();
  const child = await holder(folder, 'edit', { env });
  child.kill('SIGSTOP');
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(folder, 'edit.lock'), hourAgo, hourAgo);
  for (const path of [process.env['PATH'], '/nonexistent']) {
    vi.stubEnv('PATH', path);
    expect(await isLocked(folder, 'edit', self)).toBe(true);
    expect(await takeLock(folder, 'edit', self)).toBeNull();
  }
  vi.unstubAllEnvs();
  const exit = ended(child);
  child.kill('SIGKILL');
  await exit;
  const start = performance.now();
  expect(await underLock(folder, 'edit', self, waiting, () => Promise.resolve('done'))).toBe('done');
  expect(performance.now() - start).toBeLessThan(1000);
  expect(readdirSync(folder)).toEqual([]);
});

needing(pidNamespaces, () => {
  test('a lock of another PID namespace is held whatever the clock says, and free at once when it ends', async () => {
    const folder = tempFolder();
    const child = await holder(folder, 'writer', { through: IN_PID_NAMESPACE });
    const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    process.kill(Number(pid), 'SIGSTOP');
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(folder, 'writer.lock'), hourAgo, hourAgo);
    const clock = vi.spyOn(performance, 'now');
    for (let look = 0; look < 30; look++) {
      clock.mockReturnValue(look * 60_000);
      expect(await isLocked(folder, 'writer', self)).toBe(true);
      if (look % 10 === 0) expect(await takeLock(folder, 'writer', self)).toBeNull();
    }
    clock.mockRestore();
    const exit = ended(child);
    process.kill(Number(pid), 'SIGKILL');
    await exit;
    const lock = await takeLock(folder, 'writer', self);
    expect(lock).not.toBeNull();
    await lock?.release(folder);
  });
});

test('a holder that can only be seen by its heartbeats is dead when they stop for a minute of own time', async () => {
  const folder = tempFolder();
  const path = join(folder, 'writer.lock');
  const beat = (count: number): void =>
    writeFileSync(path, JSON.stringify({ ...self, machine: 'elsewhere', kernel: false, token: 'a', beat: count }));
  const clock = vi.spyOn(performance, 'now');
  let now = 0;
  const looks = async (times: number, stepMs: number, isBeating: boolean): Promise<boolean> => {
    let held = false;
    for (let look = 0; look < times; look++) {
      clock.mockReturnValue((now += stepMs));
      if (isBeating) beat(look);
      held = await isLocked(folder, 'writer', self);
    }
    return held;
  };
  beat(0);
  utimesSync(path, 0, 0);
  expect(await looks(1, 0, false)).toBe(true);
  expect(await looks(40, 5000, true)).toBe(true);
  // An observer that was paused for an hour has not observed for an hour.
  expect(await looks(2, 3_600_000, false)).toBe(true);
  expect(await looks(14, 5000, false)).toBe(false);
  const lock = await takeLock(folder, 'writer', self);
  expect(await lock?.isHeld(folder)).toBe(true);
  await lock?.release(folder);
  expect(readdirSync(folder)).toEqual([]);
  clock.mockRestore();
});

const holders: [what: string, holder: string, held: boolean][] = [
  ['this process', JSON.stringify(self), true],
  ['an earlier process of the same PID', JSON.stringify({ ...self, startTicks: '1' }), false],
  ['a PID that no process has', JSON.stringify({ ...self, pid: 2 ** 22 + 1 }), false],
  ['a process that says no start time', JSON.stringify({ ...self, startTicks: null }), true],
  ['another machine, just seen', JSON.stringify({ ...self, machine: 'elsewhere' }), true],
  ['nobody', '', false],
  ['rubbish', '{"pid":', false],
];

test.each(holders)('a lock that an earlier version wrote, of %s', async (_what, text, held) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'writer.lock.3'), text);
  expect(await isLocked(folder, 'writer', self)).toBe(held);
  const taken = await takeLock(folder, 'writer', self);
  expect(taken === null).toBe(held);
  await taken?.release(folder);
  expect(readdirSync(folder)).toEqual(held ? ['writer.lock.3'] : []);
});

test.each([
  ['with locks of the kernel', process.env['PATH']],
  ['without flock(1)', '/nonexistent'],
])('of many concurrent takeovers at most one succeeds, and none leaves a trace: %s', async (_what, path) => {
  vi.stubEnv('PATH', path);
  const folder = tempFolder();
  const dead = JSON.stringify({ ...self, startTicks: '1', kernel: false, token: 'dead' });
  writeFileSync(join(folder, 'writer.lock'), dead);
  let holding = 0;
  let successes = 0;
  const compete = async (): Promise<void> => {
    for (let attempt = 0; attempt < 400; attempt++) {
      const lock = await takeLock(folder, 'writer', self);
      if (lock === null) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        continue;
      }
      expect(++holding).toBe(1);
      successes++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      holding--;
      await lock.release(folder);
      return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, compete));
  vi.unstubAllEnvs();
  expect(successes).toBe(8);
  expect(readdirSync(folder)).toEqual([]);
});

test('changes of one process take turns in their order, also after one fails', async () => {
  const folder = tempFolder();
  const order: number[] = [];
  const runs = Array.from({ length: 80 }, (_none, run) =>
    underLock(folder, 'edit', self, waiting, () => {
      order.push(run);
      return run === 7 ? Promise.reject(new Error('seventh')) : Promise.resolve();
    }),
  );
  const results = await Promise.allSettled(runs);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(order).toEqual(Array.from({ length: 80 }, (_none, run) => run));
});

test('waits for a stopped holder no longer than its limit', async () => {
  const folder = tempFolder();
  const child = await holder(folder, 'edit');
  child.kill('SIGSTOP');
  const brief = { ...waiting, waitMs: 200 };
  await expect(underLock(folder, 'edit', self, brief, () => Promise.resolve())).rejects.toThrow('in use');
});

test('a process of another machine cannot be looked up', async () => {
  expect(await processState(self, self)).toBe('alive');
  expect(await processState({ ...self, machine: 'elsewhere' }, self)).toBe('unknown');
});
