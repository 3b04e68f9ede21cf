import { MAX_NOTES_BYTES } from '#core/contract/limits.ts';
import { isCaptureId, NOTES_FILE } from '../library/captures/files.ts';

/**
 * A bundle is a gzipped tar file:
 *
 *     experiment.json                    first
 *     notes.json                         of the experiment, where there are any
 *     captures/<id>/capture.json         before the files of that capture
 *     captures/<id>/notes.json           if there are any
 *     captures/<id>/<raw file>           those that capture.json names
 */
export const CAPTURES_FOLDER = 'captures';

export interface BundleLimits {
  readonly entries: number;
  /** Maximum size of all unpacked files together. */
  readonly bytes: number;
  /** Maximum size of one document, such as capture.json. */
  readonly documentBytes: number;
  /** Maximum size of one notes.json. */
  readonly notesBytes: number;
  /** Maximum size of all documents, which lists read and keep in memory. */
  readonly allDocumentsBytes: number;
}

export const BUNDLE_LIMITS: BundleLimits = {
  entries: 10_000,
  bytes: 64 * 2 ** 30,
  documentBytes: 1 << 20,
  notesBytes: MAX_NOTES_BYTES,
  allDocumentsBytes: 16 << 20,
};

/** Returns the maximum size in bytes of a bundle's document with this name. */
export const documentLimit = (name: string, limits: Pick<BundleLimits, 'documentBytes' | 'notesBytes'>): number =>
  name.split('/').at(-1) === NOTES_FILE ? limits.notesBytes : limits.documentBytes;

export interface BundlePlace {
  readonly capture: string;
  readonly fileName: string;
}

/** Returns where a file of a bundle belongs; null if bundles have no such file. */
export function bundlePlace(name: string): BundlePlace | null {
  const [folder, capture, fileName, ...deeper] = name.split('/');
  if (folder !== CAPTURES_FOLDER || capture === undefined || fileName === undefined || deeper.length > 0) return null;
  return isCaptureId(capture) ? { capture, fileName } : null;
}
