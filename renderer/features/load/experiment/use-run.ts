import { useCallback, useEffect, useState } from 'react';
import type { ExperimentStatus } from '#core/contract/load/experiment.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { callLoad } from '../call-load.ts';

const POLL_MS = 1000;

/** The experiment that the engine runs, or ran last. */
export interface ExperimentRun {
  /** Null until it is known, and if there is none. */
  readonly status: ExperimentStatus | null;
  readonly isKnown: boolean;
  /** Asks again, after a start. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** Follows the engine's experiment as long as it runs. */
export function useRun(report: (error: unknown) => void): ExperimentRun {
  const { engine } = useWorkbench();
  const [known, setKnown] = useState<{ readonly status: ExperimentStatus | null } | null>(null);
  const refresh = useCallback(() => {
    callLoad(engine, 'experiment', {}).then(setKnown, report);
  }, [engine, report]);
  useEffect(refresh, [refresh]);
  // Each answer is a new object, so that it asks for the next one.
  useEffect(() => {
    if (known?.status?.state !== 'running') return undefined;
    const timer = setTimeout(refresh, POLL_MS);
    return () => clearTimeout(timer);
  }, [known, refresh]);
  const status = known?.status ?? null;
  return {
    status,
    isKnown: known !== null,
    refresh,
    stop: () => {
      if (status !== null) void callLoad(engine, 'stop', { id: status.id }).then(refresh, report);
    },
  };
}
