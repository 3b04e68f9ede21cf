import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { ByteSource } from '#core/import/importer.ts';
import { storedZip, type FileToZip } from '#core/import/unpack/stored-zip.ts';
import { attempt, fileSource } from './file-source.ts';
import { STDIO } from './classify-word.ts';

/** Returns whether the path is a profile of Instruments, which is a folder. */
export function isProfileFolder(path: string): boolean {
  return (
    path !== STDIO && /\.trace\/*$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  );
}

/**
 * Returns a folder as the bytes of a zip archive. Links are not followed. Throws as {@link fileSource} and
 * {@link storedZip} do.
 */
export function folderSource(path: string): ByteSource {
  const top = resolve(path);
  const name = basename(top);
  return {
    fileName: `${name}.zip`,
    size: null,
    chunks: () => storedZip(filesBelow(top, name)),
  };
}

function filesBelow(top: string, name: string): FileToZip[] {
  return attempt(top, () => readdirSync(top, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: `${name}/${relative(top, file).split(sep).join('/')}`, chunks: () => fileSource(file).chunks() };
    });
}
