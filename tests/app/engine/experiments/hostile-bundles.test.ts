import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { prepareLibrary } from '#app/engine/library/library-marker.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { ended, printed, startChild } from '../support/child.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  bundle,
  chunked,
  expectEmpty,
  exported,
  importInto,
  makeExperiment,
  newPlace,
  partsOfBundle,
  type Part,
  type Place,
} from './bundles.ts';

let here: Place;
let there: Place;
let id: string;

beforeEach(async () => {
  [here, there] = [await newPlace(), await newPlace()];
  id = await makeExperiment(here);
});

test('accepts a bundle made by hand', async () => {
  const { parts } = await partsOfBundle(here, id);
  expect(await importInto(there, bundle(parts))).toMatchObject({ added: 1, missing: [] });
});

test('refuses hostile bundles and keeps nothing of them', async () => {
  const { experiment, document, parts } = await partsOfBundle(here, id);
  const folder = `captures/${document.id}`;
  const [, documentPart, raw] = parts as [Part, Part, Part];
  const withDocument = (change: object): Part => [`${folder}/capture.json`, JSON.stringify({ ...document, ...change })];
  const cases: readonly (readonly [string, readonly Part[], string])[] = [
    ['a file outside', [...parts, ['../outside', 'x']], '../outside'],
    ['a file far outside', [...parts, ['/etc/passwd', 'x']], '/etc/passwd'],
    ['a way out of a capture', [...parts, [`${folder}/../../../x`, 'x']], 'not part of a capture'],
    ['a way out on Windows', [...parts, [`${folder}/..\\..\\x`, 'x']], 'does not name'],
    ['a folder for a capture', [...parts, ['captures/../capture.json', '{}']], 'not part of a capture'],
    ['a symbolic link', [experiment, documentPart, [`${folder}/raw.folded`, '', '2']], 'not a regular file'],
    ['a hard link', [...parts, [`${folder}/other`, '', '1']], 'not a regular file'],
    ['a device', [...parts, [`${folder}/other`, '', '3']], 'not a regular file'],
    ['extended headers', [['PaxHeader', '27 path=../../outside/file\n', 'x'], ...parts], 'not a regular file'],
    ['a long name', [['././@LongLink', '../../outside', 'L'], ...parts], 'not a regular file'],
    [
      'a stranger’s capture',
      [...parts, ['captures/other/capture.json', JSON.stringify(document)]],
      'not part of a capture',
    ],
    ['a lock', [...parts, [`${folder}/edit.lock`, '{}']], 'does not name'],
    ['a cache', [...parts, [`${folder}/profile.flamebench`, 'x']], 'does not name'],
    [
      'a document that names a lock',
      [experiment, withDocument({ primaryFile: 'writer.lock' })],
      'is not the name of a file',
    ],
    [
      'a document that names a path',
      [experiment, withDocument({ primaryFile: '../raw' })],
      'is not the name of a file',
    ],
    ['the same file twice', [...parts, raw], 'twice'],
    ['the same document twice', [...parts, documentPart], 'twice'],
    ['a file before its document', [experiment, raw, documentPart], 'before the capture.json'],
    ['a capture without its file', [experiment, documentPart], 'is missing the file'],
    ['no experiment', parts.slice(1), 'not with experiment.json'],
    ['nothing', [], 'is empty'],
    ['a second experiment', [...parts, experiment], 'not part of a capture'],
    [
      'an experiment of another version',
      [['experiment.json', '{"schemaVersion": 9}'], ...parts.slice(1)],
      'newer Flamebench',
    ],
    ['dates beyond all dates', [experiment, withDocument({ createdAt: 1e300 }), raw], 'createdAt'],
    ['notes that are none', [...parts, [`${folder}/notes.json`, '[]']], 'notes.json'],
  ];
  for (const [what, hostile, message] of cases) {
    await expect(importInto(there, bundle(hostile)), what).rejects.toMatchObject({
      code: 'bad-bundle',
      message: expect.stringContaining(message),
    });
    await expectEmpty(there);
  }
});

