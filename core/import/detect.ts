import { unrecognized, unsupported } from '../model/failure.ts';
import type { Head, Importer } from './importer.ts';

export const HEAD_BYTES = 64 * 1024;

export function makeHead(bytes: Uint8Array, complete: boolean): Head {
  return { bytes, text: new TextDecoder().decode(bytes), complete };
}

/**
 * Returns the importer that says yes, otherwise the only one that says maybe. If several are equally sure, the file
 * name's extension decides. Returns null if none fits; throws `unrecognized` if several remain.
 */
export function detectImporter(head: Head, fileName: string, importers: readonly Importer[]): Importer | null {
  if (head.bytes.length === 0) throw unrecognized('the file is empty');
  const verdicts = importers.map((importer) => ({ importer, verdict: importer.sniff(head, fileName) }));
  for (const wanted of ['yes', 'maybe'] as const) {
    const fits = verdicts.filter(({ verdict }) => verdict === wanted).map(({ importer }) => importer);
    const [first, second] = fits;
    if (first === undefined) continue;
    if (second === undefined) return first;
    const named = fits.filter((importer) => hasExtension(fileName, importer));
    if (named.length === 1) return named[0]!;
    const ids = fits.map(({ id }) => id).join(', ');
    throw unrecognized(`the content fits several formats (${ids}); choose one of them`);
  }
  return null;
}

export function findImporter(id: string, importers: readonly Importer[]): Importer {
  const found = importers.find((importer) => importer.id === id);
  if (found !== undefined) return found;
  const known = importers.map((importer) => importer.id).join(', ');
  throw unsupported(`unknown format ${JSON.stringify(id)}; known formats: ${known}`);
}

/** Ignores compression suffixes: `x.folded.gz` is a `.folded`. */
function hasExtension(fileName: string, importer: Importer): boolean {
  const name = fileName.toLowerCase().replace(/\.(gz|zst)$/, '');
  return importer.extensions.some((extension) => name.endsWith(`.${extension}`));
}
