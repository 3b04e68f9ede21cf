import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { previewTransform, type TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import { transformProfile } from '#core/analyze/transforms/transform-profile.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { RequestFailure } from '../request-failure.ts';

export interface PreviewParams {
  readonly selection: Selection;
  /** The transforms applied earlier. */
  readonly before: readonly NamedTransform[];
  readonly transform: NamedTransform;
}

export interface ExportParams {
  /** ID of an exporter. */
  readonly format: string;
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  /** See {@link VisiblePart.captureName}. */
  readonly captureName: string;
}

export interface ExportedFile {
  readonly content: Blob;
  /** Exported weight, in the value type's unit. */
  readonly total: number;
  readonly samples: number;
  /** What the format cannot represent, one clause each. */
  readonly losses: readonly string[];
}

/**
 * Size of the pieces that are handed to the browser, in bytes. It keeps large blobs on disk instead of in the worker's
 * memory.
 */
const PIECE_BYTES = 8 * 2 ** 20;

export function previewOf(
  profile: Profile,
  { selection, before, transform }: PreviewParams,
  patterns: PatternRunner,
): Promise<TransformPreview> {
  return previewTransform(profile, selection, before, transform, patterns);
}

/** Exports the samples of the selection, with transforms and names applied. */
export async function exportSeen(
  recorded: Profile,
  { format, selection, transforms, captureName }: ExportParams,
  patterns: PatternRunner,
): Promise<ExportedFile> {
  const { exporters } = await import('#core/export/registry.ts');
  const exporter = exporters.find(({ id }) => id === format);
  if (exporter === undefined) throw new RequestFailure('unsupported', `unknown format ${format}`);
  const { profile, resolved } = await transformProfile(recorded, transforms, patterns);
  const seen = visibleProfile(profile, { selection, transforms, resolved, captureName });
  const pieces = collectPieces();
  exporter.write(seen.profile, { valueType: selection.valueType, header: seen.description }, pieces.add);
  return {
    content: pieces.finish(),
    total: seen.view.total,
    samples: seen.profile.samples.length,
    losses: exporter.losses?.(seen.profile, selection.valueType) ?? [],
  };
}

function collectPieces(): { add: (chunk: Uint8Array) => void; finish: () => Blob } {
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const close = (): void => {
    blobs.push(new Blob(chunks));
    chunks = [];
    bytes = 0;
  };
  return {
    add: (chunk) => {
      chunks.push(chunk.slice());
      bytes += chunk.length;
      if (bytes >= PIECE_BYTES) close();
    },
    finish: () => {
      close();
      return new Blob(blobs, { type: 'application/octet-stream' });
    },
  };
}
