import type { EngineEvent, Params, PendingComparison, PendingFile, Result } from '#core/contract/contract.ts';
import type { SessionTab } from '#core/contract/session.ts';
import { isLost, whenOpen } from './engine-client.ts';
import { loadPart } from '../ui/load-part.ts';
import type { CompareInput } from './compare/compare.types.ts';
import { readComparison } from './compare/document.ts';
import { openGuide } from './sample-pairs.ts';
import { isExperimentFile, type ExperimentActions } from './experiments/actions.ts';
import type { LibraryActions } from './library-actions.ts';
import type { TabActions } from './opening/actions.ts';
import { primaryFile } from './opening/sources.ts';
import type { TargetActions } from './target-actions.ts';
import type { Reporting, EngineAndStore } from './workbench-state.ts';

interface RequestedNeeds extends EngineAndStore, Reporting {
  readonly tabs: TabActions;
  readonly library: Pick<LibraryActions, 'open'>;
  readonly experiments: Pick<ExperimentActions, 'open' | 'importHandles' | 'compare'>;
  readonly targets: Pick<TargetActions, 'connectConfirmed'>;
}

type OpenFilesEvent = Extract<EngineEvent, { kind: 'open-files' }>;

/** Opens what the command line, the system and the list of recent files name. */
export interface RequestedOpening {
  readonly atStart: (state: Result<'app.state'>) => Promise<void>;
  readonly later: (event: OpenFilesEvent) => void;
  /** Opens a recent file. If it is gone, that is reported and the entry is removed. */
  readonly recent: (id: string) => Promise<void>;
}

export function createRequestedOpening(needs: RequestedNeeds): RequestedOpening {
  const { engine, store, tabs, library, experiments, targets, notify, report } = needs;

  function openHandles(files: readonly PendingFile[], views: SessionTab['views'] = null): void {
    const isExperiment = ({ fileName }: PendingFile): boolean => isExperimentFile(fileName);
    tabs.openHandles(
      files.filter((file) => !isExperiment(file)),
      views,
    );
    void experiments.importHandles(files.filter(isExperiment));
  }

  async function openSingle({
    files,
    captures,
    view,
  }: Pick<OpenFilesEvent, 'files' | 'captures' | 'view'>): Promise<void> {
    const views = await viewsOf(view);
    openHandles(files, views);
    await library.open(captures, views);
  }

  /** Starts again when the engine is reachable again. */
  async function watchNamed(wish: Params<'live.plan'>): Promise<void> {
    try {
      const { watchNamed: watch } = await loadPart(() => import('./watch-named.ts'));
      await watch({ engine, store, tabs, targets }, wish);
    } catch (error) {
      if (!isLost(error)) return report(error);
      await whenOpen(engine.connection);
      await watchNamed(wish);
    }
  }

  return {
    async atStart(state) {
      await openSingle({ files: state.pendingFiles, captures: state.pendingCaptures, view: state.pendingView });
      const { pendingExperiments, pendingComparisons, pendingView: view } = state;
      await openNamed(needs, { experiments: pendingExperiments, comparisons: pendingComparisons, view });
      if (state.pendingLive !== null) await watchNamed(state.pendingLive);
      const isEmpty = store.get().captures?.every(({ origin }) => origin === 'sample') === true;
      if (state.pendingGuide && isEmpty && store.get().tabs.length === 0) openGuide(store.get(), experiments);
    },
    later(event) {
      void openSingle(event).catch(report);
      void openNamed(needs, event).catch(report);
      if (event.live !== null) void watchNamed(event.live);
      for (const text of event.notices) notify({ kind: 'error', text, remedy: null, action: null });
    },
    async recent(id) {
      try {
        openHandles([await engine.call('recent.open', { id })]);
      } catch (error) {
        report(error);
        await engine.call('recent.forget', { id }).catch(() => null);
      }
    },
  };
}

/** Returns the views of a command line; invalid ones are refused with a message once the tab has been read. */
async function viewsOf(word: string | null): Promise<SessionTab['views']> {
  if (word === null) return null;
  const { viewFromWord } = await loadPart(() => import('#core/report/packed-views.ts'));
  return (viewFromWord(word) ?? 'invalid') as SessionTab['views'];
}

/** Opens what the command line or the system named: experiments, and files and captures to compare. */
async function openNamed(
  needs: RequestedNeeds,
  named: Pick<OpenFilesEvent, 'experiments' | 'comparisons' | 'view'>,
): Promise<void> {
  const { tabs, experiments, notify } = needs;
  if (named.experiments.length + named.comparisons.length === 0) return;
  const document = named.view === null ? null : await readComparison(await viewsOf(named.view));
  if (named.view !== null && document === null) {
    notify({ kind: 'error', text: 'The view of the command can’t be read.', remedy: 'Copy it again.', action: null });
  }
  const input = async (one: PendingComparison['before'][number]): Promise<CompareInput> =>
    one.kind === 'file' ? tabs.handleInput(one.file) : tabs.captureInput(one.id, await primaryFile(needs, one.id));
  for (const id of named.experiments) await experiments.open(id, document);
  for (const { before, after } of named.comparisons) {
    tabs.compare({
      before: await Promise.all(before.map(input)),
      after: await Promise.all(after.map(input)),
      document,
    });
  }
}
