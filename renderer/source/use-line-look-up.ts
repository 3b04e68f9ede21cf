import { useEffect, useState } from 'react';
import type { LinesPlanAnswer } from '#core/contract/source.ts';
import { useWorkbench } from '../shell/workbench-context.ts';
import { toProblem } from '../state/problem.ts';
import type { Problem } from '../state/problem.ts';

export type LineLookUp =
  | { readonly status: 'idle'; readonly plan: () => void }
  | { readonly status: 'planning' }
  /** Shown before it runs; `run` is null where there is nothing to run. */
  | {
      readonly status: 'planned';
      readonly plan: LinesPlanAnswer;
      readonly run: ((inlined: boolean) => void) | null;
    }
  | { readonly status: 'running'; readonly cancel: () => void }
  | { readonly status: 'failed'; readonly problem: Problem; readonly plan: () => void };

/** Looks up the source lines of a capture: planned, shown, and run when the user says so. Ended where the pane closes. */
export function useLineLookUp(captureId: string, onDone: () => void): LineLookUp {
  const { engine } = useWorkbench();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [state, setState] = useState<LineLookUp | null>(null);

  useEffect(() => {
    if (confirmation === null) return undefined;
    return () => {
      engine.call('lines.cancel', { confirmation }).catch(() => null);
    };
  }, [engine, confirmation]);

  const plan = (): void => {
    setState({ status: 'planning' });
    engine.call('lines.plan', { id: captureId }).then((answer) => {
      const token = answer.confirmation;
      setConfirmation(token);
      setState({
        status: 'planned',
        plan: answer,
        run:
          token === null
            ? null
            : (inlined) => {
                run(token, inlined);
              },
      });
    }, fail);
  };
  const run = (token: string, inlined: boolean): void => {
    const cancel = (): void => {
      engine.call('lines.cancel', { confirmation: token }).catch(() => null);
    };
    setState({ status: 'running', cancel });
    engine.call('lines.run', { confirmation: token, inlined }).then(onDone, fail);
  };
  const fail = (error: unknown): void => {
    setState({ status: 'failed', problem: toProblem(error), plan });
  };
  return state ?? { status: 'idle', plan };
}
