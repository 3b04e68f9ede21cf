import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isFileWord } from '#app/engine/files/classify-word.ts';
import { isWithin } from '#app/engine/source/project-folder.ts';
import { inputError, usageError } from '../errors.ts';

/** What an agent may open. */
export interface Allowed {
  /** Folders, without links. */
  readonly roots: readonly string[];
  readonly library: string | undefined;
}

/** A profile that was opened. */
export interface OpenCapture {
  readonly handle: string;
  /** The word that names it in a command: a path without links, or the id of a capture. */
  readonly word: string;
  /** What was read of it: one line for all answers. */
  readonly facts: string;
  /** Null for a capture of the library. */
  readonly file: FileState | null;
}

interface FileState {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/** Returns the folders without links. Throws a usage error for what is none. */
export const readRoots = (folders: readonly string[]): string[] =>
  folders.map((folder) => {
    try {
      const path = realpathSync(folder);
      if (statSync(path).isDirectory()) return path;
    } catch {
      // Said below.
    }
    throw usageError(`--root ${folder} is not a folder`, 'name an existing folder');
  });

/** Returns the file that a path means, below a root; relative paths start at the roots, in order. */
export function findFile(input: string, roots: readonly string[]): FileState | null {
  if (input.includes('\0')) return null;
  for (const root of roots) {
    const named = resolve(root, input);
    try {
      const path = realpathSync(named);
      // A link may lead out of the folder; what is outside is not told apart from what is missing.
      if (!roots.some((one) => isWithin(path, one))) continue;
      const stats = statSync(path);
      if (stats.isFile()) return { path, size: stats.size, modified: stats.mtimeMs };
    } catch {
      // Tries the next root.
    }
  }
  return null;
}

/** Throws if what a handle names is no longer what was opened. */
export function checkUnchanged(
  { handle, word, file }: Pick<OpenCapture, 'handle' | 'word' | 'file'>,
  { roots }: Allowed,
): void {
  const now = file === null ? null : findFile(file.path, roots);
  const isSame =
    file === null
      ? !isFileWord(word)
      : now !== null && now.path === file.path && now.size === file.size && now.modified === file.modified;
  if (!isSame) throw inputError(`${handle} has changed since it was opened`, 'open it again');
}
