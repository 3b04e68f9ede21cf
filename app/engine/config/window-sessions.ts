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
  /** Number of windows of the previous run whose tabs no window has opened yet. */
  readonly waiting: number;
}

/** The open tabs of each window on a library, and those of the windows of the previous run. */
export interface WindowSessions {
  /** True if no window has stored a session of this library before. */
  readonly isFirst: boolean;
  /**
   * Returns the session for a window. New windows get those of the previous run, or of windows that have all been
   * closed, the one that changed last first, and then start empty.
   */
  readonly take: (windowId: string | null) => TakenSession;
  readonly save: (windowId: string, session: Session) => Promise<void>;
  /**
   * Says that a window was closed, or is being reloaded. If it does not come back while other windows stay open, its
   * session is dropped; those of windows that close together are restored together.
   */
  readonly leave: (windowId: string) => void;
  readonly notices: readonly string[];
  readonly close: () => Promise<void>;
}

/** Maximum number of windows; older ones were closed long ago. */
const MAX_WINDOWS = 64;

/** Time in ms after which a window that left has been closed by itself, not with the others. */
const CLOSED_MS = 10_000;

/** Maximum number of windows that are restored. */
const MAX_RESTORED = 8;

/** Maximum number of libraries, most recent first. */
const MAX_LIBRARIES = 20;

const rowSchema = z.object({
  library: z.string().min(1).max(4096),
  /** Of the window that changed last. */
  session: sessionSchema,
  /** Of the other windows, without those that have no tabs. */
  others: z.array(sessionSchema).max(MAX_RESTORED).default([]),
});
type SessionRow = z.infer<typeof rowSchema>;

const looseSessionSchema = sessionSchema.extend({ tabs: z.array(z.unknown()).max(200) });
const looseRowSchema = rowSchema.extend({
  session: looseSessionSchema,
  others: z.array(looseSessionSchema).max(MAX_RESTORED).default([]),
});

/** Reads a row of the file without its unreadable tabs, and counts those; `row` is null if nothing is readable. */
function readRow(content: unknown): { readonly row: SessionRow | null; readonly tabs: number } {
  const whole = rowSchema.safeParse(content);
  if (whole.success) return { row: whole.data, tabs: 0 };
  const loose = looseRowSchema.safeParse(content);
  if (!loose.success) return { row: null, tabs: 0 };
  const { library } = loose.data;
  const read = [loose.data.session, ...loose.data.others].map(readableTabs);
  const [session, ...others] = read.map((one) => one.session);
  const row = rowSchema.safeParse({ library, session, others }).data ?? null;
  return { row, tabs: row === null ? 0 : read.reduce((sum, { lost }) => sum + lost, 0) };
}

function readableTabs(session: z.infer<typeof looseSessionSchema>): {
  readonly session: Session;
  readonly lost: number;
} {
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
  return { session: { tabs, groups, activeGroup }, lost: session.tabs.length - tabs.length };
}

/** Opens the sessions. Each library has its own, because capture IDs are only valid within one library. */
export async function openWindowSessions(
  folder: string,
  library: string,
  closedMs = CLOSED_MS,
): Promise<WindowSessions> {
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
  /** The one that changed last is the last. */
  const windows = new Map<string, Session>();
  const row = file.get().find((one) => one.library === library);
  const waiting = row === undefined ? [] : [row.session, ...row.others];
  const left = new Map<string, NodeJS.Timeout>();

  function remember(windowId: string, session: Session): void {
    windows.delete(windowId);
    windows.set(windowId, session);
    const [oldest] = windows.keys();
    if (windows.size > MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
  }

  function stay(windowId: string): void {
    clearTimeout(left.get(windowId));
    left.delete(windowId);
  }

  const haveAllLeft = (): boolean => windows.size > 0 && [...windows.keys()].every((id) => left.has(id));

  /** The windows that closed together are those of a previous run. */
  function waitAgain(): void {
    waiting.unshift(...[...windows.values()].reverse().filter(({ tabs }) => tabs.length > 0));
    for (const windowId of windows.keys()) stay(windowId);
    windows.clear();
  }

  async function write(): Promise<void> {
    const [session = NO_SESSION, ...more] = [...[...windows.values()].reverse(), ...waiting];
    const others = more.filter(({ tabs }) => tabs.length > 0).slice(0, MAX_RESTORED);
    await file.edit((rows) =>
      [{ library, session, others }, ...rows.filter((one) => one.library !== library)].slice(0, MAX_LIBRARIES),
    );
  }

  return {
    isFirst: row === undefined,
    take: (windowId) => {
      if (windowId !== null) stay(windowId);
      const own = windowId === null ? undefined : windows.get(windowId);
      if (windowId !== null && own !== undefined)
        return { windowId, session: own, again: true, waiting: waiting.length };
      if (haveAllLeft()) waitAgain();
      const session = waiting.shift() ?? null;
      const given = newToken();
      // The window may reload before it has saved anything.
      remember(given, session ?? NO_SESSION);
      return { windowId: given, session, again: false, waiting: waiting.length };
    },
    save: async (windowId, session) => {
      stay(windowId);
      remember(windowId, session);
      await write();
    },
    leave: (windowId) => {
      if (!windows.has(windowId)) return;
      stay(windowId);
      const timer = setTimeout(() => {
        if (haveAllLeft()) return;
        windows.delete(windowId);
        left.delete(windowId);
        // What can't be written now is written with the next change.
        void write().catch(() => undefined);
      }, closedMs);
      left.set(windowId, timer.unref());
    },
    notices: file.notices,
    close: async () => {
      for (const timer of left.values()) clearTimeout(timer);
      await file.close();
    },
  };
}
