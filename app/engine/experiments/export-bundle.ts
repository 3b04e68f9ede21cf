import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { experimentFileName } from '#core/contract/experiment-file.ts';
import { EngineFailure } from '../failure.ts';
import { readFileRange } from '../files/file-source.ts';
import { DOCUMENT_FILE, NOTES_FILE } from '../library/captures/files.ts';
import { documentText } from '../library/captures/store.ts';
import type { Library } from '../library/library.ts';
import { notesText } from '../library/notes-file.ts';
import { BUNDLE_LIMITS, CAPTURES_FOLDER, documentLimit } from './bundle-layout.ts';
import { folderDocumentText } from '../library/document-folders.ts';
import { EXPERIMENTS } from '../library/experiment-document.ts';
import { capturesOf, type Experiments } from './experiments.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

interface ExportedBundle {
  readonly fileName: string;
  /** Number of captures that are not included because the library lacks them. */
  readonly missing: number;
  /** Throws if a file becomes shorter while it is read. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface BundleFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Exports an experiment and its captures as one file. Everything that can be checked is checked before the first byte.
 */
export async function exportBundle(library: Library, experiments: Experiments, id: string): Promise<ExportedBundle> {
  const { experiment, missing } = await experiments.get(id);
  const gone = new Set(missing.map((capture) => capture.id));
  const notes = await experiments.notes(id);
  const files = [
    textFile(EXPERIMENTS.fileName, folderDocumentText(experiment), experiment.changedAt),
    ...(notes.length > 0 ? [textFile(NOTES_FILE, notesText(notes), experiment.changedAt)] : []),
  ];
  for (const capture of new Set(capturesOf(experiment).map((one) => one.id))) {
    if (!gone.has(capture)) files.push(...(await captureFiles(library, capture)));
  }
  return { fileName: experimentFileName(experiment.name), missing: gone.size, chunks: gzipped(tarOf(files)) };
}

async function captureFiles(library: Library, id: string): Promise<BundleFile[]> {
  const document = await library.get(id);
  if (document.state === 'preparing' || document.state === 'recording' || document.state === 'stopping') {
    throw new EngineFailure('in-use', `The capture “${document.name}” is being recorded.`, 'Stop the recording first.');
  }
  const folder = `${CAPTURES_FOLDER}/${id}`;
  const notes = await library.notes(id);
  const files = [
    textFile(`${folder}/${DOCUMENT_FILE}`, documentText(document), document.createdAt),
    ...(notes.length > 0 ? [textFile(`${folder}/${NOTES_FILE}`, notesText(notes), document.createdAt)] : []),
  ];
  for (const fileName of [document.primaryFile, ...document.otherFiles]) {
    const { path, size } = await library.rawFile(id, fileName);
    const name = `${folder}/${fileName}`;
    files.push({ name, size, mtimeMs: document.createdAt, chunks: () => readFileRange(path, 0, size) });
  }
  return files;
}

function textFile(name: string, text: string, mtimeMs: number): BundleFile {
  const bytes = Buffer.from(text);
  const limit = documentLimit(name, BUNDLE_LIMITS);
  if (bytes.length > limit) {
    throw new EngineFailure(
      'too-large',
      `${name} has ${bytes.length} bytes; an import accepts at most ${limit >> 20} MiB.`,
      'Shorten the notes.',
    );
  }
  return { name, size: bytes.length, mtimeMs, chunks: () => [bytes] };
}

async function* tarOf(files: readonly BundleFile[]): AsyncGenerator<Uint8Array> {
  for (const { name, size, mtimeMs, chunks } of files) {
    yield tarHeader(name, size, mtimeMs);
    let written = 0;
    for await (const chunk of chunks()) {
      written += chunk.length;
      // The reader reuses its buffer, and the compressor keeps references to its input.
      yield Uint8Array.from(chunk);
    }
    if (written !== size)
      throw new EngineFailure('file-missing', `${name} became shorter while it was read.`, 'Try again.');
    yield tarPadding(size);
  }
  yield TAR_END;
}

function gzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The returned stream reports the end and errors.
  return pipeline(Readable.from(chunks, { objectMode: true }), createGzip(), () => undefined);
}
