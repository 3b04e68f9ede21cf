import { compareText } from '#core/analyze/compare-text.ts';

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
  const reader = folder.createReader();
  const found: FileSystemFileEntry[] = [];
  for (;;) {
    // A hundred at a time; none ends it.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) break;
    found.push(...entries.filter(isFile));
  }
  const inOrder = found.filter(({ name }) => !name.startsWith('.')).sort((a, b) => compareText(a.name, b.name));
  const files = await Promise.all(
    inOrder
      .slice(0, MOST_OF_A_FOLDER)
      .map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))),
  );
  return { files, left: inOrder.length - files.length };
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
