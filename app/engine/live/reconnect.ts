import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Targets } from '../targets/targets.ts';

/** `over`: the user has closed the connection, or there is none to reopen. */
export type Reconnected = 'up' | 'not-yet' | 'over';

/** Tries once to reopen a lost connection. */
export async function reconnect(targets: Pick<Targets, 'list' | 'connect'>, id: string): Promise<Reconnected> {
  if (id === LOCAL_TARGET) return 'over';
  const { targets: rows } = await targets.list();
  const state = rows.find((row) => row.id === id)?.state.kind ?? 'idle';
  if (state === 'idle') return 'over';
  if (state === 'up') return 'up';
  try {
    return (await targets.connect(id, false)).kind === 'up' ? 'up' : 'not-yet';
  } catch {
    return 'not-yet';
  }
}
