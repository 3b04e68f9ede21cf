import { useEffect, useRef, useState } from 'react';
import { toProblem } from './problem.ts';
import type { Problem } from '../ui/problem.ts';

/** A run that needs the user's confirmation: it is planned, shown and then run. */
export interface RunCalls<P> {
  readonly plan: () => Promise<P>;
  /** Cancels a run or discards its plan. */
  readonly cancel: (confirmation: string) => Promise<unknown>;
}

export type PlannedRun<P> =
  | { readonly status: 'idle'; readonly plan: () => void }
  | { readonly status: 'planning' }
  /** Shown before it runs; `run` is null if there is nothing to run. */
  | {
      readonly status: 'planned';
      readonly plan: P;
      readonly run: ((start: (confirmation: string) => Promise<unknown>) => void) | null;
      /** Plans again after a change on which the plan depends. */
      readonly planAgain: () => void;
    }
  | { readonly status: 'running'; readonly plan: P; readonly cancel: () => void }
  | { readonly status: 'failed'; readonly problem: Problem; readonly plan: () => void };

/** Plans and runs a task of the engine for this component, and cancels it when the component unmounts. */
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
  const fail = (error: unknown): void => setState({ status: 'failed', problem: toProblem(error), plan });
  return state ?? { status: 'idle', plan };
}

/** Plans as soon as the component is mounted. */
export function usePlannedAtOnce<P extends { readonly confirmation: string | null }>(
  calls: RunCalls<P>,
): PlannedRun<P> {
  const state = usePlannedRun(calls);
  const begin = useRef(state.status === 'idle' ? state.plan : null);
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);
  return state;
}
