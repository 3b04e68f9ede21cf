import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { prepareLibrary } from '#app/engine/library/library-marker.ts';
import { withStaging } from '#app/engine/library/staging.ts';
import { ended, printed, startChild } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { needing, type Need } from '../../../support/needing.ts';

const locking: Need = { name: 'flock', present: () => spawnSync('flock', ['--version']).status === 0 };
const NAME = 'import-0123456789abcdef';
const recover = (): Promise<object> => Promise.resolve({});
const tomorrow = (): number => Date.now() + 25 * 3_600_000;

async function newTemp(): Promise<{ path: string; temp: string }> {
  const path = join(tempFolder(), 'library');
  await prepareLibrary(path);
  mkdirSync(join(path, '.tmp'));
  return { path, temp: join(path, '.tmp') };
}

test('what is staged is deleted afterwards, and what was moved away is kept', async () => {
  const { path, temp } = await newTemp();
  await withStaging(path, NAME, (staged) => {
    mkdirSync(join(staged, 'deep'), { recursive: true });
    return Promise.resolve();
  });
  const failing = withStaging(path, 'cache-0123456789abcdef', (staged) => {
    writeFileSync(staged, 'x');
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  expect(readdirSync(temp)).toEqual([]);
});

needing(locking, () => {
  test('a clock 25 hours ahead deletes nothing that is in use, in this or another process', async () => {
    const { path, temp } = await newTemp();
    const child = startChild('hold-staging.ts', [path, 'discarded-20260101-000000-00000000']);
    await printed(child, (text) => text.includes('.'));
    await withStaging(path, NAME, async (staged) => {
      mkdirSync(staged);
      await openLibrary(path, { recover, now: tomorrow });
      expect(readdirSync(temp).filter((name) => !name.endsWith('.lock'))).toEqual([
        'discarded-20260101-000000-00000000',
        NAME,
      ]);
    });
    const exit = ended(child);
    child.kill('SIGKILL');
    await exit;
    await openLibrary(path, { recover });
    expect(readdirSync(temp)).toEqual([]);
  });

  test('only entries with names that Flamebench gives are deleted, and links are not followed', async () => {
    const { path, temp } = await newTemp();
    const elsewhere = tempFolder();
    writeFileSync(join(elsewhere, 'precious'), '');
    const ours = [
      '20260101-000000-00000000',
      NAME,
      'experiment-20260101-000000-00000000',
      'load-20260101-000000-00000000',
    ];
    for (const name of ours) {
      mkdirSync(join(temp, name));
      symlinkSync(elsewhere, join(temp, name, 'link'));
    }
    writeFileSync(join(temp, 'cache-0123456789abcdef'), '');
    writeFileSync(join(temp, 'cache-0000000000000000.lock'), '');
    const others = ['discarded-x', 'import-1', 'notes', 'old.lock'];
    for (const name of others) mkdirSync(join(temp, name));
    symlinkSync(elsewhere, join(temp, 'discarded-20260101-000000-00000000'));
    await openLibrary(path, { recover, now: tomorrow });
    const left = readdirSync(temp).filter((name) => !name.startsWith('discarded-2026'));
    expect(left.toSorted()).toEqual(others.toSorted());
    expect(readdirSync(temp)).toContain('discarded-20260101-000000-00000000');
    expect(readdirSync(elsewhere)).toEqual(['precious']);
  });
});
