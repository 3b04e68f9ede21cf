import { useState, type ReactElement, type ReactNode, useMemo } from 'react';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Check } from '#core/contract/schemas.ts';
import type { PerfScriptAnswer, PerfScriptPlanAnswer, PerfScriptProgress } from '#core/contract/source.ts';
import { CheckList } from '../../ui/status/check-list.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { bytes, clock, count } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { TrustCapture } from '../source/trust-capture.tsx';
import { useElapsed } from '../source/use-elapsed.ts';
import { usePlannedAtOnce, type PlannedRun, type RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { Button } from '../../ui/buttons.tsx';

interface ReadingViewProps {
  readonly captureId: string;
  /** ID of a connected target. */
  readonly target: string;
  /** Called when a run has started or ended. */
  readonly onRunning: (running: boolean) => void;
  readonly onDone: (answer: PerfScriptAnswer) => void;
}

/** Shows what perf would run on a target to read a capture, then the progress of the run. */
export function ReadingView({ captureId, target, onRunning, onDone }: ReadingViewProps): ReactElement {
  const { state, progress, read } = useReading(captureId, target, onDone);
  const start = async (confirmation: string): Promise<void> => {
    onRunning(true);
    await read(confirmation).finally(() => onRunning(false));
  };
  switch (state.status) {
    case 'idle':
    case 'planning':
      return (
        <p className="plan plan-hint" role="status">
          Checking the recording and perf on the target…
        </p>
      );
    case 'planned':
      return (
        <PlanReview
          commands={state.plan.command === null ? [] : [state.plan.command]}
          sentBytes={target === 'local' ? null : state.plan.bytes}
          checks={state.plan.checks}
          onRead={state.run && (() => state.run?.(start))}
        >
          <TrustCapture captureId={captureId} checks={state.plan.checks} onTrusted={state.planAgain} />
        </PlanReview>
      );
    case 'running':
      return <Running plan={state.plan} progress={progress} cancel={state.cancel} />;
    case 'failed':
      return (
        <ProblemView problem={state.problem}>
          <Button onClick={state.plan}>Try again</Button>
        </ProblemView>
      );
  }
}

interface PlanReviewProps {
  readonly commands: readonly (readonly string[])[];
  /** Size of what is sent to the machine that reads it; null on this machine. */
  readonly sentBytes?: number | null;
  readonly checks: readonly Check[];
  /** Null if there is nothing to run. */
  readonly onRead: (() => void) | null;
  readonly children?: ReactNode;
}

/** The commands that will read a capture, and their preflight checks. */
export function PlanReview({ commands, sentBytes = null, checks, onRead, children }: PlanReviewProps): ReactElement {
  const text = commands.map(quoteArgv).join('\n');
  return (
    <>
      <section className="plan" aria-label="Plan">
        {text !== '' && (
          <div className="plan-commands">
            <h3>Exactly this will run{sentBytes === null ? '' : ' there'}</h3>
            <CopyButton label="Copy the commands" text={text} />
            <pre className="mono">{text}</pre>
            {sentBytes !== null && (
              <p className="dim">{bytes(sentBytes)} of the recording are sent there; nothing stays on the host.</p>
            )}
          </div>
        )}
        <CheckList checks={checks} />
        {children}
      </section>
      <div className="dialog-actions">
        <Button className="primary" disabled={onRead === null} onClick={() => onRead?.()}>
          Read
        </Button>
      </div>
    </>
  );
}

interface RunningProps {
  readonly plan: PerfScriptPlanAnswer;
  readonly progress: PerfScriptProgress | null;
  readonly cancel: () => void;
}

function Running({ plan, progress, cancel }: RunningProps): ReactElement {
  const [since] = useState(() => performance.now());
  const elapsed = useElapsed(since);
  const { sentBytes, samples } = progress ?? { sentBytes: 0, samples: 0 };
  const share = plan.samples === null || plan.samples === 0 ? null : Math.min(1, samples / plan.samples);
  const of = plan.samples === null ? '' : ` of ${count(plan.samples)}`;
  const isSending = samples === 0 && sentBytes < plan.bytes;
  const text = isSending ? `sent ${bytes(sentBytes)} of ${bytes(plan.bytes)}` : `read ${count(samples)}${of} samples`;
  return (
    <div className="source-running">
      <progress
        aria-label="perf reads the recording"
        {...(isSending ? { value: sentBytes / plan.bytes } : share === null ? {} : { value: share })}
      />
      <span className="dim" role="status">
        {text} · {clock(elapsed)}
      </span>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}

interface PerfReading {
  readonly state: PlannedRun<PerfScriptPlanAnswer>;
  /** Progress of the current run; null before its first message. */
  readonly progress: PerfScriptProgress | null;
  readonly read: (confirmation: string) => Promise<void>;
}

/**
 * Reads a capture with perf on a connected target: planned immediately, shown, and run when the user confirms.
 * Cancelled when the dialog closes.
 */
function useReading(captureId: string, target: string, onDone: (answer: PerfScriptAnswer) => void): PerfReading {
  const { engine } = useWorkbench();
  const [run] = useState(() => crypto.randomUUID());
  const progress = useWorkbenchState(({ perfScript }) => (perfScript?.run === run ? perfScript : null));
  const calls = useMemo(
    (): RunCalls<PerfScriptPlanAnswer> => ({
      plan: () => engine.call('perfScript.plan', { id: captureId, target }),
      cancel: (confirmation) => engine.call('perfScript.cancel', { confirmation }),
    }),
    [engine, captureId, target],
  );
  const state = usePlannedAtOnce(calls);
  return {
    state,
    progress,
    read: async (confirmation) => {
      onDone(await engine.call('perfScript.run', { confirmation, run }));
    },
  };
}
