import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { DOCUMENT_FILE, isCaptureId } from './captures/files.ts';
import { readableDocument, totalFileBytes } from './captures/store.ts';

export interface SampleCapture {
  readonly folder: string;
  readonly document: CaptureDocument;
}

/** Maximum depth of the search, for samples/profiles/<format>/<name>. */
const MAX_DEPTH = 4;

/** IDs of a library's own captures never begin so. */
export const isSampleId = (id: string): boolean => id.startsWith('sample-');

/**
 * Returns the captures bundled with Flamebench, by ID `sample-<path>`. They are read-only, since they are part of the
 * program. Null: there are none.
 */
export async function readSampleCaptures(samplesPath: string | null): Promise<ReadonlyMap<string, SampleCapture>> {
  const samples = new Map<string, SampleCapture>();
  if (samplesPath !== null) await collect(samplesPath, [], samples);
  return samples;
}

async function collect(folder: string, path: readonly string[], samples: Map<string, SampleCapture>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile() && entry.name === DOCUMENT_FILE)) {
    const id = ['sample', ...path].join('-').toLowerCase();
    const document = readableDocument(folder);
    if (document === null || !isCaptureId(id)) return;
    const sizeBytes = await totalFileBytes(folder, [document.primaryFile, ...document.otherFiles]);
    samples.set(id, { folder, document: { ...document, id, origin: 'sample', sizeBytes } });
    return;
  }
  if (path.length === MAX_DEPTH) return;
  for (const entry of entries) {
    if (entry.isDirectory()) await collect(join(folder, entry.name), [...path, entry.name], samples);
  }
}
