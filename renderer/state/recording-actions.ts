import type { RecordingStatus } from '#core/contract/schemas.ts';
import { shownName } from './capture-name.ts';
import type { ExperimentActions } from './experiments/actions.ts';
import type { LibraryActions } from './library-actions.ts';
import type { TabActions } from './opening/actions.ts';
import type { WorkbenchState, EngineAndStore, Reporting } from './workbench-state.ts';

export interface RecordingActions {
  /**
   * Runs the plan that `record.plan` returned for this token; throws the engine's error. `showsGraph` opens its graph as
   * soon as there is one, instead of its dialog.
   */
  readonly start: (confirmation: string, showsGraph?: boolean) => Promise<void>;
  /** Opens the graph of what a recording has sampled so far, which grows. */
  readonly showGraph: (recordingId: string) => Promise<void>;
  readonly stop: (recordingId: string) => Promise<void>;
  readonly cancel: (recordingId: string) => Promise<void>;
  readonly update: (status: RecordingStatus) => void;
  /** Opens the result: the experiment that the recording was made for, else the capture. */
  readonly openResult: (status: RecordingStatus) => void;
}

interface RecordingDependencies extends EngineAndStore, Pick<Reporting, 'report'> {
  readonly library: LibraryActions;
  readonly experiments: ExperimentActions;
  readonly tabs: Pick<TabActions, 'openLive' | 'activate' | 'close'>;
}

/** Returns whether a recording has ended. Between the runs of a series, its state is `preparing`. */
export function isOver({ state }: RecordingStatus): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled';
}

/** Returns the name of the capture that is being recorded; `recording` before it is in the library. */
export function recordingName({ captureId }: RecordingStatus, captures: WorkbenchState['captures']): string {
  const capture = captures?.find(({ id }) => id === captureId);
  return capture === undefined ? 'recording' : shownName(capture, captures!);
}

/** Returns whether there is a graph of what it has sampled so far. */
export const isGrowing = ({ state, noGraphYet }: RecordingStatus): boolean =>
  state === 'recording' && noGraphYet === undefined;

/** Returns whether any recording of the engine runs. */
export const hasRecording = ({ recordings }: Pick<WorkbenchState, 'recordings'>): boolean =>
  [...recordings.values()].some((status) => !isOver(status));

export function createRecordingActions({
  engine,
  store,
  library,
  experiments,
  tabs,
  report,
}: RecordingDependencies): RecordingActions {
  /** Recordings started by this window; only their captures open here. */
  const own = new Set<string>();
  /** Recordings whose graph opens as soon as there is one. */
  const wanted = new Set<string>();
  /** The capture whose graph this window opened last, by recording: a restart replaces both. */
  const graphs = new Map<string, string>();

  function update(status: RecordingStatus): void {
    const before = store.get().recordings.get(status.recordingId);
    const wasOver = before !== undefined && isOver(before);
    // The answer to a call may arrive after the event that reports the end.
    if (wasOver && !isOver(status)) return;
    store.set({ recordings: new Map(store.get().recordings).set(status.recordingId, status) });
    if (isGrowing(status)) followGraph(status);
    if (wasOver || !isOver(status)) return;
    void library.refresh();
    if (status.state === 'finished' && own.has(status.recordingId)) showResult(status);
    if (status.state === 'cancelled') closeGraph(status.recordingId);
  }

  function showResult(status: RecordingStatus): void {
    const { dialog } = store.get();
    if (dialog?.kind === 'recording' && dialog.recordingId === status.recordingId) store.set({ dialog: null });
    openResult(status);
  }

  const graphOf = (recordingId: string): string | undefined =>
    store.get().tabs.find((tab) => tab.kind === 'profile' && tab.live?.store.get().status?.recordingId === recordingId)
      ?.id;

  /** Opens the graph that the user asked for, and that of a run which replaces the one on screen. */
  function followGraph({ recordingId, captureId }: RecordingStatus): void {
    const shown = graphs.get(recordingId);
    const isReplaced = shown !== undefined && shown !== captureId && graphOf(recordingId) !== undefined;
    if (isReplaced) closeGraph(recordingId);
    if (wanted.delete(recordingId) || isReplaced) void showGraph(recordingId);
  }

  async function showGraph(recordingId: string): Promise<void> {
    try {
      const { dialog, recordings } = store.get();
      graphs.set(recordingId, recordings.get(recordingId)?.captureId ?? '');
      const open = graphOf(recordingId);
      if (open !== undefined) tabs.activate(open);
      else {
        const { liveId, title } = await engine.call('live.follow', { recordingId });
        await tabs.openLive(liveId, title, null);
      }
      if (dialog?.kind === 'recording') store.set({ dialog: null });
    } catch (error) {
      report(error);
    }
  }

  function closeGraph(recordingId: string): void {
    const id = graphOf(recordingId);
    if (id !== undefined) tabs.close(id);
  }

  /** Opens the capture in place of the graph of its recording. */
  function openResult({ experimentId, captureId, recordingId }: RecordingStatus): void {
    closeGraph(recordingId);
    void (experimentId === undefined ? library.open([captureId]) : experiments.open(experimentId));
  }

  return {
    update,
    openResult,
    showGraph,
    start: async (confirmation, showsGraph = false) => {
      const status = await engine.call('record.start', { confirmation });
      own.add(status.recordingId);
      if (showsGraph) wanted.add(status.recordingId);
      store.set({ dialog: { kind: 'recording', recordingId: status.recordingId } });
      const known = store.get().recordings.get(status.recordingId);
      if (known?.state === 'finished') showResult(known);
      else update(status);
    },
    stop: (recordingId) => engine.call('record.stop', { recordingId }).then(update).catch(report),
    cancel: async (recordingId) => {
      try {
        update(await engine.call('record.cancel', { recordingId }));
        if (store.get().dialog?.kind === 'recording') store.set({ dialog: null });
      } catch (error) {
        report(error);
      }
    },
  };
}
