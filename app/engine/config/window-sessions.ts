import { NO_SESSION, sessionSchema, type Session } from '#core/contract/session.ts';
import { newToken } from '../session-tokens.ts';
import { openConfigFile } from './config-file.ts';

export interface TakenSession {
  /** Names the window from now on, also after it was loaded anew. */
  readonly windowId: string;
  /** What to open; null: nothing. */
  readonly session: Session | null;
  /** It is the same window, loaded anew. */
  readonly again: boolean;
}

/** What each window has open, and what the last one of the run before had. */
export interface WindowSessions {
  /** The first window gets what the last run left; others begin empty. */
  readonly take: (windowId: string | null) => TakenSession;
  readonly save: (windowId: string, session: Session) => Promise<void>;
  /** No window has left a session here, not even an empty one. */
  readonly isFirstRun: () => boolean;
  readonly notices: readonly string[];
  readonly close: () => void;
}

/** More windows than this have been closed long ago. */
const MAX_WINDOWS = 64;

export async function openWindowSessions(folder: string): Promise<WindowSessions> {
  const file = await openConfigFile<Session | null>({
    folder,
    name: 'session.json',
    initial: null,
    read: ({ session }) => {
      const read = sessionSchema.safeParse(session);
      return read.success
        ? { value: read.data, problems: [] }
        : { value: NO_SESSION, problems: ['it holds no session'] };
    },
    write: (session) => ({ session }),
  });
  const windows = new Map<string, Session>();
  let waiting = file.get();

  function remember(windowId: string, session: Session): void {
    windows.delete(windowId);
    windows.set(windowId, session);
    const [oldest] = windows.keys();
    if (windows.size > MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
  }

  return {
    take: (windowId) => {
      const own = windowId === null ? undefined : windows.get(windowId);
      if (windowId !== null && own !== undefined) return { windowId, session: own, again: true };
      const session = waiting;
      waiting = null;
      const given = newToken();
      // It may be loaded anew before it has saved anything.
      remember(given, session ?? NO_SESSION);
      return { windowId: given, session, again: false };
    },
    save: async (windowId, session) => {
      remember(windowId, session);
      await file.edit(() => session);
    },
    isFirstRun: () => file.get() === null,
    notices: file.notices,
    close: file.close,
  };
}
