import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import * as z from 'zod';
import type { RecentFile } from '#core/contract/session.ts';
import { EngineFailure } from '../failure.ts';
import { openConfigFile } from './config-file.ts';

interface OpenableRecent {
  readonly path: string;
  readonly fileName: string;
  readonly size: number;
}

/**
 * Files outside the library that were opened by path, newest first. Paths stay in the engine; windows know only IDs and
 * names.
 */
export interface RecentFiles {
  readonly list: () => RecentFile[];
  /** Moves files to the top, given by absolute path. */
  readonly add: (paths: readonly string[]) => Promise<void>;
  /** Rejects with code `file-missing` if the file is gone, and `not-found` if the ID is unknown. */
  readonly find: (id: string) => Promise<OpenableRecent>;
  readonly forget: (id: string | null) => Promise<void>;
  readonly notices: readonly string[];
  readonly onChange: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

/** Maximum number of entries. A session can contain more files than the list shows. */
const MAX_KEPT = 100;
const MAX_LISTED = 20;

const rowSchema = z.object({
  path: z.string().min(1).max(4096).refine(isAbsolute),
  openedAt: z.number(),
});
type RecentRow = z.infer<typeof rowSchema>;

/** Returns an ID for a path that does not reveal it. */
export const recentId = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

export async function openRecentFiles(folder: string, now: () => number = Date.now): Promise<RecentFiles> {
  const file = await openConfigFile<readonly RecentRow[]>({
    folder,
    name: 'recent.json',
    initial: [],
    read: ({ files }) => {
      if (files !== undefined && !Array.isArray(files)) return { value: [], problems: ['its files are not a list'] };
      const rows = Array.isArray(files) ? files.map((row: unknown) => rowSchema.safeParse(row)) : [];
      const usable = rows.flatMap((row) => (row.success ? [row.data] : []));
      const lost = rows.length - usable.length;
      return { value: usable, problems: lost === 0 ? [] : [`${lost} of its files have no path`] };
    },
    write: (files) => ({ files }),
  });
  // A change that cannot be written lasts until the engine ends; the settings report that they cannot be written.
  const listeners: (() => void)[] = [];
  async function edit(change: (rows: readonly RecentRow[]) => readonly RecentRow[]): Promise<void> {
    await file.edit(change).catch(() => null);
    for (const listener of listeners) listener();
  }
  return {
    list: () =>
      file
        .get()
        .slice(0, MAX_LISTED)
        .map(({ path, openedAt }) => ({
          id: recentId(path),
          fileName: basename(path),
          folderName: basename(dirname(path)),
          openedAt,
        })),
    add: async (paths) => {
      if (paths.length === 0) return;
      const added = paths.map((path) => ({ path, openedAt: now() }));
      await edit((rows) => [...added, ...rows.filter(({ path }) => !paths.includes(path))].slice(0, MAX_KEPT));
    },
    find: async (id) => {
      const row = file.get().find(({ path }) => recentId(path) === id);
      if (row === undefined) {
        throw new EngineFailure('not-found', 'This file is no longer in the recent list.', 'Open it again.');
      }
      const fileName = basename(row.path);
      const found = await stat(row.path).catch(() => null);
      if (found?.isFile() !== true) {
        throw new EngineFailure(
          'file-missing',
          `${fileName} is no longer in its folder (${basename(dirname(row.path))}).`,
          'Open it from its new location.',
        );
      }
      return { path: row.path, fileName, size: found.size };
    },
    forget: (id) => edit((rows) => (id === null ? [] : rows.filter(({ path }) => recentId(path) !== id))),
    notices: file.notices,
    onChange: (listener) => {
      listeners.push(listener);
      file.onForeignChange(listener);
    },
    close: file.close,
  };
}
