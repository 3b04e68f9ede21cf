import type { Result } from '#core/contract/contract.ts';
import { searchedText } from '#core/contract/match-capture.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import type { SessionTab } from '#core/contract/session.ts';
import { shownName } from './capture-name.ts';
import { renamedRun, type CaptureGroup } from './group-captures.ts';
import { retagged, sharedTags } from './library-selection.ts';
import { asProfileTab } from './tabs/open-tab.ts';
import { toProblem } from './problem.ts';
import type { NamedCapture, TabActions } from './opening/actions.ts';
import type { EngineAndStore, Reporting } from './workbench-state.ts';

export interface LibraryActions {
  readonly refresh: () => Promise<void>;
  /** Filters what the library panel lists; the captures of the state stay complete. */
  readonly search: (query: string) => void;
  /** See {@link TabActions.openCaptures}. */
  readonly open: (ids: readonly string[], views?: SessionTab['views']) => Promise<void>;
  /** Opens a capture in another tab, even if it is open already. */
  readonly openNew: (id: string) => Promise<void>;
  readonly rename: (id: string, name: string) => Promise<void>;
  /** Names all runs of a series; what recording added to their names (host, side, number) stays. */
  readonly renameGroup: (group: CaptureGroup, name: string) => Promise<void>;
  readonly tag: (id: string, tags: readonly string[]) => Promise<void>;
  /** Changes the tags that all of the captures share to `next`; other tags stay. */
  readonly tagAll: (captures: readonly CaptureDocument[], next: readonly string[]) => Promise<void>;
  /** Renames a tag, on all captures that have it. */
  readonly renameTag: (tag: string, name: string) => Promise<void>;
  /** Moves captures to the trash and offers to undo; `onRestored` is called once that is done. */
  readonly trash: (captures: readonly CaptureDocument[], onRestored?: () => void) => Promise<void>;
  /** Moves an unreadable folder to the trash. */
  readonly trashBroken: (folder: DamagedCapture) => Promise<void>;
}

interface LibraryDependencies extends EngineAndStore, Reporting {
  readonly tabs: TabActions;
}

/** Maximum length of a capture's name in UTF-16 units. */
const MAX_NAME = 300;

/** Remedy for damaged folders: the window does not offer to restore them, since they would still be unreadable. */
export const IN_TRASH = 'Its files are in .trash inside the library.';

export function createLibraryActions({ engine, store, tabs, notify, report }: LibraryDependencies): LibraryActions {
  let listing = 0;
  let newest = Promise.resolve();

  /** Resolves once the newest listing is shown, which replaces earlier ones that are under way. */
  async function refresh(): Promise<void> {
    listing += 1;
    newest = list(listing);
    let awaited = newest;
    await awaited;
    while (awaited !== newest) await (awaited = newest);
  }

  async function list(own: number): Promise<void> {
    try {
      const { captures, damaged, ...first } = await engine.call('library.list', { query: '' });
      // What the start has read is shown; a later list replaces the one before as a whole.
      const isStart = store.get().captures === null;
      const isNewest = (): boolean => own === listing;
      let { next } = first;
      let shown = 0;
      while (next !== undefined && isNewest()) {
        if (isStart && captures.length >= 2 * shown) {
          store.set({ captures: [...captures], isLibraryRead: false });
          shown = captures.length;
        }
        const page: Result<'library.list'> = await engine.call('library.list', { query: '', after: next });
        captures.push(...page.captures);
        page.captures.forEach(searchedText);
        ({ next } = page);
      }
      if (own === listing) store.set({ captures, damaged, libraryProblem: null, isLibraryRead: true });
    } catch (error) {
      if (own === listing) store.set({ libraryProblem: toProblem(error) });
    }
  }

  /** Shows the user's own change without waiting for the engine's event. */
  function put(changed: CaptureDocument): void {
    const captures = store.get().captures ?? [];
    store.set({ captures: captures.map((capture) => (capture.id === changed.id ? changed : capture)) });
  }

  async function tagOne(id: string, tags: readonly string[]): Promise<void> {
    put(await engine.call('library.tag', { id, tags: [...tags] }));
  }

  const attempt = (action: () => Promise<void>): Promise<void> => action().catch(report);

  /** Returns an empty list after a failure, which is reported. */
  async function nameOf(id: string): Promise<NamedCapture[]> {
    try {
      const known = store.get().captures?.find((capture) => capture.id === id);
      const { primaryFile } = known ?? (await engine.call('library.get', { id }));
      return [{ id, fileName: primaryFile }];
    } catch (error) {
      report(error);
      return [];
    }
  }

  const restore = (captures: readonly CaptureDocument[]): Promise<void> =>
    attempt(async () => {
      for (const { id } of captures) await engine.call('library.restore', { id });
      await refresh();
    });

  return {
    refresh,
    search: (libraryQuery) => store.set({ libraryQuery }),
    open: async (ids, views = null) => {
      const named = await Promise.all([...new Set(ids)].map(nameOf));
      tabs.openCaptures(named.flat(), views);
    },
    openNew: async (id) => tabs.openCaptures(await nameOf(id), null, true),
    rename: (id, name) =>
      attempt(async () => {
        put(await engine.call('library.rename', { id, name }));
      }),
    renameGroup: ({ captures }, name) =>
      attempt(async () => {
        for (const capture of captures) {
          put(
            await engine.call('library.rename', { id: capture.id, name: renamedRun(capture, name).slice(0, MAX_NAME) }),
          );
        }
      }),
    tag: (id, chosen) => attempt(() => tagOne(id, chosen)),
    tagAll: (captures, next) =>
      attempt(async () => {
        const shared = sharedTags(captures);
        for (const { id, tags } of captures) await tagOne(id, retagged(tags, shared, next));
      }),
    renameTag: (tag, name) =>
      attempt(async () => {
        for (const { id, tags, origin } of store.get().captures ?? []) {
          if (origin !== 'sample' && tags.includes(tag)) await tagOne(id, retagged(tags, [tag], [name]));
        }
      }),
    trash: (captures, onRestored) =>
      attempt(async () => {
        const [first, ...others] = captures;
        const what =
          first !== undefined && others.length === 0
            ? shownName(first, store.get().captures ?? captures)
            : `${captures.length} captures`;
        for (const { id } of captures) {
          await engine.call('library.trash', { id });
          for (const tab of store.get().tabs) if (asProfileTab(tab)?.store.get().captureId === id) tabs.close(tab.id);
        }
        await refresh();
        notify({
          kind: 'info',
          text: `${what} moved to the trash.`,
          remedy: null,
          action: { label: 'Undo', run: () => void restore(captures).then(onRestored) },
        });
      }),
    trashBroken: ({ id }) =>
      attempt(async () => {
        await engine.call('library.trash', { id });
        await refresh();
        notify({ kind: 'info', text: `${id} moved to the trash.`, remedy: IN_TRASH, action: null });
      }),
  };
}
