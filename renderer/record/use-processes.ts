import { useEffect, useState } from 'react';
import type { ProcessRow } from '#core/contract/schemas.ts';
import type { EngineClient } from '../state/engine-client.ts';
import { toProblem } from '../state/problem.ts';
import type { Problem } from '../state/problem.ts';

export interface ProcessList {
  /** Null until first listed. */
  readonly rows: readonly ProcessRow[] | null;
  readonly problem: Problem | null;
}

const REFRESH_MS = 2000;

/** The target's processes, listed again two seconds after each answer. */
export function useProcesses(engine: EngineClient): ProcessList {
  const [list, setList] = useState<ProcessList>({ rows: null, problem: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const look = async (): Promise<void> => {
      try {
        const { processes } = await engine.call('target.processes', { target: 'local' });
        if (!ended) setList({ rows: processes, problem: null });
      } catch (error) {
        if (!ended) setList(({ rows }) => ({ rows, problem: toProblem(error) }));
      }
      if (!ended) timer = setTimeout(() => void look(), REFRESH_MS);
    };
    void look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [engine]);
  return list;
}
