import { z } from 'zod';
import { timestampSchema } from '#core/contract/schemas.ts';
import { LOCAL_TARGET, targetIdSchema, targetNameSchema } from '#core/contract/target.ts';
import { openConfigFile } from '../config/config-file.ts';
import { EngineFailure } from '../failure.ts';

const rowSchema = z.object({
  id: targetIdSchema.refine((id) => id !== LOCAL_TARGET),
  /** Null: connected once, not kept by the user. */
  name: targetNameSchema.nullable(),
  /** Null: never. */
  connectedAt: timestampSchema.nullable(),
});
export type SavedTarget = z.infer<typeof rowSchema>;

/** `targets.json`: hosts that the user keeps by name, and those that were connected to. No secret is ever in it. */
export interface SavedTargets {
  readonly list: () => readonly SavedTarget[];
  /** Rejects with code `name-taken` where another target has the name. */
  readonly save: (id: string, name: string) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  readonly connected: (id: string) => Promise<void>;
  readonly notices: readonly string[];
  /** Called after a change by another process. */
  readonly onForeignChange: (listener: () => void) => void;
  readonly close: () => void;
}

/** More hosts than anyone keeps by hand. */
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

  /** `changed` gets the row as it is, or a new one. */
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
    // Where it can't be written the connection holds all the same, and the change until the engine ends.
    connected: (id) => edit(id, (row) => ({ ...row, connectedAt: now() })).catch(() => undefined),
    notices: file.notices,
    onForeignChange: (listener) => file.onForeignChange(listener),
    close: file.close,
  };
}
