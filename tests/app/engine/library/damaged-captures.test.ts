import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { upgrade } from '#app/engine/library/versioned-document.ts';
import { prepareLibrary } from '#app/engine/library/library-marker.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { containing } from '../support/matching.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { noteOf } from '../../../support/note.ts';

const damages: [name: string, damage: (document: string) => string, message: string][] = [
  ['cut off', (text) => text.slice(0, 100), 'JSON'],
  ['empty', () => '', 'JSON'],
  ['binary', () => '\0\u0001', 'JSON'],
  ['a list', () => '[]', 'not a JSON object'],
  ['null', () => 'null', 'not a JSON object'],
  ['of another type', (text) => text.replace('"tags": []', '"tags": 7'), 'tags'],
  ['without a version', (text) => text.replace('schemaVersion', 'version'), 'schemaVersion'],
  ['newer', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 99'), 'newer Flamebench'],
  ['nested too deeply', () => '['.repeat(1_000_000), 'capture.json'],
  ['too large', (text) => text + ' '.repeat(9 << 20), '8 MiB'],
];

test.each(damages)('a capture.json that is %s is shown as damaged and not changed', async (_name, damage, message) => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  const good = await library.importFile('good.folded', chunksOf('main 1\n'));
  const bad = await library.importFile('bad.folded', chunksOf('main 1\n'));
  const file = join(path, bad.id, 'capture.json');
  const damaged = damage(readFileSync(file, 'utf8'));
  writeFileSync(file, damaged);
  for (const reopened of [library, await openLibrary(path, { recover: () => Promise.resolve({}) })]) {
    const list = await reopened.list();
    expect(list.captures).toMatchObject([{ id: good.id }]);
    expect(list.damaged).toMatchObject([{ id: bad.id, message: containing(message) }]);
    expect(list.damaged[0]?.message).not.toContain('\n');
  }
  await expect(library.rename(bad.id, 'x')).rejects.toMatchObject({ code: 'damaged' });
  expect(readFileSync(file, 'utf8')).toBe(damaged);
  expect(readdirSync(join(path, bad.id)).sort()).toEqual(['capture.json', 'raw.folded']);
  await library.trash(bad.id);
  expect((await library.list()).damaged).toEqual([]);
});

test('lists a folder without a valid capture.json as damaged, and ignores other folders and files', async () => {
  const path = join(tempFolder(), 'library');
  await prepareLibrary(path);
  for (const name of ['20260101-000000-00000000', 'My backup', 'backup', 'Renamed', '.hidden']) {
    mkdirSync(join(path, name));
  }
  writeFileSync(join(path, 'Renamed', 'capture.json'), '{}');
  writeFileSync(join(path, 'stray.txt'), '');
  const library = await openLibrary(path);
  expect(await library.list()).toMatchObject({
    captures: [],
    damaged: [{ id: '20260101-000000-00000000', message: 'capture.json is missing' }, { id: 'Renamed' }],
  });
});

test.skipIf(process.platform === 'win32')(
  'a FIFO in place of capture.json is damaged, and does not block',
  async () => {
    const path = join(tempFolder(), 'library');
    const library = await openLibrary(path);
    const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
    const file = join(path, id, 'capture.json');
    rmSync(file);
    execFileSync('mkfifo', [file]);
    for (const opened of [library, await openLibrary(path, { recover: () => Promise.resolve({}) })]) {
      expect(await opened.list()).toMatchObject({
        captures: [],
        damaged: [{ id, message: containing('capture.json: not a file smaller than 8 MiB') }],
      });
      await expect(opened.get(id)).rejects.toMatchObject({ code: 'damaged' });
    }
  },
);

test('damaged notes are not overwritten', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path);
  const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
  writeFileSync(join(path, id, 'notes.json'), 'my words');
  await expect(library.notes(id)).rejects.toMatchObject({ code: 'damaged' });
  await expect(library.editNotes(id, { put: [noteOf('x')], remove: [] })).rejects.toMatchObject({ code: 'damaged' });
  expect(readFileSync(join(path, id, 'notes.json'), 'utf8')).toBe('my words');
});

test('upgrades documents step by step', () => {
  const upgraders = new Map<number, (document: Record<string, unknown>) => Record<string, unknown>>([
    [1, (document) => ({ ...document, second: true })],
    [2, ({ old, ...document }) => ({ ...document, renamed: old })],
  ]);
  const kind = { fileName: 'x.json', version: 3, upgraders, repair: 'Repair it.' };
  const document = { schemaVersion: 1, old: 'value' };
  expect(upgrade(document, kind)).toEqual({ schemaVersion: 3, second: true, renamed: 'value' });
  expect(document).toEqual({ schemaVersion: 1, old: 'value' });
  expect(() => upgrade({ schemaVersion: 3 }, { ...kind, version: 5 })).toThrow('x.json: schema 3 can’t be upgraded');
  expect(() => upgrade({ schemaVersion: '1' }, kind)).toThrow('x.json: no schemaVersion');
  expect(() => upgrade({ schemaVersion: 4 }, kind)).toThrow('newer Flamebench (schema 4, this one reads 3)');
});
