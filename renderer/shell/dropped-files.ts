import { compareText } from '#core/analyze/compare-text.ts';
import { entriesOf, fileOf, isFile, isFolder } from '../ui/folder-entries.ts';

/** What a drop carries, read while its event lasts: afterwards it tells nothing any more. */
export interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly FileSystemDirectoryEntry[];
}

/** Each may become a tab with a worker of its own. */
const MOST_OF_A_FOLDER = 20;

export function droppedFiles({ items }: DataTransfer): Dropped {
  const folders: FileSystemDirectoryEntry[] = [];
  const files: File[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry !== null && isFolder(entry)) folders.push(entry);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}

/** The files that lie in a folder itself, by name; hidden ones are none. `left`: how many more there are. */
export async function filesIn(folder: FileSystemDirectoryEntry): Promise<{ files: File[]; left: number }> {
  const found = (await entriesOf(folder)).filter(isFile).filter(({ name }) => !name.startsWith('.'));
  const inOrder = found.sort((a, b) => compareText(a.name, b.name));
  const files = await Promise.all(inOrder.slice(0, MOST_OF_A_FOLDER).map(fileOf));
  return { files, left: inOrder.length - files.length };
}
