import type { Target } from './target.ts';

/** Bytes read of each file: enough for the first CPU of /proc/cpuinfo and the first line of /proc/stat. */
const FILE_BYTES = 4096;

/** Returns the first bytes of files as text; null for one that can't be read. Never rejects. */
export async function readTexts(target: Target, paths: readonly string[]): Promise<(string | null)[]> {
  const ranges = paths.map((path) => ({ path, offset: 0, length: FILE_BYTES }));
  const found = await target.readRanges(ranges).catch(() => []);
  return paths.map((_, place) => {
    const bytes = found[place];
    return bytes === null || bytes === undefined ? null : new TextDecoder().decode(bytes);
  });
}

/** Returns a whole file as text; empty if it can't be read. Never rejects. */
export const readText = (target: Target, path: string): Promise<string> =>
  target.readFile(path).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
