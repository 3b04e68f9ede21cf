import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { removeFileOf } from '#collectors/effects/remove.ts';
import { makeFolders, writeAtomically } from '#collectors/effects/write.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { isMissing } from '../failure.ts';
import { readSmallFile } from '../disk/read-small-file.ts';

/**
 * Why the files that a capture names may be opened and tools run for it: Flamebench `recorded` it for this user on that
 * machine, or the user `confirmed` it.
 */
export type ReadPermission = 'recorded' | 'confirmed';

/** A machine as recordings and targets identify it. */
export interface Machine {
  readonly kind: 'local' | 'ssh';
  readonly host: string;
}

/**
 * Records which captures of a library Flamebench recorded, and where. The records are in the user's configuration, one
 * small file per capture, so that neither a document nor a capture's folder nor a whole library from elsewhere can
 * claim it.
 */
interface ReadPermissions {
  /** Records that Flamebench is recording a capture. Never rejects; without the record the user is asked. */
  noteRecorded(id: string, machine: Machine): Promise<void>;
  /** Deletes all records of an ID, which another capture uses from now on. */
  forget(id: string): Promise<void>;
  /** Records the user's confirmation, until this process ends or it is withdrawn. */
  confirm(id: string, isConfirmed: boolean): void;
  /**
   * Returns the permission; null means that the user must be asked first. The document's content can only withdraw a
   * permission.
   */
  of(document: CaptureDocument, machine?: Machine): Promise<ReadPermission | null>;
}

const noteSchema = z.object({
  schemaVersion: z.literal(1),
  library: z.string(),
  id: z.string(),
  machine: z.object({ kind: z.enum(['local', 'ssh']), host: z.string() }),
});

/** Maximum size of a record in bytes; the library's path has at most 4,096. */
const MAX_NOTE_BYTES = 16_384;

/** Name of the folder in the configuration's folder. */
const NOTES_FOLDER = 'recorded';

export function createReadPermissions(root: string, configPath: string): ReadPermissions {
  const folder = join(configPath, NOTES_FOLDER);
  const confirmed = new Set<string>();
  const libraryPath = (): Promise<string> => realpath(root).catch(() => root);

  async function place(id: string): Promise<{ readonly library: string; readonly path: string }> {
    const library = await libraryPath();
    const name = createHash('sha256').update(`${library}\0${id}`).digest('hex').slice(0, 32);
    return { library, path: join(folder, `${name}.json`) };
  }

  async function recordedOn(id: string): Promise<Machine | null> {
    const { library, path } = await place(id);
    try {
      const note = noteSchema.parse(JSON.parse((await readSmallFile(path, MAX_NOTE_BYTES)).toString('utf8')));
      return note.id === id && note.library === library ? note.machine : null;
    } catch {
      return null;
    }
  }

  return {
    async noteRecorded(id, { kind, host }) {
      const { library, path } = await place(id);
      const note = { schemaVersion: 1, library, id, machine: { kind, host } };
      try {
        await makeFolders(folder);
        await writeAtomically(path, `${JSON.stringify(note)}\n`);
      } catch {
        return;
      }
    },
    async forget(id) {
      confirmed.delete(id);
      const { path } = await place(id);
      await removeFileOf(folder, basename(path)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    confirm(id, isConfirmed) {
      if (isConfirmed) confirmed.add(id);
      else confirmed.delete(id);
    },
    async of(document, machine = { kind: 'local', host: hostname() }) {
      if (confirmed.has(document.id)) return 'confirmed';
      if (document.origin !== 'recorded') return null;
      const on = await recordedOn(document.id);
      return on !== null && on.kind === machine.kind && on.host === machine.host ? 'recorded' : null;
    },
  };
}
