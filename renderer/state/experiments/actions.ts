import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { ExperimentChange, ExperimentState, ImportedExperiment } from '#core/contract/experiment.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { compareTitle } from '../compare/title.ts';
import type { CompareTab } from '../compare/compare.types.ts';
import type { ComparisonDocument } from '../compare/document-schema.ts';
import { changeBetween, draftOf } from '../compare/experiment-changes.ts';
import { createExperimentLinks } from './links.ts';
import { openExperiment, seedOf, type ExperimentDependencies } from './open.ts';
import { IN_TRASH } from '../library-actions.ts';

export interface ExperimentActions {
  readonly refresh: () => Promise<void>;
  /** See {@link openExperiment}. */
  readonly open: (id: string, seen?: ComparisonDocument | null) => Promise<void>;
  /** Returns an experiment's comparison, which no tab shows; the caller loads and disposes it. */
  readonly read: (id: string) => Promise<CompareTab>;
  /** Compares captures of the library in a tab that is not saved. */
  readonly compare: (before: readonly CaptureDocument[], after: readonly CaptureDocument[], guided?: boolean) => void;
  /**
   * Saves a comparison as an experiment, adding its files to the library first. Later changes are saved automatically.
   */
  readonly save: (tab: CompareTab) => Promise<void>;
  readonly change: (id: string, change: ExperimentChange) => Promise<void>;
  readonly add: (id: string, side: Side, captureIds: readonly string[]) => Promise<void>;
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

/** Maximum length of an experiment's name, as the engine counts it. */
const MAX_NAME = 300;

/** Returns whether a file name is that of an exported experiment. */
export const isExperimentFile = (fileName: string): boolean => fileName.endsWith(EXPERIMENT_FILE_ENDING);

export function createExperimentActions(needs: ExperimentDependencies): ExperimentActions {
  const { engine, store, tabs, transfers, notify, report } = needs;
  const links = createExperimentLinks(needs);
  let listing = 0;

  const attempt = (action: () => Promise<void>): Promise<void> => action().catch(report);

  const open = (id: string, seen: ComparisonDocument | null = null): Promise<void> =>
    attempt(() => openExperiment(needs, id, seen));

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
    read: async (id) => tabs.compareAside(await seedOf(needs, await engine.call('experiment.get', { id }), null)),
    compare: (before, after, guided = false) => {
      const side = (captures: readonly CaptureDocument[]) =>
        captures.map(({ id, primaryFile: file }) => tabs.captureInput(id, file));
      tabs.compare({ before: side(before), after: side(after), guided });
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
