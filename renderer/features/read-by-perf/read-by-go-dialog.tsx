import { useEffect, useMemo, useRef, type ReactElement } from 'react';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { GoTracePlanAnswer } from '#core/contract/source.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { CheckList } from '../../ui/status/check-list.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { usePlannedRun, type RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { PerfSource } from '../../state/workbench-state.ts';
import { OfSource, useShowText } from './read-by-perf-dialog.tsx';
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
    (): RunCalls<GoTracePlanAnswer> => ({
      plan: () => engine.call('goTrace.plan', { id: captureId }),
      cancel: (confirmation) => engine.call('goTrace.cancel', { confirmation }),
    }),
    [engine, captureId],
  );
  const state = usePlannedRun(calls);
  const begin = useRef(state.status === 'idle' ? state.plan : null);
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);
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
  const text = plan.commands.map(quoteArgv).join('\n');
  return (
    <>
      <section className="plan" aria-label="Plan">
        {text !== '' && (
          <div className="plan-commands">
            <h3>Exactly this will run</h3>
            <CopyButton label="Copy the commands" text={text} />
            <pre className="mono">{text}</pre>
          </div>
        )}
        <CheckList checks={plan.checks} />
      </section>
      <div className="dialog-actions">
        <Button className="primary" disabled={run === null} onClick={() => run?.(read)}>
          Read
        </Button>
      </div>
    </>
  );
}
