import { useMemo, type ReactElement } from 'react';
import type { CommandsPlan } from '#core/contract/source.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { usePlannedAtOnce, type RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { PerfSource } from '../../state/workbench-state.ts';
import { OfSource, useShowText } from './read-by-perf-dialog.tsx';
import { PlanReview } from './reading-view.tsx';
import '../source/source.css';
import { Button } from '../../ui/buttons.tsx';

/** Reads an execution trace with Go on the engine's machine, and opens the result. */
export function ReadByGoDialog({ source }: { source: PerfSource }): ReactElement {
  const { showDialog } = useWorkbench();
  return (
    <Dialog title="Read with Go" className="doctor-dialog" onClose={() => showDialog(null)}>
      <p className="doctor-hint">
        go tool trace sums what goroutines waited for (the network, one another, system calls, a processor) by stack.
        The trace stays unchanged; the profile is stored with it and opens from then on.
      </p>
      <OfSource source={source} View={ReadTrace} />
    </Dialog>
  );
}

/** Shows what would run, then runs it. Cancelled when the dialog closes. */
function ReadTrace({ captureId }: { captureId: string }): ReactElement {
  const { engine, notify, showDialog } = useWorkbench();
  const showText = useShowText();
  const calls = useMemo(
    (): RunCalls<CommandsPlan> => ({
      plan: () => engine.call('goTrace.plan', { id: captureId }),
      cancel: (confirmation) => engine.call('goTrace.cancel', { confirmation }),
    }),
    [engine, captureId],
  );
  const state = usePlannedAtOnce(calls);
  const read = async (confirmation: string): Promise<void> => {
    const { samples } = await engine.call('goTrace.run', { confirmation });
    showDialog(null);
    notify({ kind: 'info', text: `Go read ${countOf(samples, 'wait')}.`, remedy: null, action: null });
    void showText(captureId);
  };
  if (state.status === 'failed') {
    return (
      <ProblemView problem={state.problem}>
        <Button onClick={state.plan}>Try again</Button>
      </ProblemView>
    );
  }
  if (state.status === 'running') {
    return (
      <div className="source-running">
        <progress aria-label="Go reads the trace" />
        <Button onClick={state.cancel}>Cancel</Button>
      </div>
    );
  }
  if (state.status !== 'planned') {
    return (
      <p className="plan plan-hint" role="status">
        Checking the trace and Go…
      </p>
    );
  }
  const { plan, run } = state;
  return <PlanReview commands={plan.commands} checks={plan.checks} onRead={run && (() => run(read))} />;
}
