import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isExperimentId } from '../library/experiment-document.ts';
import { EXPERIMENTS_FOLDER, isCaptureId, NOTES_FILE } from '../library/captures/files.ts';
import { readNotes } from '../library/notes-file.ts';

/**
 * Creates a counter of the notes of the library at `root`, by capture and experiment ID. A file is reread only after a
 * change.
 */
export function createNoteCounts(root: string): () => Promise<Record<string, number>> {
  const known = new Map<string, { readonly stamp: string; readonly count: number }>();

  async function countIn(folder: string): Promise<number> {
    const found = await lstat(join(folder, NOTES_FILE)).catch(() => null);
    if (found === null) return 0;
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const before = known.get(folder);
    if (before?.stamp === stamp) return before.count;
    // Unreadable notes are reported when they are opened.
    const count = await readNotes(folder).then(
      ({ length }) => length,
      () => 0,
    );
    known.set(folder, { stamp, count });
    return count;
  }

  const idsIn = async (folder: string, isId: (id: string) => boolean): Promise<string[]> =>
    (await readdir(folder).catch((): string[] => [])).filter(isId);

  return async () => {
    const counts: [string, number][] = [];
    const places = [
      [root, await idsIn(root, isCaptureId)],
      [join(root, EXPERIMENTS_FOLDER), await idsIn(join(root, EXPERIMENTS_FOLDER), isExperimentId)],
    ] as const;
    for (const [folder, ids] of places) {
      for (const id of ids) counts.push([id, await countIn(join(folder, id))]);
    }
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  };
}
