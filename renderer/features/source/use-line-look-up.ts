import { useMemo } from 'react';
import type { LinesPlanAnswer } from '#core/contract/source.ts';
import { usePlannedRun } from '../../state/use-planned-run.ts';
import type { PlannedRun, RunCalls } from '../../state/use-planned-run.ts';
import { useWorkbench } from '../../state/workbench-context.ts';

export interface LineLookUp {
  readonly state: PlannedRun<LinesPlanAnswer>;
  readonly lookUp: (confirmation: string, inlined: boolean) => Promise<void>;
}

/** Looks up the source lines of a capture: planned, shown, and run when the user says so. Ended where the pane closes. */
export function useLineLookUp(captureId: string, onDone: () => void): LineLookUp {
  const { engine } = useWorkbench();
  const calls = useMemo(
    (): RunCalls<LinesPlanAnswer> => ({
      plan: () => engine.call('lines.plan', { id: captureId }),
      cancel: (confirmation) => engine.call('lines.cancel', { confirmation }),
    }),
    [engine, captureId],
  );
  return {
    state: usePlannedRun(calls),
    lookUp: async (confirmation, inlined) => {
      await engine.call('lines.run', { confirmation, inlined });
      onDone();
    },
  };
}
