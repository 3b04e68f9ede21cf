import { useEffect, useState } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { isOutdated, toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';

export type LinesState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly rows: SourceLineRows }
  | { readonly status: 'failed'; readonly problem: Problem };

const LOADING: LinesState = { status: 'loading' };

/** Lines of a function in the view as it is now. */
export function useSourceLines(func: FunctionIndex): LinesState {
  const { client } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  const [answer, setAnswer] = useState<{ key: string; state: LinesState } | null>(null);
  const key = `${revision ?? ''} ${func}`;

  useEffect(() => {
    const own = client();
    if (own === null || revision === null) return;
    let current = true;
    const settle = (state: LinesState): void => {
      if (current) setAnswer({ key, state });
    };
    own.call('source-lines', { revision, func }).then(
      (rows) => {
        settle({ status: 'ready', rows });
      },
      (error: unknown) => {
        const problem = toProblem(error);
        // A newer analysis asks again.
        if (!isOutdated(problem)) settle({ status: 'failed', problem });
      },
    );
    return () => {
      current = false;
    };
  }, [client, revision, func, key]);

  return answer?.key === key ? answer.state : LOADING;
}
