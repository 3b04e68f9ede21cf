import { useEffect, useState } from 'react';
import type { Params, Result } from '#core/contract/contract.ts';
import type { EngineClient } from '../../state/engine-client.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';

export interface PlanState {
  /** The newest plan; while `outdated` it belongs to fields as they were. */
  readonly plan: Result<'record.plan'> | null;
  readonly problem: Problem | null;
  readonly outdated: boolean;
}

/** A pause in typing before the engine is asked. */
const DELAY_MS = 250;

/** What would run for these parameters, asked anew when they change. Null parameters: nothing to ask. */
export function usePlan(engine: EngineClient, params: Params<'record.plan'> | null): PlanState {
  const [answer, setAnswer] = useState<Omit<PlanState, 'outdated'> & { key: string }>({
    plan: null,
    problem: null,
    key: '',
  });
  const key = JSON.stringify(params);
  useEffect(() => {
    const asked = JSON.parse(key) as Params<'record.plan'> | null;
    if (asked === null) return undefined;
    let ended = false;
    const timer = setTimeout(() => {
      engine.call('record.plan', asked).then(
        (plan) => {
          if (!ended) setAnswer({ plan, problem: null, key });
        },
        (error: unknown) => {
          if (!ended) setAnswer({ plan: null, problem: toProblem(error), key });
        },
      );
    }, DELAY_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [engine, key]);
  const outdated = answer.key !== key;
  return { plan: answer.plan, problem: outdated ? null : answer.problem, outdated };
}
