import { setTimeout as sleep } from 'node:timers/promises';
import { FLEET_AWAY, type FleetStore } from '#app/engine/fleet/store.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import type { Library } from '#app/engine/library/library.ts';
import { messageOf } from '#core/model/failure.ts';
import { countText } from '#core/units/format.ts';
import { findInput, type FoundInput } from '../library/find-input.ts';
import { say, warn } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { shown } from './list.ts';

/** How often the library is read, in ms. */
const EVERY_MS = 2000;
/** Most captures that wait while the fleet can't be written. They stay in the library. */
export const MAX_WAITING = 1000;

export interface Watch {
  readonly open: () => Promise<FleetStore>;
  readonly folder: string | undefined;
  /** Adds a capture; resolves with the lines that say so. */
  readonly push: (fleet: FleetStore, name: string, found: FoundInput) => Promise<string[]>;
}

/**
 * Pushes captures that the library gets, until interrupted; resolves with the number of those added or already there.
 * The fleet is open only while captures are pushed. If it can't be opened, captures wait.
 */
export async function watchLibrary({ open, folder, push }: Watch): Promise<number> {
  const library = await (await import('../library/open-library.ts')).openCliLibrary(folder);
  try {
    return await untilInterrupted(async (signal) => {
      const seen = new Set(await finishedIn(library));
      // A fleet that can't be made or is none is an error now, not at the first capture.
      const isFree = await open().catch((error: unknown) => {
        if (isAway(error)) return null;
        throw error;
      });
      isFree?.close();
      say(`watching ${library.path}; Ctrl-C ends`);
      const waiting: string[] = [];
      let [pushed, said] = [0, ''];
      while (!signal.aborted) {
        await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
        const found = (await finishedIn(library)).filter((id) => !seen.has(id));
        for (const id of found) seen.add(id);
        const room = MAX_WAITING - waiting.length;
        waiting.push(...found.slice(0, room));
        for (const id of found.slice(room))
          warn(`${MAX_WAITING} captures wait already; flamebench fleet push ${id} adds this one`);
        const problem = waiting.length === 0 ? '' : await pushWaiting(waiting);
        if (problem !== '' && problem !== said) say(`${problem}; ${countText(waiting.length, 'capture')} waiting`);
        said = problem;
      }
      if (waiting.length > 0) {
        warn(`${countText(waiting.length, 'capture')} not pushed: flamebench fleet push ${waiting.join(' ')}`);
      }
      return pushed;

      /** Pushes captures in order and takes them off the list; returns why the fleet can't be written, or nothing. */
      async function pushWaiting(ids: string[]): Promise<string> {
        let fleet: FleetStore;
        try {
          fleet = await open();
        } catch (error) {
          return messageOf(error);
        }
        try {
          for (let id = ids[0]; id !== undefined && !signal.aborted; id = ids[0]) {
            try {
              for (const line of await push(fleet, id, await findInput(id, folder))) say(line);
              pushed++;
            } catch (error) {
              if (isAway(error) || (error instanceof EngineFailure && error.code === 'storage'))
                return messageOf(error);
              warn(`${id} was left out: ${shown(messageOf(error))}`);
            }
            ids.shift();
          }
          return '';
        } finally {
          fleet.close();
        }
      }
    });
  } finally {
    library.close();
  }
}

/** Returns whether the fleet may be there later: another process writes to it, or its server does not answer. */
export const isAway = (error: unknown): boolean =>
  error instanceof EngineFailure && (error.code === 'in-use' || error.code === FLEET_AWAY);

/** Returns the ids of the library's captures whose recording or import has ended, oldest first. */
async function finishedIn(library: Library): Promise<string[]> {
  const { captures } = await library.list('');
  return captures
    .flatMap(({ id, state, origin }) => (state === 'finished' && origin !== 'sample' ? [id] : []))
    .reverse();
}
