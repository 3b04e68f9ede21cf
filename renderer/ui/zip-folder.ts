import { storedZip, type FileToZip } from '#core/import/unpack/stored-zip.ts';
import { entriesOf, fileOf, isFile, isFolder } from './folder-entries.ts';

/** Number of bytes read at a time, so that the window stays responsive. */
const PIECE_BYTES = 2 ** 20;

/** Returns a folder with its content as a zip archive. Throws as {@link storedZip} does. */
export async function zipFolder(folder: FileSystemDirectoryEntry): Promise<File> {
  const parts: BlobPart[] = [];
  for await (const part of storedZip(await filesBelow(folder))) parts.push(part as Uint8Array<ArrayBuffer>);
  return new File(parts, `${folder.name}.zip`);
}

async function filesBelow(top: FileSystemDirectoryEntry): Promise<FileToZip[]> {
  const found: FileToZip[] = [];
  const folders = [{ path: `${top.name}/`, folder: top }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { path, folder } = next;
    for (const entry of await entriesOf(folder)) {
      if (isFolder(entry)) folders.push({ path: `${path}${entry.name}/`, folder: entry });
      else if (isFile(entry)) found.push({ path: path + entry.name, chunks: () => piecesOf(entry) });
    }
  }
  return found;
}

async function* piecesOf(entry: FileSystemFileEntry): AsyncGenerator<Uint8Array> {
  const file = await fileOf(entry);
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
  }
}