test('refuses a bundle of a newer version, which an update reads', async () => {
  const { experiment, document, parts } = await partsOfBundle(here, id);
  const newer = JSON.stringify({ ...document, schemaVersion: 9 });
  for (const hostile of [
    bundle([['experiment.json', '{"schemaVersion": 9}'], ...parts.slice(1)]),
    bundle([experiment, [`captures/${document.id}/capture.json`, newer], ...parts.slice(2)]),
  ]) {
    await expect(importInto(there, hostile)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The experiment file can’t be imported: .*newer Flamebench .*Nothing was imported/,
      ),
      remedy: 'Update Flamebench.',
    });
    await expectEmpty(there);
  }
});

test('refuses bundles with too many or too large files, or that unpack to too much', async () => {
  const { parts } = await partsOfBundle(here, id);
  const limits = { entries: 2, bytes: 1000 };
  await expect(importInto(there, bundle(parts), limits)).rejects.toThrow('more than 2 files');
  await expect(importInto(there, bundle(parts), { entries: 9, bytes: 500 })).rejects.toThrow('more than 500 bytes');
  await expect(importInto(there, bundle(parts.slice(0, 1), 9 << 20))).rejects.toThrow('experiment.json');
  const folders = Array.from({ length: 11_000 }, (_none, at): Part => [`captures/${at}/`, '', '5']);
  await expect(importInto(there, bundle([...parts, ...folders]))).rejects.toThrow('more than 10000 files');
  // A few hundred kilobytes that unpack to endless zeros after the last file.
  const whole = gunzipSync(bundle(parts));
  await expect(importInto(there, gzipSync(Buffer.concat([whole, Buffer.alloc(64 << 20)])))).rejects.toThrow(
    'data follows its end',
  );
  await expectEmpty(there);
});

test('refuses a small bundle that would fill disk or memory, and the library still lists', async () => {
  const { experiment, document, parts } = await partsOfBundle(here, id);
  const kept = await there.library.importFile('kept.folded', chunksOf('main 1\n'));
  const folder = `captures/${document.id}`;
  const large = (bytes: number): string => 'x'.repeat(bytes);
  const documentOf = (capture: string, tag: string): Part => [
    `captures/${capture}/capture.json`,
    JSON.stringify({ ...document, id: capture, tags: [tag] }),
  ];
  const ids = Array.from({ length: 20 }, (_none, at) => `20260101-000000-${String(at).padStart(8, '0')}`);
  const content = JSON.parse(experiment[1]) as { before: object };
  const many: Part = [
    'experiment.json',
    JSON.stringify({
      ...content,
      before: {
        ...content.before,
        captures: ids.map((one) => ({ id: one, name: one, requests: null })),
      },
    }),
  ];
  const cases: readonly (readonly [string, Buffer, string])[] = [
    [
      'zeros that pack 1,000:1',
      bundle([...parts.slice(0, 2), [`${folder}/raw.folded`, large(200 << 20)]]),
      '500 times',
    ],
    ['a document of 2 MiB', bundle([experiment, documentOf(document.id, large(2 << 20)), parts[2]!]), 'bytes'],
    ['notes of 5 MiB', bundle([...parts, [`${folder}/notes.json`, large(5 << 20)]]), 'bytes'],
    [
      'notes of 5 MiB on the experiment',
      bundle([experiment, ['notes.json', large(5 << 20)], ...parts.slice(1)]),
      'bytes',
    ],
    [
      'an experiment of 2 MiB',
      bundle([['experiment.json', `${experiment[1]}${' '.repeat(2 << 20)}`], ...parts.slice(1)]),
      'bytes',
    ],
    [
      'many documents that are good alone',
      bundle([
        many,
        ...ids.flatMap((one): Part[] => [documentOf(one, large(1_000_000)), [`captures/${one}/raw.folded`, 'a 1']]),
      ]),
      'bytes of documents',
    ],
  ];
  for (const [what, bytes, message] of cases) {
    expect(bytes.length, what).toBeLessThan(2 << 20);
    await expect(importInto(there, bytes), what).rejects.toMatchObject({
      code: 'bad-bundle',
      message: expect.stringContaining(message),
    });
    expect(readdirSync(join(there.library.path, '.tmp')), what).toEqual([]);
    expect(await (await openLibrary(there.library.path)).list()).toMatchObject({
      captures: [{ id: kept.id }],
      damaged: [],
    });
  }
}, 60_000);

