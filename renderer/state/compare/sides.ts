import type { CompareQuestion, SideChoice, SideQuestion } from '../../analysis/comparison/protocol.ts';
import type { CompareCapture, CompareState } from './compare.types.ts';
import type { Side } from '#core/contract/side.ts';

export const WHOLE_SIDE: SideChoice = { valueType: null, threads: null, timeRange: null };

/** Returns all captures in reading order, *before* first. */
export const allCaptures = ({ before, after }: Pick<CompareState, Side>): readonly CompareCapture[] => [
  ...before.captures,
  ...after.captures,
];

export const choiceOf = ({ valueType, threads, timeRange }: SideChoice): SideChoice => ({
  valueType,
  threads,
  timeRange,
});

/** Maps every capture; null removes it. */
export function mapCaptures(
  { before, after }: Pick<CompareState, Side>,
  change: (capture: CompareCapture) => CompareCapture | null,
): Pick<CompareState, Side> {
  const map = (captures: readonly CompareCapture[]) => captures.flatMap((capture) => change(capture) ?? []);
  return {
    before: { ...before, captures: map(before.captures) },
    after: { ...after, captures: map(after.captures) },
  };
}

export function changeCapture(
  state: Pick<CompareState, Side>,
  key: number,
  change: Partial<CompareCapture>,
): Pick<CompareState, Side> {
  return mapCaptures(state, (capture) => (capture.key === key ? { ...capture, ...change } : capture));
}

/** Returns the question for the worker; null while a side has no capture that was read. */
export function questionOf({ before, after, options }: CompareState): CompareQuestion | null {
  const sides = { before: sideQuestion(before), after: sideQuestion(after) };
  if (sides.before.captures.length === 0 || sides.after.captures.length === 0) return null;
  return { ...sides, ...options };
}

function sideQuestion({ captures, ...choice }: CompareState['before']): SideQuestion {
  const read = captures.flatMap(({ opened, requests, size }) =>
    opened === null ? [] : [{ capture: opened.capture, requests, ...(size === undefined ? {} : { size }) }],
  );
  return { ...choiceOf(choice), captures: read };
}
