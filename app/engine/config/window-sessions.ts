import { z } from 'zod';
import { NO_SESSION, sessionSchema, sessionTabSchema, type Session } from '#core/contract/session.ts';
import { newToken } from '../http/session-tokens.ts';
import { openConfigFile } from './config-file.ts';

export interface TakenSession {
  /** Names the window from now on, also after it was loaded anew. */
  readonly windowId: string;
  /** What to open; null: nothing. */
  readonly session: Session | null;
  /** It is the same window, loaded anew. */
  readonly again: boolean;
}

/** What each window on a library has open, and what the last one of the run before had. */
export interface WindowSessions {
  /** The first window gets what the last run left; others begin empty. */
  readonly take: (windowId: string | null) => TakenSession;
  readonly save: (windowId: string, session: Session) => Promise<void>;
  /** No window has left a session of this library, not even an empty one. */
  readonly isFirstRun: () => boolean;
  readonly notices: readonly string[];
  readonly close: () => void;
}

/** More windows than this have been closed long ago. */
const MAX_WINDOWS = 64;

/** Libraries of the past. */
const MAX_LIBRARIES = 20;

const rowSchema = z.object({ library: z.string().min(1).max(4096), session: sessionSchema });
type Row = z.infer<typeof rowSchema>;

const looseRowSchema = rowSchema.extend({ session: sessionSchema.extend({ tabs: z.array(z.unknown()).max(200) }) });

/** A row of the file without the tabs that can't be read, and how many these are; null where nothing can. */
function readRow(content: unknown): { readonly row: Row | null; readonly tabs: number } {
  const whole = rowSchema.safeParse(content);
  if (whole.success) return { row: whole.data, tabs: 0 };
  const loose = looseRowSchema.safeParse(content);
  if (!loose.success) return { row: null, tabs: 0 };
  const { library, session } = loose.data;
  const tabs = session.tabs.flatMap((tab) => sessionTabSchema.safeParse(tab).data ?? []);
  const known = new Set(tabs.map(({ id }) => id));
  const groups = session.groups.flatMap((group) => {
    const left = group.tabs.filter((id) => known.has(id));
    const [first] = left;
    return first === undefined
      ? []
      : [{ ...group, tabs: left, active: known.has(group.active) ? group.active : first }];
  });
  const activeGroup = Math.max(0, Math.min(session.activeGroup, groups.length - 1));
  const row = rowSchema.safeParse({ library, session: { tabs, groups, activeGroup } }).data ?? null;
  return { row, tabs: row === null ? 0 : session.tabs.length - tabs.length };
}

/** Captures are known by ids that mean something in one library: each library has a session of its own. */
export async function openWindowSessions(folder: string, library: string): Promise<WindowSessions> {
  const file = await openConfigFile<readonly Row[]>({
    folder,
    name: 'sessions.json',
    initial: [],
    read: ({ sessions }) => {
      if (!Array.isArray(sessions)) return { value: [], problems: ['it holds no sessions'] };
      const rows = sessions.map((row: unknown) => readRow(row));
      const usable = rows.flatMap(({ row }) => (row === null ? [] : [row]));
      const lost = rows.length - usable.length;
      const lostTabs = rows.reduce((sum, { tabs }) => sum + tabs, 0);
      return {
        value: usable,
        problems: [
          ...(lost === 0 ? [] : [`${lost} of its sessions can't be read`]),
          ...(lostTabs === 0 ? [] : [`${lostTabs} of its tabs can't be read`]),
        ],
      };
    },
    write: (sessions) => ({ sessions }),
  });
  const kept = (): Session | null => file.get().find((row) => row.library === library)?.session ?? null;
  const windows = new Map<string, Session>();
  let waiting = kept();

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
      await file.edit((rows) =>
        [{ library, session }, ...rows.filter((row) => row.library !== library)].slice(0, MAX_LIBRARIES),
      );
    },
    isFirstRun: () => kept() === null,
    notices: file.notices,
    close: file.close,
  };
}
