import { useEffect, useState } from 'react';
import type { Result } from '#core/contract/contract.ts';
import type { EngineClient } from '../../state/engine-client.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

interface Planned {
  readonly target: string | null;
  readonly plan: Result<'target.plan'> | null;
  readonly problem: Problem | null;
}

const NOTHING: Planned = { target: null, plan: null, problem: null };
/** Pause in typing before the engine is asked, in ms. */
const DELAY_MS = 200;

/** Returns what connecting to a target would run. Null if no target is given, and while an answer is loading. */
export function useConnectPlan(engine: EngineClient, target: string | null): Planned {
  const [planned, setPlanned] = useState(NOTHING);
  useEffect(() => {
    if (target === null) return undefined;
    return takeAnswerAfter(
      DELAY_MS,
      () => engine.call('target.plan', { target }),
      (plan) => setPlanned({ target, plan, problem: null }),
      (error) => setPlanned({ target, plan: null, problem: toProblem(error) }),
    );
  }, [engine, target]);
  return planned.target === target ? planned : NOTHING;
}
