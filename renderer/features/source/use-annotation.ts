import { useEffect, useEffectEvent, useState } from 'react';
import type { Annotation, AnnotationPlan } from '#core/contract/source.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { CaptureFunction } from '../../state/source/source.types.ts';

export type AnnotationState =
  | { readonly status: 'planning' }
  /** Shown before it runs; `run` is null if it cannot run. */
  | {
      readonly status: 'planned';
      readonly plan: AnnotationPlan;
      readonly run: (() => void) | null;
      readonly planAgain: () => void;
    }
  | { readonly status: 'running'; readonly plan: AnnotationPlan; readonly since: number; readonly cancel: () => void }
  | { readonly status: 'ready'; readonly plan: AnnotationPlan; readonly annotation: Annotation }
  | {
      readonly status: 'failed';
      readonly plan: AnnotationPlan | null;
      readonly problem: Problem;
      readonly retry: () => void;
    };

const PLANNING: AnnotationState = { status: 'planning' };

/** Number of disassemblies kept, so that returning to a function is immediate. */
const MAX_KEPT = 20;

/**
 * Runs `perf annotate` for a function: planned, shown, and run when the user confirms or with `runsAtOnce`. Cancelled
 * when another function is selected or the pane closes. `lookUp` adds source lines.
 */
export function useAnnotation(asked: CaptureFunction, lookUp: boolean, runsAtOnce: boolean): AnnotationState {
  const { engine } = useWorkbench();
  const { captureId, func } = asked;
  const [round, setRound] = useState(0);
  const key = `${captureId} ${func} ${lookUp} ${round}`;
  const [answer, setAnswer] = useState<{ key: string; state: AnnotationState } | null>(null);
  const [kept] = useState(() => new Map<string, AnnotationState>());
  const isAtOnce = useEffectEvent(() => runsAtOnce);

  useEffect(() => {
    if (kept.has(key)) return;
    let current = true;
    let confirmation: string | null = null;
    const settle = (state: AnnotationState): void => {
      if (current) setAnswer({ key, state });
    };
    const cancel = (): void => {
      if (confirmation !== null) engine.call('annotate.cancel', { confirmation }).catch(() => null);
    };
    const retry = (): void => {
      setAnswer(null);
      setRound((now) => now + 1);
    };
    const fail = (plan: AnnotationPlan | null, error: unknown): void => {
      settle({ status: 'failed', plan, problem: toProblem(error), retry });
    };
    const run = async (plan: AnnotationPlan, token: string): Promise<void> => {
      settle({ status: 'running', plan, since: performance.now(), cancel });
      try {
        const annotation = await engine.call('annotate.run', { confirmation: token });
        const state: AnnotationState = { status: 'ready', plan, annotation };
        kept.set(key, state);
        const oldest = kept.keys().next();
        if (kept.size > MAX_KEPT && oldest.done !== true) kept.delete(oldest.value);
        settle(state);
      } catch (error) {
        fail(plan, error);
      }
    };
    const prepare = async (): Promise<void> => {
      const plan = await engine.call('annotate.plan', { id: captureId, func, lines: lookUp });
      const token = plan.confirmation;
      confirmation = token;
      if (!current) cancel();
      else if (token === null) settle({ status: 'planned', plan, run: null, planAgain: retry });
      else if (isAtOnce()) await run(plan, token);
      else settle({ status: 'planned', plan, run: () => void run(plan, token), planAgain: retry });
    };
    prepare().catch((error: unknown) => fail(null, error));
    return () => {
      current = false;
      cancel();
    };
  }, [engine, captureId, func, lookUp, key, kept]);

  return kept.get(key) ?? (answer?.key === key ? answer.state : PLANNING);
}
