import { hasTwoColumns } from '#core/compare/measure/split-two-columns.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { FleetReplicate } from '#core/contract/fleet/methods.ts';
import type { LiveWindow } from '#core/contract/live.ts';
import type { FileOrigin, Session, SessionTab } from '#core/contract/session.ts';
import type { Side } from '#core/contract/side.ts';
import type { CompareSeed } from '../compare/seed.ts';
import type { CompareInput, CompareTab } from '../compare/compare.types.ts';
import { asAnalysedTab, type AnalysedTab, type OpenTab } from '../tabs/open-tab.ts';
import type { LoadPlace } from '../load/tab.ts';
import type { TabSource } from '../tab-source.ts';
import type { ProfileTab } from '../profile/tab.ts';
import { activateTab, addTab, type TabLayout } from '../tabs/layout.ts';
import { createTabPlans, originOf, type TabDependencies } from './plans.ts';
import { createOpenTabs, type OpenTabs } from './open-tabs.ts';
import { createPaneActions, type PaneActions } from './pane-actions.ts';
import type { TabPlan, WorkbenchState } from '../workbench-state.ts';
import { pageFileSource } from './sources.ts';
import { loadPart } from '../../ui/load-part.ts';

/** A capture of the library and the title of its tab. */
export interface NamedCapture {
  readonly id: string;
  readonly fileName: string;
}

export interface TabActions extends PaneActions, Pick<OpenTabs, 'activate' | 'close' | 'closeOthers' | 'reopen'> {
  /** Opens chosen or dropped files, each in a tab. */
  readonly openFiles: (files: readonly File[]) => void;
  /** Opens files given on the command line or by the system; a file that is already open is activated. */
  readonly openHandles: (handles: readonly PendingFile[], views?: SessionTab['views']) => void;
  /**
   * Opens captures of the library. The last one is activated and read; the others are read when activated. With
   * `again`, also those that are open already.
   */
  readonly openCaptures: (captures: readonly NamedCapture[], views?: SessionTab['views'], again?: boolean) => void;
  /**
   * Opens a tab once more, in its current state, for the function with this name; null for a live session, which one
   * tab follows.
   */
  readonly openCopy: (tabId: string, about: string) => AnalysedTab | null;
  /** Opens a live session in a tab that follows it. `window`: the time that it shows first. */
  readonly openLive: (liveId: string, title: string, window?: LiveWindow) => Promise<void>;
  /**
   * Opens load tests, or an experiment. Activates a tab that shows the same, unless it is in front or there are files.
   */
  readonly openLoad: (place: LoadPlace, files?: readonly File[]) => void;
  /** Opens a comparison in a tab. */
  readonly compare: (seed: Pick<CompareSeed, Side> & Partial<CompareSeed>) => void;
  /** Returns a comparison that no tab shows; the caller loads and disposes it. */
  readonly compareAside: (seed: Pick<CompareSeed, Side> & Partial<CompareSeed>) => CompareTab;
  /** Returns the input of a comparison for a capture of the library, a file, or a tab. */
  readonly captureInput: (captureId: string, fileName: string, requests?: number | null) => CompareInput;
  readonly fileInput: (file: File) => CompareInput;
  readonly handleInput: (file: PendingFile) => CompareInput;
  readonly tabInput: (tab: ProfileTab) => CompareInput;
  readonly fleetInput: (replicate: FleetReplicate) => CompareInput;
  /** Opens captures of a fleet, merged, in a tab. */
  readonly openFleet: (merged: Omit<FleetReplicate, 'requests'>) => void;
  /**
   * Restores the tabs of an earlier session in their panes. Active tabs are read immediately, the others when
   * activated.
   */
  readonly restore: (session: Session) => Promise<void>;
  /** Returns the open tabs in the form that `restore` accepts. */
  readonly save: () => Session;
}

