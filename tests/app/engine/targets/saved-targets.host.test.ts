import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openSavedTargets, type SavedTargets } from '#app/engine/targets/saved-targets.ts';
import { createTerminalBuffer } from '#app/engine/targets/terminal-log.ts';
import { findTarget, openTargets } from '#app/engine/targets/targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'saved-targets-'));
let config: string;

beforeEach(() => {
  config = mkdtempSync(join(folder, 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function open(now = 7): Promise<SavedTargets> {
  const saved = await openSavedTargets(config, () => now);
  onTestFinished(() => saved.close());
  return saved;
}

test('saves targets by name, and remembers connected ones', async () => {
  const saved = await open();
  await saved.save('ssh://web1', 'web');
  await saved.connected('ssh://web1');
  await saved.connected('ssh://db');
  const again = await open();
  expect(again.list()).toEqual([
    { id: 'ssh://db', name: null, connectedAt: 7 },
    { id: 'ssh://web1', name: 'web', connectedAt: 7 },
  ]);
  expect(readFileSync(join(config, 'targets.json'), 'utf8')).toContain('"schemaVersion": 1');
  await again.save('ssh://web1', 'renamed');
  expect(again.list()[0]).toEqual({ id: 'ssh://web1', name: 'renamed', connectedAt: 7 });
  await again.forget('ssh://web1');
  expect(again.list()).toHaveLength(1);
  await expect(again.save('ssh://x', 'web')).resolves.toBeUndefined();
  await expect(again.save('ssh://y', 'web')).rejects.toMatchObject({ code: 'name-taken' });
});

test('keeps unusable parts of the file aside and reports them', async () => {
  mkdirSync(config, { recursive: true });
  const good = { id: 'ssh://web1', name: 'web', connectedAt: null };
  const bad = [{ id: 'ssh://-x', name: 'a', connectedAt: null }, { id: 'local', name: 'b', connectedAt: null }, 7];
  writeFileSync(join(config, 'targets.json'), JSON.stringify({ schemaVersion: 1, targets: [...bad, good] }));
  const saved = await open();
  expect(saved.list()).toEqual([good]);
  expect(saved.notices).toEqual([expect.stringContaining("3 of its targets can't be used")]);
  expect(readdirSync(config).some((name) => name.startsWith('targets.kept-'))).toBe(true);
});

test('resolves a target by its name, its Host entry or its ID', async () => {
  const sshConfigPath = join(config, 'ssh_config');
  writeFileSync(sshConfigPath, 'Host db web\n  HostName 10.0.0.9\n');
  const targets = await openTargets({ configPath: config, sshConfigPath });
  onTestFinished(() => targets.dispose());
  await targets.save('ssh://ada@10.0.0.7:2222', 'web');
  const list = await targets.list();
  expect(list.targets).toMatchObject([
    { id: 'local', origin: 'local', state: { kind: 'up' } },
    { id: 'ssh://ada@10.0.0.7:2222', name: 'web', origin: 'saved', state: { kind: 'idle' }, connectedAt: null },
  ]);
  expect(list.offered.map(({ id }) => id)).toEqual(['ssh://db', 'ssh://web']);
  expect(findTarget('web', list)).toBe('ssh://ada@10.0.0.7:2222');
  expect(findTarget('db', list)).toBe('ssh://db');
  expect(findTarget('local', list)).toBe('local');
  expect(findTarget('SSH://new:022', list)).toBe('ssh://new:22');
  expect(findTarget('new', list)).toBeNull();
  expect(() => findTarget('ssh://-x', list)).toThrow(/starts with -/);
  await expect(targets.save('ssh://x', 'local')).rejects.toMatchObject({ code: 'name-taken' });
  await expect(targets.open('ssh://db')).rejects.toMatchObject({ code: 'not-confirmed' });
});

test('explains on Windows why no host can be reached', async () => {
  const targets = await openTargets({ configPath: config, sshConfigPath: join(config, 'none'), platform: 'win32' });
  onTestFinished(() => targets.dispose());
  expect((await targets.list()).unavailable).toMatch(/^Remote targets need Linux or macOS on this side: /);
  expect(() => targets.plan('ssh://web1')).toThrow(/need Linux or macOS/);
});

test('a terminal keeps the newest part, from the start of a line', () => {
  const log = createTerminalBuffer();
  log.append('first\n');
  for (let line = 0; line < 20_000; line++) log.append(`line ${line}\n`);
  expect(log.text.length).toBeLessThanOrEqual(64 * 1024);
  expect(log.text).toMatch(/^line \d+\n[^]*line 19999\n$/);
  expect(log.end).toBeGreaterThan(64 * 1024);
});
