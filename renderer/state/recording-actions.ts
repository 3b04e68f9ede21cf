import type { RecordingStatus } from '#core/contract/schemas.ts';
import type { EngineClient } from './engine-client.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import type { LibraryActions } from './library-actions.ts';
import type { Store } from './store.ts';
import type { WorkbenchState } from './workbench-state.ts';
import type { Reporting } from './workbench-state.ts';

export interface RecordingActions {
  /** Runs the plan that `record.plan` returned for this token; throws the engine's error. */
  readonly start: (confirmation: string) => Promise<void>;
  readonly stop: (recordingId: string) => Promise<void>;
  readonly cancel: (recordingId: string) => Promise<void>;
  readonly update: (status: RecordingStatus) => void;
  /** Opens the result: the experiment that the recording was made for, else the capture. */
  readonly openResult: (status: RecordingStatus) => void;
}

interface RecordingDependencies {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly library: LibraryActions;
  readonly experiments: ExperimentActions;
  readonly report: Reporting['report'];
}

/** Returns whether a recording has ended. Between the runs of a series, its state is `preparing`. */
export function isOver({ state }: RecordingStatus): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled';
}

export function createRecordingActions({
  engine,
  store,
  library,
  experiments,
  report,
}: RecordingDependencies): RecordingActions {
  /** Recordings started by this window; only their captures open here. */
  const own = new Set<string>();

  function update(status: RecordingStatus): void {
    const before = store.get().recordings.get(status.recordingId);
    const wasOver = before !== undefined && isOver(before);
    // The answer to a call may arrive after the event that reports the end.
    if (wasOver && !isOver(status)) return;
    store.set({ recordings: new Map(store.get().recordings).set(status.recordingId, status) });
    if (wasOver || !isOver(status)) return;
    void library.refresh();
    if (status.state === 'finished' && own.has(status.recordingId)) showResult(status);
  }

  function showResult(status: RecordingStatus): void {
    const { dialog } = store.get();
    if (dialog?.kind === 'recording' && dialog.recordingId === status.recordingId) store.set({ dialog: null });
    openResult(status);
  }

  function openResult({ experimentId, captureId }: RecordingStatus): void {
    void (experimentId === undefined ? library.open([captureId]) : experiments.open(experimentId));
  }

  return {
    update,
    openResult,
    start: async (confirmation) => {
      const status = await engine.call('record.start', { confirmation });
      own.add(status.recordingId);
      store.set({ dialog: { kind: 'recording', recordingId: status.recordingId } });
      const known = store.get().recordings.get(status.recordingId);
      if (known?.state === 'finished') showResult(known);
      else update(status);
    },
    stop: async (recordingId) => {
      try {
        update(await engine.call('record.stop', { recordingId }));
      } catch (error) {
        report(error);
      }
    },
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
