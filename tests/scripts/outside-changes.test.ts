import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outsideChanges, readOutside, shortened } from '../../scripts/outside-changes.ts';

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-outside-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Returns the changes that `change` makes. */
async function changesBy(change: () => unknown, uid: number | null = null): Promise<string[]> {
  const options = { folders: [folder], caches: [at('home/cache')], uid };
  const before = readOutside(options);
  await change();
  return outsideChanges(before, readOutside(options, before));
}

describe('outsideChanges', () => {
  it('names what was added, removed and changed, and a new folder without its content', async () => {
    for (const name of ['gone', 'edited', 'same-size', 'opened-up']) writeFileSync(at(name), 'text');
    symlinkSync('edited', at('link'));
    const lines = await changesBy(() => {
      unlinkSync(at('gone'));
      writeFileSync(at('edited'), 'longer text');
      utimesSync(at('same-size'), 1, 1);
      chmodSync(at('opened-up'), 0o777);
      mkdirSync(at('new/deeper'), { recursive: true });
      writeFileSync(at('new/deeper/file'), '');
    });
    expect(lines.toSorted()).toEqual(
      [
        `added ${at('new')}`,
        `removed ${at('gone')}`,
        ...['edited', 'opened-up', 'same-size'].map((name) => `changed ${at(name)}`),
      ].toSorted(),
    );
  });

  it('leaves out caches, folders whose files come and go, and what links lead to', async () => {
    mkdirSync(at('folder'));
    symlinkSync(tmpdir(), at('elsewhere'));
    const lines = await changesBy(() => {
      mkdirSync(at('home/cache'), { recursive: true });
      writeFileSync(at('home/cache/file'), '');
      writeFileSync(at('home/file'), '');
      writeFileSync(at('folder/file'), '');
      unlinkSync(at('folder/file'));
    });
    expect(lines).toEqual([`added ${at('home/file')}`]);
  });

  it('leaves out other users, if requested', async () => {
    expect(await changesBy(() => writeFileSync(at('file'), ''), (process.getuid?.() ?? 0) + 1)).toEqual([]);
  });

  it('leaves out what a process from before the run writes, not what a process of the run does', async () => {
    const start = async (log: string) => {
      const child = spawn('sh', ['-c', 'exec > "$1"; echo started >&2; exec sleep 60', 'sh', log]);
      await once(child.stderr, 'data');
      return child;
    };
    chmodSync(folder, 0o1777);
    mkdirSync(at('logs'));
    const earlier = await start(at('logs/earlier'));
    const children = [earlier];
    try {
      const lines = await changesBy(async () => {
        writeFileSync(at('logs/earlier'), 'more');
        writeFileSync(at('logs/beside'), '');
        children.push(await start(at('later')));
      });
      expect(lines).toEqual([`added ${at('later')}`]);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });

  it('lists 40 changes and counts the others', async () => {
    const lines = await changesBy(() => {
      for (let file = 0; file < 43; file++) writeFileSync(at(`file-${file}`), '');
    });
    expect([shortened(lines).length, shortened(lines).at(-1)]).toEqual([41, 'and 3 more']);
  });
});
