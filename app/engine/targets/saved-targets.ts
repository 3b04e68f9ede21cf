import * as z from 'zod';
import { timestampSchema } from '#core/contract/schemas.ts';
import { targetNameSchema } from '#core/contract/target.ts';
import { targetIdSchema } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { openConfigFile } from '../config/config-file.ts';
import { EngineFailure } from '../failure.ts';

const rowSchema = z.object({
  id: targetIdSchema.refine((id) => id !== LOCAL_TARGET),
  /** Null if the host was only connected to and not saved by the user. */
  name: targetNameSchema.nullable(),
  /** Null for never. */
  connectedAt: timestampSchema.nullable(),
});
export type SavedTarget = z.infer<typeof rowSchema>;

/**
 * The file `targets.json`: hosts that the user saved by name, and hosts that were connected to. It never contains a
 * secret.
 */
export interface SavedTargets {
  readonly list: () => readonly SavedTarget[];
  /** Rejects with code `name-taken` if another target has the name. */
  readonly save: (id: string, name: string) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  readonly connected: (id: string) => Promise<void>;
  readonly notices: readonly string[];
  /** Called after a change by another process. */
  readonly onForeignChange: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

/** Maximum number of hosts. */
const MAX_ROWS = 1000;

export async function openSavedTargets(folder: string, now: () => number = Date.now): Promise<SavedTargets> {
  const file = await openConfigFile<readonly SavedTarget[]>({
    folder,
    name: 'targets.json',
    initial: [],
    read: ({ targets }) => {
      if (targets !== undefined && !Array.isArray(targets))
        return { value: [], problems: ['its targets are not a list'] };
      const rows = Array.isArray(targets) ? targets.map((row: unknown) => rowSchema.safeParse(row)) : [];
      const usable = rows.flatMap((row) => (row.success ? [row.data] : []));
      const lost = rows.length - usable.length;
      return { value: usable, problems: lost === 0 ? [] : [`${lost} of its targets can't be used`] };
    },
    write: (targets) => ({ targets }),
  });

  /** Replaces a target's row by the result of `changed`, which receives the current row or a new one. */
  async function edit(id: string, changed: (row: SavedTarget) => SavedTarget): Promise<void> {
    await file.edit((rows) => {
      const row = rows.find((candidate) => candidate.id === id) ?? { id, name: null, connectedAt: null };
      return [changed(row), ...rows.filter((other) => other.id !== id)].slice(0, MAX_ROWS);
    });
  }

  return {
    list: file.get,
    save: (id, name) =>
      edit(id, (row) => {
        const other = file.get().find((candidate) => candidate.name === name && candidate.id !== id);
        if (other === undefined) return { ...row, name };
        throw new EngineFailure('name-taken', `${other.id} is already called ${name}.`, 'Choose another name.');
      }),
    forget: async (id) => {
      await file.edit((rows) => rows.filter((row) => row.id !== id));
    },
    // If it cannot be written, the connection is unaffected and the change lasts until the engine ends.
    connected: (id) => edit(id, (row) => ({ ...row, connectedAt: now() })).catch(() => undefined),
    notices: file.notices,
    onForeignChange: (listener) => file.onForeignChange(listener),
    close: file.close,
  };
}
