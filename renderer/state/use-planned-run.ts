import { useEffect, useState } from 'react';
import { toProblem } from './problem.ts';
import type { Problem } from '../ui/problem.ts';

/** What runs on the user's word only: planned, shown, then run. */
export interface RunCalls<P> {
  readonly plan: () => Promise<P>;
  /** Ends a run, or forgets its plan. */
  readonly cancel: (confirmation: string) => Promise<unknown>;
}

export type PlannedRun<P> =
  | { readonly status: 'idle'; readonly plan: () => void }
  | { readonly status: 'planning' }
  /** Shown before it runs; `run` is null where there is nothing to run. */
  | {
      readonly status: 'planned';
      readonly plan: P;
      readonly run: ((start: (confirmation: string) => Promise<unknown>) => void) | null;
      /** Where something has changed that the plan depends on. */
      readonly planAgain: () => void;
    }
  | { readonly status: 'running'; readonly plan: P; readonly cancel: () => void }
  | { readonly status: 'failed'; readonly problem: Problem; readonly plan: () => void };

/** Something that the engine runs for this component; ended when it goes. */
export function usePlannedRun<P extends { readonly confirmation: string | null }>(calls: RunCalls<P>): PlannedRun<P> {
  const { cancel } = calls;
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [state, setState] = useState<PlannedRun<P> | null>(null);

  useEffect(() => {
    if (confirmation === null) return undefined;
    return () => {
      cancel(confirmation).catch(() => null);
    };
  }, [cancel, confirmation]);

  const plan = (): void => {
    setState({ status: 'planning' });
    calls.plan().then((answer) => {
      const token = answer.confirmation;
      setConfirmation(token);
      const run = (start: (confirmation: string) => Promise<unknown>): void => {
        if (token === null) return;
        const end = (): void => {
          cancel(token).catch(() => null);
        };
        setState({ status: 'running', plan: answer, cancel: end });
        start(token).catch(fail);
      };
      setState({ status: 'planned', plan: answer, run: token === null ? null : run, planAgain: plan });
    }, fail);
  };
  const fail = (error: unknown): void => {
    setState({ status: 'failed', problem: toProblem(error), plan });
  };
  return state ?? { status: 'idle', plan };
}