const seedOf = (seed: Parameters<TabActions['compare']>[0]): CompareSeed => ({
  name: null,
  experimentId: null,
  document: null,
  ...seed,
});

export function createTabActions({ engine, store, preferences, clients }: TabDependencies): TabActions {
  const planning = createTabPlans({ engine, store, preferences, clients });
  const open = createOpenTabs(store, planning);
  const { make, add, arrange, planOf, activate } = open;

  function makeProfile(source: TabSource, origin: FileOrigin, views: SessionTab['views'] = null): OpenTab {
    const tab = make({ kind: 'profile', source, origin, format: null, views });
    if (tab.kind === 'profile') compareColumnsOf(tab);
    return tab;
  }

  /** Opens a comparison once the file is read and has two counts per line, which are *before* and *after*. */
  function compareColumnsOf(tab: ProfileTab): void {
    const stop = tab.store.subscribe(() => {
      const { profile, phase } = tab.store.get();
      if (profile === null || phase !== 'ready') return;
      stop();
      const [before, after] = profile.valueTypes;
      if (before === undefined || after === undefined || !hasTwoColumns(profile.metadata.format, profile.valueTypes)) {
        return;
      }
      const { fileName } = tab.source;
      const input = tabInput(tab);
      compare({ name: fileName, before: [input], after: [input], valueTypes: { before, after } });
    });
  }

  const compare: TabActions['compare'] = (seed) => add(make({ kind: 'compare', seed: seedOf(seed) }));

  const compareAside: TabActions['compareAside'] = (seed) => planning.makeComparison('aside', seedOf(seed));

  const tabInput: TabActions['tabInput'] = (tab) => {
    const origin = originOf(tab, planOf(tab.id));
    const { format } = tab.store.get();
    if (origin.kind === 'capture') return { ...planning.captureInput(origin.id, tab.source.fileName), format };
    return { source: tab.source, origin, requests: null, format };
  };

  async function planLive(id: string, title: string, window?: LiveWindow): Promise<TabPlan> {
    const { createLiveSource } = await loadPart(() => import('../live/control.ts'));
    const { source, control } = createLiveSource(engine, id, title, window);
    return { kind: 'profile', source, live: control, origin: { kind: 'live', id }, format: null, views: null };
  }

  const openFile = (file: File): void => add(makeProfile(pageFileSource(file), { kind: 'dropped' }));

  const fileInput = (file: File): CompareInput => ({
    source: pageFileSource(file),
    origin: { kind: 'dropped' },
    requests: null,
  });

  const openPage = async (file: File): Promise<void> => {
    const part = await loadPart(() => import('./open-page.ts'));
    return part.openPage(file, { compare, fileInput, openFile, lastTab: () => store.get().tabs.at(-1) });
  };

  return {
    activate,
    close: open.close,
    closeOthers: open.closeOthers,
    reopen: open.reopen,
    ...createPaneActions({ store, arrange, activate }),
    openFiles: (files) => {
      for (const file of files) {
        if (/\.html?$/i.test(file.name)) void openPage(file);
        else openFile(file);
      }
    },
    openHandles: (handles, views = null) => {
      for (const file of handles) {
        const known =
          views !== null ? undefined : open.find((origin) => origin.kind === 'recent' && origin.id === file.recentId);
        if (known !== undefined) activate(known.id);
        else {
          const source = planning.recentSource(file.recentId, file.fileName, file);
          add(makeProfile(source, { kind: 'recent', id: file.recentId }, views));
        }
      }
    },
    openCaptures: (captures, views = null, again = false) => {
      const made: OpenTab[] = [];
      let { layout } = store.get();
      for (const { id, fileName } of captures) {
        const isIt = (origin: FileOrigin): boolean => origin.kind === 'capture' && origin.id === id;
        const known = again || views !== null ? undefined : open.find(isIt);
        if (known !== undefined) {
          layout = activateTab(layout, known.id);
          continue;
        }
        const { source, origin } = planning.captureInput(id, fileName);
        const tab = makeProfile(source, origin, views);
        made.push(tab);
        layout = addTab(layout, tab.id);
      }
      arrange(layout, [...store.get().tabs, ...made]);
    },
    openCopy: (tabId, about) => {
      const tab = asAnalysedTab(store.get().tabs.find(({ id }) => id === tabId));
      const plan = tab === null ? undefined : planOf(tabId);
      if (tab === null || plan === undefined || (tab.kind === 'profile' && tab.live !== null)) return null;
      const copy = make({ ...planning.planOfAnalysed(tab, plan), about });
      add(copy);
      return asAnalysedTab(copy);
    },
    openLive: async (id, title, window) => add(make(await planLive(id, title, window))),
    openLoad: (place, files = []) => {
      const { tabs, activeTab } = store.get();
      const open = tabs.findLast((tab) => tab.kind === 'load' && isSamePlace(tab.store.get().place, place));
      if (open === undefined || files.length > 0 || (place.page === 'tests' && open.id === activeTab)) {
        add(make({ kind: 'load', place, files }));
      } else activate(open.id);
    },
    compare,
    compareAside,
    captureInput: planning.captureInput,
    fileInput,
    handleInput: (file) => ({
      source: planning.recentSource(file.recentId, file.fileName, file),
      origin: { kind: 'recent', id: file.recentId },
      requests: null,
    }),
    tabInput,
    fleetInput: planning.fleetInput,
    openFleet: (merged) => {
      const { source, origin } = planning.fleetInput({ ...merged, requests: null });
      add(makeProfile(source, origin));
    },
    restore: async (session) => {
      const made = new Map<string, OpenTab>();
      for (const kept of session.tabs) {
        const { source, fileName } = kept;
        const plan = source.kind === 'live' ? await planLive(source.id, fileName) : await planning.fromSession(kept);
        if (plan === null) continue;
        const tab = make(plan);
        asAnalysedTab(tab)?.notes.restore(kept.notes ?? []);
        made.set(kept.id, tab);
      }
      // Tabs opened while the session was loading stay active.
      const { tabs } = store.get();
      const layout = tabs.reduce((arranged, { id }) => addTab(arranged, id), restoredLayout(session, made));
      arrange(layout, [...tabs, ...made.values()]);
    },
    save: () => savedSession(store.get(), (tab) => planning.toSession(tab, planOf(tab.id)!)),
  };
}

