import { useEffect, useMemo, useRef, useState } from 'react';
import type { PerfScriptAnswer, PerfScriptPlanAnswer, PerfScriptProgress } from '#core/contract/source.ts';
import { usePlannedRun } from '../../state/use-planned-run.ts';
import type { PlannedRun, RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';

export interface Reading {
  readonly state: PlannedRun<PerfScriptPlanAnswer>;
  /** Of the run that is under way; null before its first word. */
  readonly progress: PerfScriptProgress | null;
  readonly read: (confirmation: string) => Promise<void>;
}

/** Has perf on a connected target read a capture: planned at once, shown, and run when the user says so. Ended where the dialog closes. */
export function useReading(captureId: string, target: string, onDone: (answer: PerfScriptAnswer) => void): Reading {
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
  const state = usePlannedRun(calls);
  const begin = useRef(state.status === 'idle' ? state.plan : null);
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);
  return {
    state,
    progress,
    read: async (confirmation) => {
      onDone(await engine.call('perfScript.run', { confirmation, run }));
    },
  };
}
