import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { experimentFileName } from '#core/contract/experiment-file.ts';
import { EngineFailure } from '../failure.ts';
import { readFileRange } from '../files/file-source.ts';
import { DOCUMENT_FILE, NOTES_FILE } from '../library/capture-files.ts';
import { documentText } from '../library/capture-store.ts';
import type { Library } from '../library/library.ts';
import { BUNDLE_LIMITS, CAPTURES_FOLDER } from './bundle-layout.ts';
import { EXPERIMENT_FILE, experimentText } from './experiment-document.ts';
import { capturesOf, type Experiments } from './experiments.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

export interface ExportedBundle {
  readonly fileName: string;
  /** Captures that are not in it, since the library does not have them. */
  readonly missing: number;
  /** Fails in the middle where a file becomes shorter meanwhile. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface BundleFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An experiment and its captures as one file. What can go wrong is found out before the first byte. */
export async function exportBundle(library: Library, experiments: Experiments, id: string): Promise<ExportedBundle> {
  const { experiment, missing } = await experiments.get(id);
  const gone = new Set(missing.map((capture) => capture.id));
  const files = [textFile(EXPERIMENT_FILE, experimentText(experiment), experiment.changedAt)];
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
  const hasNotes = notes.text !== '' || notes.marks !== undefined;
  const files = [
    textFile(`${folder}/${DOCUMENT_FILE}`, documentText(document), document.createdAt),
    ...(hasNotes ? [textFile(`${folder}/${NOTES_FILE}`, documentText(notes), document.createdAt)] : []),
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
  if (bytes.length > BUNDLE_LIMITS.documentBytes) {
    throw new EngineFailure(
      'too-large',
      `${name} has ${bytes.length} bytes; an import accepts documents of at most ${BUNDLE_LIMITS.documentBytes >> 20} MiB.`,
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
      // The reader uses its buffer again, and what compresses holds on to what it was given.
      yield Uint8Array.from(chunk);
    }
    if (written !== size)
      throw new EngineFailure('file-missing', `${name} became shorter while it was read.`, 'Try again.');
    yield tarPadding(size);
  }
  yield TAR_END;
}

function gzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Its end and its failure are those of what is returned.
  return pipeline(Readable.from(chunks, { objectMode: true }), createGzip(), () => undefined);
}