const isSamePlace = (a: LoadPlace, b: LoadPlace): boolean =>
  a.page === 'experiment' ? b.page === 'experiment' && a.shown === b.shown : b.page === 'tests';

function restoredLayout(session: Session, made: ReadonlyMap<string, OpenTab>): TabLayout {
  const groups = session.groups.flatMap((group, index) => {
    const tabs = group.tabs.flatMap((id) => made.get(id)?.id ?? []);
    const active = made.get(group.active)?.id ?? tabs[0];
    return active === undefined ? [] : [{ id: `pane-${index + 1}`, tabs, active, share: group.share }];
  });
  const whole = groups.reduce((sum, { share }) => sum + share, 0);
  const wanted = `pane-${session.activeGroup + 1}`;
  return {
    groups: groups.map((group) => ({ ...group, share: group.share / whole })),
    activeGroup: (groups.find(({ id }) => id === wanted) ?? groups[0])?.id ?? null,
  };
}

function savedSession({ tabs, layout }: WorkbenchState, toSession: (tab: OpenTab) => SessionTab | null): Session {
  return {
    tabs: tabs.flatMap((tab) => toSession(tab) ?? []),
    groups: layout.groups.map(({ tabs: ids, active, share }) => ({ tabs: [...ids], active, share })),
    activeGroup: Math.max(
      0,
      layout.groups.findIndex(({ id }) => id === layout.activeGroup),
    ),
  };
}
