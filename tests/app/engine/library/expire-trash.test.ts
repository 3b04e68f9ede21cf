import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import { expireTrash } from '#app/engine/library/expire-trash.ts';
import { expiredItems } from '#app/engine/library/trash.ts';

const item = (trashedAt: number) =>
  ({ entry: String(trashedAt), id: 'x', kind: 'capture', name: 'x', sizeBytes: 1, trashedAt }) as const;

test('only what was trashed long enough ago expires, and nothing without the setting', () => {
  const day = 86_400_000;
  const items = [item(0), item(day), item(1.5 * day)];
  expect(expiredItems(items, 1, 2 * day)).toEqual([item(0), item(day)]);
  expect(expiredItems(items, null, 1000 * day)).toEqual([]);
});

test('the setting is off at first; what is too young stays', async () => {
  const root = mkdtempSync(join(tmpdir(), 'expire-trash-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, '.trash', '20260101-000000-abcdef01'), { recursive: true });
  const failures: string[] = [];
  for (const trashDays of [DEFAULT_SETTINGS.trashDays, 1]) {
    const { run, stop } = expireTrash(root, { get: () => ({ ...DEFAULT_SETTINGS, trashDays }) }, (line) =>
      failures.push(line),
    );
    await run();
    stop();
  }
  expect(DEFAULT_SETTINGS.trashDays).toBeNull();
  expect(readdirSync(join(root, '.trash'))).toHaveLength(1);
  expect(failures).toEqual([]);
});
