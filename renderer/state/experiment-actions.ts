import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { ExperimentChange, ExperimentState, ImportedExperiment } from '#core/contract/experiment.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { compareTitle } from './compare/title.ts';
import type { CompareInput, CompareTab } from './compare/compare.types.ts';
import { INITIAL_COMPARE_LOOK } from './compare/compare.types.ts';
import { serialiseComparison } from './compare/document.ts';
import type { ComparisonDocument } from './compare/document-schema.ts';
import { changeBetween, draftOf } from './compare/experiment-changes.ts';
import type { CompareSeed } from './compare/seed.ts';
import { linkExperiment } from './compare/experiment-link.ts';
import type { ExperimentLink } from './compare/experiment-link.ts';
import type { SideName } from '../analysis/comparison/protocol.ts';
import type { EngineClient } from './engine-client.ts';
import { IN_TRASH } from './library-actions.ts';
import { primaryFile } from './opening/sources.ts';
import type { Store } from './store.ts';
import type { TabActions } from './opening/actions.ts';
import type { TransferActions } from './transfer-actions.ts';
import type { WorkbenchState } from './workbench-state.ts';
import type { Reporting } from './workbench-state.ts';

export interface ExperimentActions {
  readonly refresh: () => Promise<void>;
  /** Opens an experiment, or activates its tab if it is open. */
  /** With `seen`, a comparison that was kept elsewhere, with its look, search and zoom. */
  readonly open: (id: string, seen?: ComparisonDocument | null) => Promise<void>;
  /** Returns an experiment's comparison, which no tab shows; the caller loads and disposes it. */
  readonly read: (id: string) => Promise<CompareTab>;
  /** Compares captures of the library in a tab that is not saved. */
  readonly compare: (before: readonly CaptureDocument[], after: readonly CaptureDocument[]) => void;
  /**
   * Saves a comparison as an experiment, adding its files to the library first. Later changes are saved automatically.
   */
  readonly save: (tab: CompareTab) => Promise<void>;
  readonly change: (id: string, change: ExperimentChange) => Promise<void>;
  readonly add: (id: string, side: SideName, captureIds: readonly string[]) => Promise<void>;
  /** Moves an experiment to the trash and offers to undo; its captures stay. */
  readonly trash: (state: ExperimentState) => Promise<void>;
  /** Moves an unreadable experiment to the trash. */
  readonly trashBroken: (folder: DamagedCapture) => Promise<void>;
  /** Returns null after a failure, which is shown. */
  readonly file: (id: string) => Promise<Blob | null>;
  readonly importFiles: (files: readonly File[]) => Promise<void>;
  /** Imports files given on the command line or by the system. */
  readonly importHandles: (files: readonly PendingFile[]) => Promise<void>;
}

interface ExperimentDependencies {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly tabs: TabActions;
  readonly transfers: TransferActions;
  readonly notify: Reporting['notify'];
  readonly report: Reporting['report'];
}

/** Maximum length of an experiment's name, as the engine counts it. */
const MAX_NAME = 300;

/** Returns whether a file name is that of an exported experiment. */
export const isExperimentFile = (fileName: string): boolean => fileName.endsWith(EXPERIMENT_FILE_ENDING);

