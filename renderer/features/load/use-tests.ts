import { useEffect, useState } from 'react';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { callLoad } from './call-load.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

/** Reads load tests of the library by their IDs; `problem` says why one is missing. */
export function useTests(ids: readonly string[]): {
  readonly tests: ReadonlyMap<string, LoadTest>;
  readonly problem: string | null;
} {
  const { engine } = useWorkbench();
  const [found, setFound] = useState<{
    readonly tests: ReadonlyMap<string, LoadTest>;
    readonly problem: string | null;
  }>({ tests: new Map(), problem: null });
  useEffect(() => {
    const asked = ids.filter((id) => id !== '').map((id) => callLoad(engine, 'get', { id }));
    return takeAnswer(Promise.allSettled(asked), (answers) => {
      const tests = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const [failure] = answers.flatMap((one) => (one.status === 'rejected' ? [toProblem(one.reason).message] : []));
      setFound({ tests: new Map(tests.map((test) => [test.id, test])), problem: failure ?? null });
    });
  }, [engine, ids]);
  return found;
}
