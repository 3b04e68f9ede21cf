import { randomBytes } from 'node:crypto';
import { readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { openLocked, probeLock } from '#collectors/effects/kernel-lock.ts';
import { removeFileOf } from '#collectors/effects/remove.ts';
import { makeFolders, writeAtomically } from '#collectors/effects/write.ts';
import { timestampSchema } from '#core/contract/schemas.ts';
import { targetIdSchema } from '#core/contract/schemas.ts';
import { endLeftovers, markRuns, type Leftovers } from '#collectors/target/leftovers.ts';
import type { Target } from '#collectors/target/target.ts';
import { isMissing, storageFailure } from '../failure.ts';
import { readSmallFile } from '../disk/read-small-file.ts';
import { ownIdentity, processState, type ProcessIdentity } from '../disk/process-identity.ts';

const entrySchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{16}$/),
  target: targetIdSchema,
  host: z.string().max(300),
  startedAt: timestampSchema,
  by: z.object({ pid: z.number().int(), startTicks: z.string().nullable(), machine: z.string() }),
  /** Whether the kernel holds a lock on the file while the recording runs. Entries of older versions lack it. */
  locked: z.boolean().default(false),
});
type JournalRow = z.infer<typeof entrySchema>;

/** The record of one recording on one target, written before it starts anything. */
export interface JournalEntry {
  /** The target, with the entry's mark on everything that runs. */
  readonly target: Target;
  /**
   * `clean` means that nothing can be left running; otherwise the entry stays until the target is reached again. Never
   * rejects.
   */
  end(clean: boolean): Promise<void>;
}

/**
 * Records what was started where, as files in the configuration's folder `started`, so that the next start finds what a
 * crash or a lost link left running.
 */
export interface Journal {
  /** Rejects with an `EngineFailure` if the entry cannot be written; nothing must be started then. */
  begin(targetId: string, target: Target): Promise<JournalEntry>;
  /**
   * Ends what finished recordings left running on the target, and deletes their entries. Never rejects; failures are
   * retried next time.
   */
  clear(targetId: string, target: Target): Promise<void>;
  /** What {@link clear} found and did, one line each, newest last. */
  readonly notes: readonly string[];
}

const ENTRY_NAME = /^[0-9a-f]{16}\.json$/;

const MAX_NOTES = 20;
const MAX_ENTRY_BYTES = 65_536;
/**
 * Age in ms from which a recording of another machine, or from before a reboot, is considered over if its entry is not
 * locked: twice the longest recording.
 */
const LONGEST_MS = 2 * 86_400_000;

export function openJournal(configPath: string, now: () => number = Date.now): Journal {
  const folder = join(configPath, 'started');
  /** Entries of this process that have not ended, with the files that hold their locks. */
  const running = new Map<string, FileHandle | null>();
  const notes: string[] = [];
  const unreadable = new Set<string>();
  const pathOf = (id: string): string => join(folder, `${id}.json`);

  async function readEntry(name: string): Promise<JournalRow | null> {
    try {
      return entrySchema.parse(JSON.parse((await readSmallFile(join(folder, name), MAX_ENTRY_BYTES)).toString('utf8')));
    } catch (error) {
      // Its writer deleted the entry in the meantime.
      if (!isMissing(error)) noteUnreadable(name);
      return null;
    }
  }

  function noteUnreadable(name: string): void {
    if (unreadable.has(name)) return;
    unreadable.add(name);
    notes.push(
      `${join(folder, name)} can’t be read; processes it lists may still be running. Delete it after checking`,
    );
    notes.splice(0, notes.length - MAX_NOTES);
  }

  /**
   * Returns entries of recordings that are over: those of ended processes, and those that this one ended while the
   * target was unreachable.
   */
  async function overOn(targetId: string): Promise<JournalRow[]> {
    const names = await readdir(folder).catch(() => []);
    const entries = await Promise.all(names.filter((name) => ENTRY_NAME.test(name)).map(readEntry));
    const self = await ownIdentity();
    const over = await Promise.all(
      entries.map(async (entry) => {
        if (entry === null || entry.target !== targetId || running.has(entry.id)) return [];
        const state = isSame(entry.by, self) ? 'ended' : await processState(entry.by, self);
        return state === 'ended' || (state === 'unknown' && (await isUnlocked(entry))) ? [entry] : [];
      }),
    );
    return over.flat();
  }

  async function isUnlocked({ id, locked, startedAt }: JournalRow): Promise<boolean> {
    const lock = locked ? await probeLock(pathOf(id)) : 'unsupported';
    return lock === 'taken' || (lock === 'unsupported' && now() - startedAt > LONGEST_MS);
  }

  async function remove(id: string): Promise<void> {
    await removeFileOf(folder, `${id}.json`).catch(() => undefined);
  }

  async function clearEntry(entry: JournalRow, target: Target): Promise<void> {
    const leftovers = await endLeftovers(target, entry.id);
    notes.push(describe(entry, leftovers));
    notes.splice(0, notes.length - MAX_NOTES);
    if (leftovers.left.length === 0) await remove(entry.id);
  }

  return {
    notes,
    async begin(targetId, target) {
      const id = randomBytes(8).toString('hex');
      const entry: JournalRow = {
        schemaVersion: 1,
        id,
        target: targetId,
        host: target.host,
        startedAt: now(),
        by: await ownIdentity(),
        locked: true,
      };
      const write = (written: JournalRow): Promise<void> =>
        writeAtomically(pathOf(id), `${JSON.stringify(written, null, 2)}\n`);
      running.set(id, null);
      try {
        await makeFolders(folder);
        await write(entry);
        const opened = await openLocked(pathOf(id));
        running.set(id, opened.file);
        if (opened.state !== 'taken') await write({ ...entry, locked: false });
      } catch (error) {
        running.delete(id);
        throw storageFailure(error, `write ${pathOf(id)}`);
      }
      return {
        target: markRuns(target, id),
        async end(clean) {
          const lock = running.get(id);
          running.delete(id);
          if (clean) await remove(id);
          await lock?.close();
        },
      };
    },
    async clear(targetId, target) {
      for (const entry of await overOn(targetId)) await clearEntry(entry, target).catch(() => undefined);
    },
  };
}

const isSame = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && one.startTicks === other.startTicks && one.machine === other.machine;

function describe({ host, startedAt }: JournalRow, { ended, left }: Leftovers): string {
  const what = `${host}: the recording of ${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC was interrupted`;
  if (left.length > 0) return `${what}; still running, and can't be killed: ${left.join(', ')}`;
  return ended.length === 0
    ? `${what}; nothing was left running`
    : `${what}; leftover processes were killed: ${ended.join(', ')}`;
}