export function createExperimentActions(needs: ExperimentDependencies): ExperimentActions {
  const { engine, store, tabs, transfers, notify, report } = needs;
  const links = createLinks(needs);
  let listing = 0;

  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      report(error);
    }
  }

  async function refresh(): Promise<void> {
    listing += 1;
    const own = listing;
    await attempt(async () => {
      const { experiments, damaged } = await engine.call('experiment.list', {});
      if (own !== listing) return;
      store.set({ experiments, damagedExperiments: damaged });
      links.receive(experiments);
    });
  }

  async function inputs(state: ExperimentState, side: SideName): Promise<CompareInput[]> {
    const gone = new Set(state.missing.map(({ id }) => id));
    const present = state.experiment[side].captures.filter(({ id }) => !gone.has(id));
    return Promise.all(
      present.map(async ({ id, requests }) => tabs.captureInput(id, await primaryFile(needs, id), requests)),
    );
  }

  const open = (id: string, seen: ComparisonDocument | null = null): Promise<void> =>
    attempt(async () => {
      const shown = store.get().tabs.find((tab) => tab.kind === 'compare' && tab.store.get().experimentId === id);
      if (shown !== undefined) {
        tabs.activate(shown.id);
        return;
      }
      const state = await engine.call('experiment.get', { id });
      tabs.compare(await seedOf(state, seen));
      sayMissing(state);
    });

  async function seedOf(state: ExperimentState, seen: ComparisonDocument | null): Promise<CompareSeed> {
    const { id, name, before, after, options } = state.experiment;
    return {
      name,
      experimentId: id,
      before: await inputs(state, 'before'),
      after: await inputs(state, 'after'),
      document: serialiseComparison({
        name,
        before,
        after,
        options,
        look: seen?.look ?? INITIAL_COMPARE_LOOK,
        searchText: seen?.search ?? '',
        zoomPath: seen?.zoom ?? [],
      }),
    };
  }

  function sayMissing({ experiment, missing }: ExperimentState): void {
    const [first, ...others] = missing;
    if (first === undefined) return;
    const trashed = missing.filter(({ why }) => why === 'trashed');
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    notify({
      kind: 'info',
      text: `${experiment.name}: missing: ${first.name}${more}.`,
      remedy:
        trashed.length === 0
          ? 'The others are compared.'
          : 'The others are compared. Captures in the trash can be restored.',
      action:
        trashed.length === 0
          ? null
          : {
              label: 'Restore',
              run: () =>
                void attempt(async () => {
                  for (const { id } of trashed) await engine.call('library.restore', { id });
                }),
            },
      stays: true,
    });
  }

  async function showImported({ experiment, added, known }: ImportedExperiment): Promise<void> {
    notify({
      kind: 'info',
      text: `${experiment.name} was imported with ${added === 1 ? '1 new capture' : `${added} new captures`}.`,
      remedy: known === 0 ? null : `${known === 1 ? '1 was' : `${known} were`} already there.`,
      action: null,
    });
    await open(experiment.id);
  }

  const restore = (id: string): Promise<void> =>
    attempt(async () => {
      await engine.call('experiment.restore', { id });
      await refresh();
    });

  const change = (id: string, what: ExperimentChange): Promise<void> =>
    attempt(async () => {
      await engine.call('experiment.change', { id, change: what });
      await refresh();
    });

  /** Returns false if a file could not be added to the library; the failure is shown. */
  async function keepAll(tab: CompareTab): Promise<boolean> {
    const { before, after } = tab.store.get();
    for (const { key, origin, source } of [...before.captures, ...after.captures]) {
      if (origin.kind === 'capture') continue;
      const id = await transfers.keepSource(source);
      if (id === null) return false;
      tab.setCaptureId(key, id);
    }
    return true;
  }

  return {
    refresh,
    open,
    read: async (id) => tabs.compareAside(await seedOf(await engine.call('experiment.get', { id }), null)),
    compare: (before, after) => {
      const side = (captures: readonly CaptureDocument[]) =>
        captures.map(({ id, primaryFile: file }) => tabs.captureInput(id, file));
      tabs.compare({ before: side(before), after: side(after) });
    },
    save: (tab) =>
      attempt(async () => {
        if (tab.store.get().experimentId !== null || !(await keepAll(tab))) return;
        const { before, after, options } = draftOf(tab.store.get());
        const name = compareTitle(tab.store.get(), store.get().captures).slice(0, MAX_NAME);
        const created = await engine.call('experiment.create', {
          name,
          before: before.captures.map((capture) => ({ ...capture })),
          after: after.captures.map((capture) => ({ ...capture })),
          options,
        });
        const { id } = created.experiment;
        tab.rename(created.experiment.name);
        // Applies the sides' choices.
        const rest = changeBetween(created.experiment, draftOf(tab.store.get()));
        const state = rest === null ? created : await engine.call('experiment.change', { id, change: rest });
        tab.setExperiment(id);
        links.attach(tab, state);
        await refresh();
      }),
    change,
    add: (id, side, captureIds) => change(id, { [side]: { put: captureIds.map((capture) => ({ id: capture })) } }),
    trash: ({ experiment }) =>
      attempt(async () => {
        await engine.call('experiment.trash', { id: experiment.id });
        for (const tab of store.get().tabs) {
          if (tab.kind === 'compare' && tab.store.get().experimentId === experiment.id) tab.setExperiment(null);
        }
        await refresh();
        notify({
          kind: 'info',
          text: `${experiment.name} moved to the trash.`,
          remedy: 'Its captures stay in the library.',
          action: { label: 'Undo', run: () => void restore(experiment.id) },
        });
      }),
    trashBroken: ({ id }) =>
      attempt(async () => {
        await engine.call('experiment.trash', { id });
        await refresh();
        notify({ kind: 'info', text: `${id} moved to the trash.`, remedy: IN_TRASH, action: null });
      }),
    file: async (id) => {
      try {
        return await engine.experimentFile(id);
      } catch (error) {
        report(error);
        return null;
      }
    },
    importFiles: async (files) => {
      for (const file of files) {
        if (!isExperimentFile(file.name)) {
          notify({
            kind: 'info',
            text: `${file.name} is not an exported experiment: its name would end in ${EXPERIMENT_FILE_ENDING}.`,
            remedy: null,
            action: { label: 'Open as a profile', run: () => tabs.openFiles([file]) },
          });
          continue;
        }
        const imported = await transfers.importExperiment(file);
        if (imported === null) continue;
        await showImported(imported);
      }
    },
    importHandles: (files) =>
      attempt(async () => {
        for (const { handle } of files) await showImported(await engine.call('experiment.import', { handle }));
      }),
  };
}

