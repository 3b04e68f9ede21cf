import * as z from 'zod';
import { NO_SESSION, sessionSchema, sessionTabSchema, type Session } from '#core/contract/session.ts';
import { newToken } from '../http/session-tokens.ts';
import { openConfigFile } from './config-file.ts';

interface TakenSession {
  /** Identifies the window from now on, also after a reload. */
  readonly windowId: string;
  /** What to open; null for nothing. */
  readonly session: Session | null;
  /** True if the same window was reloaded. */
  readonly again: boolean;
}

/** The open tabs of each window on a library, and those of the last window of the previous run. */
export interface WindowSessions {
  /** Returns the session for a window. The first window gets that of the previous run; others start empty. */
  readonly take: (windowId: string | null) => TakenSession;
  readonly save: (windowId: string, session: Session) => Promise<void>;
  readonly notices: readonly string[];
  readonly close: () => Promise<void>;
}

/** Maximum number of windows; older ones were closed long ago. */
const MAX_WINDOWS = 64;

/** Maximum number of libraries, most recent first. */
const MAX_LIBRARIES = 20;

const rowSchema = z.object({ library: z.string().min(1).max(4096), session: sessionSchema });
type SessionRow = z.infer<typeof rowSchema>;

const looseRowSchema = rowSchema.extend({ session: sessionSchema.extend({ tabs: z.array(z.unknown()).max(200) }) });

/** Reads a row of the file without its unreadable tabs, and counts those; `row` is null if nothing is readable. */
function readRow(content: unknown): { readonly row: SessionRow | null; readonly tabs: number } {
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

/** Opens the sessions. Each library has its own, because capture IDs are only valid within one library. */
export async function openWindowSessions(folder: string, library: string): Promise<WindowSessions> {
  const file = await openConfigFile<readonly SessionRow[]>({
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
      // The window may reload before it has saved anything.
      remember(given, session ?? NO_SESSION);
      return { windowId: given, session, again: false };
    },
    save: async (windowId, session) => {
      remember(windowId, session);
      await file.edit((rows) =>
        [{ library, session }, ...rows.filter((row) => row.library !== library)].slice(0, MAX_LIBRARIES),
      );
    },
    notices: file.notices,
    close: file.close,
  };
}
