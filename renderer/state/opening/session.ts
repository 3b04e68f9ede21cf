import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FileOrigin, Session, SessionTab } from '#core/contract/session.ts';
import { countOf } from '../../ui/format.ts';
import type { PreferencesStore } from '../preferences.ts';
import type { ProfileTab } from '../profile/tab.ts';
import type { Store } from '../store.ts';
import type { TabActions } from './actions.ts';
import type { Reporting, EngineAndStore } from '../workbench-state.ts';

interface TabSession {
  /** Opens the tabs of this window or of the previous run once the library is `listed`. */
  readonly restore: (listed: Promise<unknown>) => Promise<void>;
  /** Stores the open tabs and changes to them; the engine then forgets what the command line asked it to open. */
  readonly follow: () => void;
  /** Stores pending changes, since the page is being closed. */
  readonly leave: () => void;
  /** Returns whether closing the page loses notes, since they are not stored and their tabs can't be restored. */
  readonly losesNotes: () => boolean;
}

interface TabSessionDependencies extends EngineAndStore, Pick<Reporting, 'notify'> {
  readonly preferences: PreferencesStore;
  readonly tabs: TabActions;
  /** Storage per browser tab; it identifies this window after a reload. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

const STORAGE_KEY = 'flamebench-window';
/** Changes come in bursts; they are saved this long after the first of them, in ms. */
const SAVE_DELAY_MS = 400;
/** Maximum length of the session's JSON text. The engine accepts 2 MiB, and a character takes up to 3 bytes. */
const MAX_LENGTH = 600_000;

export function createTabSession({
  engine,
  store,
  preferences,
  tabs,
  notify,
  storage,
}: TabSessionDependencies): TabSession {
  let windowId = '';
  let saved = '';
  const said = new WeakSet<readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!preferences.get().restoreSession) return;
    const session = withinLimit(tabs.save());
    const text = JSON.stringify(session);
    if (text === saved) return;
    saved = text;
    // A failed save is retried with the next change; a lost engine has its own banner.
    await engine.call('session.save', { windowId, session }).catch(() => {
      saved = '';
    });
  }

  function saveSoon(): void {
    timer ??= setTimeout(() => void save(), SAVE_DELAY_MS);
  }

  /** Follows the tabs' own changes, such as another format or view. */
  function followTabs(): void {
    const followed = new WeakSet<object>();
    const followOnce = (one: Pick<Store<object>, 'subscribe'>, listener: () => void): void => {
      if (followed.has(one)) return;
      followed.add(one);
      one.subscribe(listener);
    };
    const follow = (): void => {
      saveSoon();
      for (const tab of store.get().tabs) {
        followOnce(tab.store, follow);
        if (tab.kind === 'load') continue;
        followOnce(tab.notes.store, saveSoon);
        if (tab.kind === 'compare') continue;
        sayMissing(tab);
        for (const view of tab.store.get().views) followOnce(view.store, saveSoon);
      }
    };
    store.subscribe(follow);
    follow();
  }

  /** Reports once what of the stored views no longer fits the file. */
  function sayMissing({ store: tab, source }: ProfileTab): void {
    const { notRestored } = tab.get();
    if (notRestored.length === 0 || said.has(notRestored)) return;
    said.add(notRestored);
    const text = `${source.fileName}: ${notRestored.join(' ')}`;
    notify({ kind: 'info', text, remedy: null, action: null, stays: true });
  }

  async function reopen(session: Session): Promise<void> {
    const { captures } = store.get();
    const gone: GoneFile[] = [];
    const isThere = ({ source, fileName }: GoneFile): boolean => {
      const isGone =
        source.kind === 'dropped' ||
        (source.kind === 'capture' && captures?.every(({ id }) => id !== source.id) === true);
      if (isGone) gone.push({ source, fileName });
      return !isGone;
    };
    const left = session.tabs.flatMap((tab): Session['tabs'] => {
      const { source, fileName } = tab;
      if (source.kind === 'load-tests' || source.kind === 'load-experiment') return [tab];
      if (source.kind !== 'compare') return isThere({ source, fileName }) ? [tab] : [];
      const { before, after } = source;
      return [{ ...tab, source: { ...source, before: before.filter(isThere), after: after.filter(isThere) } }];
    });
    await tabs.restore({ ...session, tabs: left });
    if (gone.length > 0) notify({ kind: 'info', ...goneText(gone), action: null, stays: true });
  }

  return {
    restore: async (listed) => {
      const [taken] = await Promise.all([
        engine.call('session.take', { windowId: storage.getItem(STORAGE_KEY) }),
        listed,
      ]);
      windowId = taken.windowId;
      storage.setItem(STORAGE_KEY, windowId);
      if (taken.waiting > 0 && preferences.get().restoreSession)
        notify({ kind: 'info', ...waitingText(taken.waiting), action: null });
      if (taken.session !== null && preferences.get().restoreSession) await reopen(taken.session);
    },
    follow: followTabs,
    leave: () => {
      if (timer !== undefined) void save();
      if (windowId !== '') engine.call('session.leave', { windowId }).catch(() => null);
    },
    losesNotes: () =>
      tabs.save().tabs.some((tab) => tab.notes !== undefined && !(preferences.get().restoreSession && hasSource(tab))),
  };
}

/**
 * Drops the views of tabs if the session is too long for one request, then their notes; views can contain long lists of
 * names.
 */
function withinLimit(session: Session): Session {
  if (JSON.stringify(session).length <= MAX_LENGTH) return session;
  const short = { ...session, tabs: session.tabs.map((tab) => ({ ...tab, views: null })) };
  if (JSON.stringify(short).length <= MAX_LENGTH) return short;
  return { ...short, tabs: short.tabs.map(({ notes: _notes, ...tab }) => tab) };
}

/** Returns whether a tab can be opened again: browsers don't reveal the path of a dropped file. */
function hasSource({ source }: SessionTab): boolean {
  if (source.kind !== 'compare') return source.kind !== 'dropped';
  return [...source.before, ...source.after].some((one) => one.source.kind !== 'dropped');
}

const waitingText = (windows: number): { text: string; remedy: string } => ({
  text: `${countOf(windows, 'more window')} had tabs.`,
  remedy: '“Open another window” in the palette opens one of them again.',
});

interface GoneFile {
  readonly source: FileOrigin;
  readonly fileName: string;
}

function goneText(gone: readonly GoneFile[]): { text: string; remedy: string } {
  const names = gone.slice(0, 3).map(({ fileName }) => shortenMiddle(visibleText(fileName), 60));
  const more = gone.length > 3 ? ` and ${gone.length - 3} more` : '';
  const dropped = gone.some(({ source }) => source.kind === 'dropped');
  return {
    text: `Closed: ${names.join(', ')}${more}.`,
    remedy: dropped
      ? 'Browsers do not reveal the path of a dropped file: drop it again and keep it in the library.'
      : 'They are no longer in the library; trashed captures are in .trash inside it.',
  };
}