interface Links {
  readonly attach: (tab: CompareTab, state: ExperimentState) => void;
  readonly receive: (experiments: readonly ExperimentState[]) => void;
}

/** Keeps one link per open tab of an experiment. */
function createLinks({ engine, store, tabs, report }: ExperimentDependencies): Links {
  const links = new Map<CompareTab, { readonly id: string; readonly link: ExperimentLink }>();
  const asked = new Set<CompareTab>();

  function attach(tab: CompareTab, state: ExperimentState): void {
    const { id } = state.experiment;
    links.get(tab)?.link.end(false);
    const save = (change: ExperimentChange): Promise<ExperimentState> =>
      engine.call('experiment.change', { id, change });
    const fileOf = (captureId: string): string =>
      store.get().captures?.find((capture) => capture.id === captureId)?.primaryFile ?? captureId;
    const inputOf = (captureId: string, requests: number | null): CompareInput =>
      tabs.captureInput(captureId, fileOf(captureId), requests);
    links.set(tab, { id, link: linkExperiment(tab, state, { save, inputOf, report }) });
  }

  async function ask(tab: CompareTab, id: string): Promise<void> {
    asked.add(tab);
    try {
      const state = await engine.call('experiment.get', { id });
      if (store.get().tabs.includes(tab) && tab.store.get().experimentId === id) attach(tab, state);
    } catch {
      // The experiment was moved to the trash; the comparison stays open, unsaved.
      tab.setExperiment(null);
    }
    asked.delete(tab);
  }

  function follow(): void {
    const { tabs: open } = store.get();
    for (const [tab, { id, link }] of links) {
      if (open.includes(tab) && tab.store.get().experimentId === id) continue;
      links.delete(tab);
      link.end(!open.includes(tab));
    }
    for (const tab of open) {
      if (tab.kind !== 'compare' || links.has(tab) || asked.has(tab)) continue;
      const { experimentId } = tab.store.get();
      if (experimentId !== null) void ask(tab, experimentId);
    }
  }

  store.subscribe(follow);
  return {
    attach,
    receive: (experiments) => {
      follow();
      for (const { id, link } of links.values()) {
        const state = experiments.find(({ experiment }) => experiment.id === id);
        if (state !== undefined) link.receive(state);
      }
    },
  };
}
