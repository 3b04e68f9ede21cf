import type { ImportPart, Importer } from './importer.ts';
import { perfScriptImporter } from './perf-script/perf-script.ts';

/** Not the whole registry: the thread should begin soon. */
const importers: readonly Importer[] = [perfScriptImporter];
/** Between two calls of `onProgress`. */
const PROGRESS_BYTES = 2 ** 20;

/** Parses a part of an input: what a {@link PartReader} runs on its thread. null also where `size` bytes did not come. */
export async function importPart(
  importer: string,
  size: number,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (readBytes: number) => void,
): Promise<ImportPart | null> {
  const session = importers.find(({ id }) => id === importer)?.startPart?.();
  if (session === undefined) return null;
  let readBytes = 0;
  let told = 0;
  for await (const chunk of chunks) {
    session.push(chunk);
    readBytes += chunk.length;
    if (readBytes - told < PROGRESS_BYTES) continue;
    told = readBytes;
    onProgress(readBytes);
  }
  onProgress(readBytes);
  return readBytes === size ? session.finishPart() : null;
}