test('refuses by its header a file for which the disk has no room', async () => {
  const { document, parts } = await partsOfBundle(here, id);
  const huge: Part = [`captures/${document.id}/raw.folded`, 'x'];
  const bytes = bundle(parts.slice(0, 2));
  const whole = Buffer.concat([gunzipSync(bytes).subarray(0, -1024), gunzipSync(bundle([huge], 2 ** 50))]);
  await expect(importInto(there, gzipSync(whole), { bytes: 2 ** 52 })).rejects.toMatchObject({ code: 'disk-full' });
  await expectEmpty(there);
});

test('refuses truncated, damaged and invalid bundles', async () => {
  const bytes = await exported(here, id);
  const flipped = Buffer.from(bytes);
  flipped[bytes.length - 6]! ^= 0xff;
  for (const broken of [
    bytes.subarray(0, bytes.length - 20),
    flipped,
    Buffer.from('main;work 3\n'),
    Buffer.alloc(0),
    gzipSync('text'),
  ]) {
    await expect(importInto(there, broken)).rejects.toMatchObject({ code: 'bad-bundle' });
    await expectEmpty(there);
  }
});

test('an interrupted upload leaves nothing behind', async () => {
  const bytes = await exported(here, id);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* chunked(bytes.subarray(0, bytes.length / 2));
    throw new Error('the line went dead');
  }
  await expect(importBundle(there.library, there.experiments, broken())).rejects.toThrow('the line went dead');
  await expectEmpty(there);
});

test('a killed import leaves nothing in the library, and its files are cleared later', async () => {
  const bundle = join(tempFolder(), 'bundle');
  writeFileSync(bundle, await exported(here, id));
  const child = startChild('import-half.ts', [there.library.path, bundle]);
  await printed(child, (text) => text.includes('.'));
  const exit = ended(child);
  child.kill('SIGKILL');
  await exit;
  const temp = join(there.library.path, '.tmp');
  expect(await there.library.list()).toEqual({ captures: [], damaged: [] });
  expect(readdirSync(temp)).toContainEqual(expect.stringMatching(/^import-[0-9a-f]+$/));
  await openLibrary(there.library.path, { recover: () => Promise.resolve({}) });
  expect(readdirSync(temp)).toEqual([]);
  expect(await importInto(there, readFileSync(bundle))).toMatchObject({ added: 2 });
});

test('the library does not act on what a bundle claims', async () => {
  const { experiment, document, parts } = await partsOfBundle(here, id);
  const hostile = { ...document, state: 'recording', name: 'a\u202e\u0007b', origin: 'sample', otherFiles: [] };
  await importInto(
    there,
    bundle([experiment, [`captures/${document.id}/capture.json`, JSON.stringify(hostile)], parts[2]!]),
  );
  const recovered: string[] = [];
  const reopened = await openLibrary(there.library.path, {
    recover: (_files, { id: met }) => {
      recovered.push(met);
      return Promise.resolve({});
    },
  });
  expect(await reopened.get(document.id)).toMatchObject({
    state: 'finished',
    incomplete: true,
    name: 'ab',
    origin: 'imported',
  });
  expect(recovered).toEqual([]);
  await there.library.tag(document.id, ['mine']);
});

test('does not follow a link in place of a capture', async () => {
  const elsewhere = tempFolder();
  const { document, parts } = await partsOfBundle(here, id);
  await prepareLibrary(there.library.path);
  symlinkSync(elsewhere, join(there.library.path, document.id));
  const imported = await importInto(there, bundle(parts));
  expect(imported.experiment.before.captures[0]!.id).not.toBe(document.id);
  expect(readdirSync(elsewhere)).toEqual([]);
});
