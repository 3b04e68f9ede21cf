import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocked, takeLock } from '#app/engine/library/folder-lock.ts';
import { ownIdentity, processState } from '#app/engine/library/process-identity.ts';
import { tempFolder } from '../support/temp-folder.ts';

const self = await ownIdentity();

test('only one process holds a lock until it releases it', async () => {
  const folder = tempFolder();
  const lock = await takeLock(folder, 'edit', self);
  expect(lock).not.toBeNull();
  expect(await takeLock(folder, 'edit', self)).toBeNull();
  expect(await takeLock(folder, 'writer', self)).not.toBeNull();
  expect(await isLocked(folder, 'edit', self)).toBe(true);
  await lock?.release(folder);
  expect(await isLocked(folder, 'edit', self)).toBe(false);
  expect(readdirSync(folder)).toEqual(['writer.lock.0']);
});

const hour = 3_600_000;
const holders: [what: string, holder: string, ageMs: number, held: boolean][] = [
  ['this process', JSON.stringify(self), hour, true],
  ['an earlier process of the same PID', JSON.stringify({ ...self, startTicks: '1' }), 0, false],
  ['a PID that no process has', JSON.stringify({ ...self, pid: 2 ** 22 + 1 }), 0, false],
  ['a process that says no start time', JSON.stringify({ ...self, startTicks: null }), 0, true],
  ['another machine, just now', JSON.stringify({ ...self, machine: 'elsewhere' }), 0, true],
  ['another machine, long ago', JSON.stringify({ ...self, machine: 'elsewhere' }), hour, false],
  ['nobody yet', '', 0, true],
  ['nobody ever', '', hour, false],
  ['rubbish', '{"pid":', hour, false],
];

test.each(holders)('a lock of %s', async (_what, holder, ageMs, held) => {
  const folder = tempFolder();
  const path = join(folder, 'writer.lock.3');
  writeFileSync(path, holder);
  const then = new Date(Date.now() - ageMs);
  utimesSync(path, then, then);
  expect(await isLocked(folder, 'writer', self)).toBe(held);
  const taken = await takeLock(folder, 'writer', self);
  expect(taken === null).toBe(held);
  await taken?.release(folder);
  expect(readdirSync(folder)).toEqual(held ? ['writer.lock.3'] : []);
});

test('of many concurrent takeovers at most one succeeds, and none leaves a trace', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'writer.lock.0'), JSON.stringify({ ...self, startTicks: '1' }));
  let holders = 0;
  let successes = 0;
  const compete = async (): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const lock = await takeLock(folder, 'writer', self);
      if (lock === null) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        continue;
      }
      expect(++holders).toBe(1);
      successes++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      holders--;
      await lock.release(folder);
      return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, compete));
  expect(successes).toBe(8);
  expect(readdirSync(folder)).toEqual([]);
});

test('a process of another machine cannot be looked up', async () => {
  expect(await processState(self, self)).toBe('alive');
  expect(await processState({ ...self, machine: 'elsewhere' }, self)).toBe('unknown');
});
