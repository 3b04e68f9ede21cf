import { compareText } from '#core/analyze/compare-text.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Workbench } from '../state/workbench.ts';
import { entriesOf, fileOf, isFile } from '../ui/folder-entries.ts';
import { count, countOf } from '../ui/format.ts';
import { loadPart } from '../ui/load-part.ts';

/** Number of files opened from a folder, since each may become a tab with its own worker. */
const MOST_OF_A_FOLDER = 20;

/**
 * Returns the files directly in dropped folders; a folder of Instruments becomes one file. Omitted files are reported.
 */
export async function filesOf(
  folders: readonly FileSystemDirectoryEntry[],
  notify: Workbench['notify'],
): Promise<readonly File[]> {
  const refuse = (text: string, remedy: string | null = null): void => {
    notify({ kind: 'error', text, remedy, action: null });
  };
  const all: File[] = [];
  for (const folder of folders) {
    if (folder.name.endsWith('.trace')) {
      all.push(...(await instrumentsBundle(folder, refuse)));
      continue;
    }
    const { files: found, left } = await filesIn(folder);
    all.push(...found);
    if (found.length === 0) {
      refuse(`${folder.name} has no files.`, 'Subfolders are not scanned; drop them directly.');
    } else if (left > 0) {
      const text = `${folder.name} has ${countOf(left, 'more file')} than the ${count(found.length)} that were opened.`;
      notify({ kind: 'info', text, remedy: 'Drop only the files you want.', action: null });
    }
  }
  return all;
}

/** Packs a profile of Instruments, which is a folder. */
async function instrumentsBundle(
  folder: FileSystemDirectoryEntry,
  refuse: (text: string) => void,
): Promise<readonly File[]> {
  try {
    const { zipFolder } = await loadPart(() => import('../ui/zip-folder.ts'));
    return [await zipFolder(folder)];
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    refuse(`${folder.name} is ${error.message}.`);
    return [];
  }
}

/**
 * Returns the files directly in a folder, sorted by name, without hidden ones. `left` is the number of files not
 * returned.
 */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<{ files: File[]; left: number }> {
  const found = (await entriesOf(folder)).filter(isFile).filter(({ name }) => !name.startsWith('.'));
  const inOrder = found.sort((a, b) => compareText(a.name, b.name));
  const files = await Promise.all(inOrder.slice(0, MOST_OF_A_FOLDER).map(fileOf));
  return { files, left: inOrder.length - files.length };
}
