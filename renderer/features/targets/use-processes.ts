import { useEffect, useState } from 'react';
import type { ProcessRow } from '#core/contract/schemas.ts';
import type { EngineClient } from '../../state/engine-client.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';

export interface ProcessList {
  /** Null until first listed. */
  readonly rows: readonly ProcessRow[] | null;
  readonly problem: Problem | null;
}

const REFRESH_MS = 2000;

const NONE: ProcessList = { rows: null, problem: null };

/** Returns the target's processes, listed again two seconds after each answer. With null, none are requested. */
export function useProcesses(engine: EngineClient, target: string | null): ProcessList {
  const [answer, setAnswer] = useState({ target, list: NONE });
  useEffect(() => {
    if (target === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const look = async (): Promise<void> => {
      try {
        const { processes } = await engine.call('target.processes', { target });
        if (!ended) setAnswer({ target, list: { rows: processes, problem: null } });
      } catch (error) {
        const problem = toProblem(error);
        if (!ended) {
          setAnswer(({ target: before, list }) => ({
            target,
            list: { rows: before === target ? list.rows : null, problem },
          }));
        }
      }
      if (!ended) timer = setTimeout(() => void look(), REFRESH_MS);
    };
    void look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [engine, target]);
  return answer.target === target ? answer.list : NONE;
}
