import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openExperiments, type Experiments } from '#app/engine/experiments/experiments.ts';
import { exportBundle } from '#app/engine/experiments/export-bundle.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { TAR_END, tarHeader, tarPadding } from '#app/engine/experiments/tar.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { noteOf } from '../../../support/note.ts';

/** A library with its experiments. */
export interface Place {
  readonly library: Library;
  readonly experiments: Experiments;
}

export async function newPlace(): Promise<Place> {
  const library = await openLibrary(join(tempFolder(), 'library'));
  return { library, experiments: await openExperiments(library) };
}

/** Creates two captures, one with notes and a second file, and an experiment; returns its ID. */
export async function makeExperiment({ library, experiments }: Place): Promise<string> {
  const before = await library.importFile('before.folded', chunksOf('main;work 3\n'));
  const writer = await library.create({ name: 'after', origin: 'recorded', primaryFile: 'raw.txt' });
  await writer.append('raw.txt', Buffer.from('main;work 1\n'));
  await writer.append('raw.perf.data', Buffer.from([1, 2, 0, 255]));
  await writer.finish({ otherFiles: ['raw.perf.data'], durationMs: 1000 });
  await library.editNotes(writer.id, { put: [noteOf('The cache is on.')], remove: [] });
  const made = await experiments.create({
    name: 'cache: off/on',
    before: [{ id: before.id, requests: 10 }],
    after: [{ id: writer.id, requests: 20 }],
    notes: 'Tuesday',
  });
  await experiments.editNotes(made.experiment.id, { put: [noteOf('Decided on Friday.')], remove: [] });
  return made.experiment.id;
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

export const exported = async ({ library, experiments }: Place, id: string): Promise<Buffer> =>
  bytesOf((await exportBundle(library, experiments, id)).chunks);

export async function* chunked(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

export const importInto = (
  { library, experiments }: Place,
  bytes: Uint8Array,
  limits?: Parameters<typeof importBundle>[3],
) => importBundle(library, experiments, chunked(bytes), limits);

/** Checks that the library is empty and that nothing is left of the attempt. */
export async function expectEmpty({ library, experiments }: Place): Promise<void> {
  expect(await library.list()).toEqual({ captures: [], damaged: [] });
  expect(await experiments.list()).toEqual({ experiments: [], damaged: [] });
  expect(readdirSync(join(library.path, '.tmp'))).toEqual([]);
}

export type Part = readonly [name: string, text: string, type?: string];

/** Returns a bundle of the given files; `type` is the letter of a tar entry. */
export function bundle(parts: readonly Part[], size?: number): Buffer {
  const files = parts.flatMap(([name, text, type = '0']) => {
    const header = Buffer.from(tarHeader(name, size ?? Buffer.byteLength(text), 0));
    header.write(type, 156);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, Buffer.from(text), tarPadding(Buffer.byteLength(text))];
  });
  return gzipSync(Buffer.concat([...files, TAR_END]));
}

/** Returns the files of a bundle with the experiment's before side. */
export async function partsOfBundle(
  here: Place,
  id: string,
): Promise<{ experiment: Part; document: CaptureDocument; parts: Part[] }> {
  const state = await here.experiments.get(id);
  const capture = state.experiment.before.captures[0]!.id;
  const document = await here.library.get(capture);
  const experiment: Part = [
    'experiment.json',
    JSON.stringify({ ...state.experiment, after: { ...state.experiment.after, captures: [] } }),
  ];
  const parts: Part[] = [
    experiment,
    [`captures/${capture}/capture.json`, JSON.stringify(document)],
    [`captures/${capture}/raw.folded`, 'main;work 3\n'],
  ];
  return { experiment, document, parts };
}
