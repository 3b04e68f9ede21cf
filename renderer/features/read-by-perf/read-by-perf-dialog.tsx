import { useState, type ReactElement } from 'react';
import type { PerfScriptAnswer } from '#core/contract/source.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { PerfSource } from '../../state/workbench-state.ts';
import { TargetChoice } from '../targets/target-choice.tsx';
import { TargetGate } from '../targets/target-gate.tsx';
import { ReadingView } from './reading-view.tsx';
import '../source/source.css';
import { count, countOf, format } from '../../ui/format.ts';
import { Button } from '../../ui/buttons.tsx';

/** Reads a perf.data with perf, on this machine or on the host that has the binaries, and opens the result. */
export function ReadByPerfDialog({ source }: { source: PerfSource }): ReactElement {
  const { showDialog } = useWorkbench();
  return (
    <Dialog title="Read with perf" className="doctor-dialog" onClose={() => showDialog(null)}>
      <p className="doctor-hint">
        perf unwinds copied stacks (--call-graph dwarf) and resolves symbols from the binaries on its machine. The
        recording stays unchanged; perf’s text is stored with it and opens from then on.
      </p>
      <OfSource source={source} View={ReadCapture} />
    </Dialog>
  );
}

type CaptureView = (props: { readonly captureId: string }) => ReactElement | null;

/** Shows `View` of the capture that is read. */
export function OfSource({ source, View }: { source: PerfSource; View: CaptureView }): ReactElement {
  return source.kind === 'capture' ? <View captureId={source.id} /> : <OfTab tab={source.tab} View={View} />;
}

/** Adds the file to the library first. */
function OfTab({ tab, View }: { tab: ProfileTab; View: CaptureView }): ReactElement {
  const { transfers } = useWorkbench();
  const captureId = useStore(tab.store, (state) => state.captureId);
  const [keeping, setKeeping] = useState(false);
  if (captureId !== null) return <View captureId={captureId} />;
  const keep = async (): Promise<void> => {
    setKeeping(true);
    await transfers.keep(tab);
    setKeeping(false);
  };
  return (
    <>
      <p className="plan plan-hint">{tab.source.fileName} is not in the library yet. It is copied there first.</p>
      <div className="dialog-actions">
        <Button className="primary" disabled={keeping} onClick={() => void keep()}>
          {keeping ? 'Keeping…' : 'Keep in the library'}
        </Button>
      </div>
    </>
  );
}

function ReadCapture({ captureId }: { captureId: string }): ReactElement | null {
  const { notify, showDialog } = useWorkbench();
  const showText = useShowText();
  const list = useWorkbenchState((state) => state.targets);
  const [target, setTarget] = useState(LOCAL_TARGET);
  const [running, setRunning] = useState(false);
  const targets = list?.targets ?? [];
  const row = targets.find(({ id }) => id === target);
  if (row === undefined) return null;
  const done = (answer: PerfScriptAnswer): void => {
    showDialog(null);
    notify({ kind: 'info', text: answerText(answer), remedy: null, action: null });
    void showText(captureId);
  };
  return (
    <div className="doctor-body">
      {targets.length > 1 && <TargetChoice targets={targets} chosen={target} disabled={running} onChoose={setTarget} />}
      <TargetGate row={row} />
      {row.state.kind === 'up' && (
        <ReadingView key={target} captureId={captureId} target={target} onRunning={setRunning} onDone={done} />
      )}
    </div>
  );
}

/** Returns a function that shows the capture's new content, in its tab if that reads it from the library. */
export function useShowText(): (captureId: string) => Promise<void> {
  const { library, store, tabs } = useWorkbench();
  return async (captureId) => {
    const tab = store
      .get()
      .tabs.flatMap((one) => asProfileTab(one) ?? [])
      .find((one) => one.store.get().captureId === captureId);
    // The tab of a file that was added to the library still reads the file.
    if (tab !== undefined && tab.source.captureId === null) tabs.close(tab.id);
    // A format chosen for the recorded file does not apply to the tool's output.
    else if (tab !== undefined) await (tab.store.get().format === null ? tab.reload() : tab.load(null));
    await library.open([captureId]);
  };
}

/** Returns one line about the result of reading with perf. */
export function answerText({ samples, recorded, unresolved }: PerfScriptAnswer): string {
  const read =
    recorded !== null && samples < recorded
      ? `perf read ${count(samples)} of ${count(recorded)} samples`
      : `perf read ${countOf(samples, 'sample')}`;
  return unresolved === null ? `${read}.` : `${read}; ${format.share(unresolved, 1)} of the weight has no symbol.`;
}
