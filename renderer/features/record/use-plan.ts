import { useEffect, useState } from 'react';
import type { Params, Result } from '#core/contract/contract.ts';
import type { LiveLimits } from '#core/contract/live.ts';
import type { EngineClient } from '../../state/engine-client.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

export interface PlanState {
  /** The latest plan; `outdated` means that the fields have changed since. */
  readonly plan: Result<'record.plan'> | null;
  readonly problem: Problem | null;
  readonly outdated: boolean;
}

/** Pause in typing before the engine is asked, in ms. */
const DELAY_MS = 250;

/**
 * Returns what would run for these parameters and updates it when they change. Null parameters send no request.
 * With limits, plans a live view of the first target instead.
 */
export function usePlan(
  engine: EngineClient,
  params: Params<'record.plan'> | null,
  limits: LiveLimits | null,
): PlanState {
  const [answer, setAnswer] = useState<Omit<PlanState, 'outdated'> & { key: string }>({
    plan: null,
    problem: null,
    key: '',
  });
  const key = JSON.stringify([limits, params]);
  useEffect(() => {
    const [live, asked] = JSON.parse(key) as [LiveLimits | null, Params<'record.plan'> | null];
    if (asked === null) return undefined;
    return takeAnswerAfter(
      DELAY_MS,
      () => (live !== null ? engine.call('live.plan', liveParams(asked, live)) : engine.call('record.plan', asked)),
      (plan) => setAnswer({ plan, problem: null, key }),
      (error) => setAnswer({ plan: null, problem: toProblem(error), key }),
    );
  }, [engine, key]);
  const outdated = answer.key !== key;
  return { plan: answer.plan, problem: outdated ? null : answer.problem, outdated };
}

function liveParams({ targets, options }: Params<'record.plan'>, limits: LiveLimits): Params<'live.plan'> {
  const [first] = targets;
  return { target: first!.target, options: first!.options ?? options, limits };
}
