import { isCaptureId } from '../library/capture-files.ts';

/**
 * A bundle is a gzipped tar file:
 *
 *     experiment.json                    first
 *     captures/<id>/capture.json         before the files of that capture
 *     captures/<id>/notes.json           where there are any
 *     captures/<id>/<raw file>           those that capture.json names
 */
export const CAPTURES_FOLDER = 'captures';

export interface BundleLimits {
  readonly entries: number;
  /** All files together, unpacked. */
  readonly bytes: number;
  /** Unpacked bytes for each packed one, beyond {@link slackBytes}. A choice, below the some 1,030 that deflate reaches. */
  readonly ratio: number;
  readonly slackBytes: number;
  /** Of one document, such as capture.json. */
  readonly documentBytes: number;
  /** Of all documents, which lists read and keep. */
  readonly allDocumentsBytes: number;
}

export const BUNDLE_LIMITS: BundleLimits = {
  entries: 10_000,
  bytes: 64 * 2 ** 30,
  ratio: 200,
  slackBytes: 64 << 20,
  documentBytes: 1 << 20,
  allDocumentsBytes: 16 << 20,
};

export interface BundlePlace {
  readonly capture: string;
  readonly fileName: string;
}

/** Where a file of a bundle belongs; null: it is none of a bundle's. */
export function bundlePlace(name: string): BundlePlace | null {
  const [folder, capture, fileName, ...deeper] = name.split('/');
  if (folder !== CAPTURES_FOLDER || capture === undefined || fileName === undefined || deeper.length > 0) return null;
  return isCaptureId(capture) ? { capture, fileName } : null;
}
