import type { FileOrigin, Session } from '#core/contract/session.ts';
import type { EngineClient } from './engine-client.ts';
import type { PreferencesStore } from './preferences.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { Store } from './store.ts';
import type { TabActions } from './tab-actions.ts';
import type { WorkbenchState } from './workbench-state.ts';
import type { Reporting } from './workbench-state.ts';

export interface TabSession {
  /** Opens what this window, or the run before, had open, once the library is `listed`; then keeps what is open from now on. */
  readonly start: (listed: Promise<unknown>) => Promise<void>;
}

interface TabSessionDependencies {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: PreferencesStore;
  readonly tabs: TabActions;
  readonly notify: Reporting['notify'];
  /** Per browser tab: names this window when it is loaded anew. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

const STORAGE_KEY = 'flamebench-window';
/** Changes come in bursts. */
const SAVE_DELAY_MS = 400;
/** Of the session's text; the engine takes 2 MiB, and a character may have 3 bytes. */
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
    if (!preferences.get().restoreSession) return;
    const session = withinLimit(tabs.save());
    const text = JSON.stringify(session);
    if (text === saved) return;
    saved = text;
    // What can't be kept is tried again with the next change; an engine that is lost has its own banner.
    await engine.call('session.save', { windowId, session }).catch(() => {
      saved = '';
    });
  }

  function saveSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), SAVE_DELAY_MS);
  }

  /** Tabs report changes of their own: a format chosen, a view changed. */
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
        if (tab.kind === 'compare') continue;
        sayMissing(tab);
        for (const view of tab.store.get().views) followOnce(view.store, saveSoon);
      }
    };
    store.subscribe(follow);
    follow();
  }

  /** What of the kept views does not fit the file any more is said once. */
  function sayMissing({ store: tab, source }: ProfileTab): void {
    const { notRestored } = tab.get();
    if (notRestored.length === 0 || said.has(notRestored)) return;
    said.add(notRestored);
    notify({ kind: 'info', text: `${source.fileName}: ${notRestored.join(' ')}`, remedy: null, action: null });
  }

  function restore(session: Session): void {
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
      if (source.kind !== 'compare') return isThere({ source, fileName }) ? [tab] : [];
      const { before, after } = source;
      return [{ ...tab, source: { ...source, before: before.filter(isThere), after: after.filter(isThere) } }];
    });
    tabs.restore({ ...session, tabs: left });
    if (gone.length > 0) notify({ kind: 'info', ...goneText(gone), action: null });
  }

  return {
    start: async (listed) => {
      const [taken] = await Promise.all([
        engine.call('session.take', { windowId: storage.getItem(STORAGE_KEY) }),
        listed,
      ]);
      windowId = taken.windowId;
      storage.setItem(STORAGE_KEY, windowId);
      if (taken.session !== null && preferences.get().restoreSession) restore(taken.session);
      followTabs();
    },
  };
}

/** Views can hold long lists of names; beyond what a request takes, tabs are kept without them. */
function withinLimit(session: Session): Session {
  if (JSON.stringify(session).length <= MAX_LENGTH) return session;
  return { ...session, tabs: session.tabs.map((tab) => ({ ...tab, views: null })) };
}

interface GoneFile {
  readonly source: FileOrigin;
  readonly fileName: string;
}

function goneText(gone: readonly GoneFile[]): { text: string; remedy: string } {
  const names = gone.slice(0, 3).map(({ fileName }) => fileName);
  const more = gone.length > 3 ? ` and ${gone.length - 3} more` : '';
  const dropped = gone.some(({ source }) => source.kind === 'dropped');
  return {
    text: `Closed: ${names.join(', ')}${more}.`,
    remedy: dropped
      ? 'Browsers do not reveal the path of a dropped file: drop it again and keep it in the library.'
      : 'They are no longer in the library; trashed captures are in .trash inside it.',
  };
}
