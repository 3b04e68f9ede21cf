import { useEffect, useState } from 'react';
import type { SourceText } from '#core/contract/source.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { CaptureFunction } from '../../state/source/source.types.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

export type TextState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly text: SourceText }
  /** Waits for the user; `allow` asks the engine again. */
  | {
      readonly status: 'asks';
      readonly problem: Problem;
      readonly what: 'capture' | 'project';
      readonly allow: () => void;
    }
  | { readonly status: 'refused'; readonly problem: Problem };

/** What is asked for, by the engine's error. */
const ASKS: ReadonlyMap<string, 'capture' | 'project'> = new Map([
  ['source-not-allowed', 'capture'],
  ['source-folder-not-allowed', 'project'],
]);

const LOADING: TextState = { status: 'loading' };

export const NOT_KEPT: Problem = {
  code: 'not-kept',
  message: 'Source text and instructions are shown for captures of the library.',
  remedy: 'Keep this file in the library (Keep, above the graph) to see them.',
  details: null,
};

const OTHER_FORMAT: Problem = {
  code: 'other-format',
  message: 'The file was opened in a different format than the detected one.',
  remedy: 'Reopen the capture with automatic format detection.',
  details: null,
};

/**
 * Returns the text of a function's source file; `file` is its name in the profile. Null means that the function is not
 * in a capture.
 */
export function useSourceText(asked: CaptureFunction | null, file: string): TextState {
  const { engine } = useWorkbench();
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ key: string; state: TextState } | null>(null);
  const captureId = asked?.captureId ?? null;
  const func = asked?.func ?? null;
  const key = `${captureId ?? ''} ${func ?? ''} ${file} ${round}`;

  useEffect(() => {
    if (captureId === null || func === null) return undefined;
    const settle = (state: TextState): void => setAnswer({ key, state });
    const refuse = (error: unknown): void => {
      const problem = toProblem(error);
      const what = ASKS.get(problem.code);
      if (what === undefined) return settle({ status: 'refused', problem });
      settle({ status: 'asks', problem, what, allow: () => allow(what) });
    };
    const allow = (what: 'capture' | 'project'): void => {
      const allowed =
        what === 'project'
          ? engine.call('source.allowFolder', { id: captureId, func })
          : engine.call('source.allow', { id: captureId, allowed: true });
      allowed.then(() => setRound((now) => now + 1), refuse);
    };
    const take = (text: SourceText): void =>
      settle(text.file === file ? { status: 'ready', text } : { status: 'refused', problem: OTHER_FORMAT });
    return takeAnswer(engine.call('source.text', { id: captureId, func }), take, refuse);
  }, [engine, captureId, func, file, key]);

  if (asked === null) return { status: 'refused', problem: NOT_KEPT };
  return answer?.key === key ? answer.state : LOADING;
}
