import { notRunReason } from './full-run.ts';
import type { Step } from './test-steps.ts';

export interface Choice {
  /** In execution order. */
  readonly chosen: readonly Step[];
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Returns the steps of a run: those that `only` names, as in `--only a,b`, otherwise all but those on request and,
 * unless the run is full, those whose sources are as they were when they passed a full run. Throws if a word names no
 * step.
 */
export function chooseSteps(
  steps: readonly Step[],
  { only, isFull, checkout }: { only: string | undefined; isFull: boolean; checkout: string },
): Choice {
  if (only !== undefined) {
    const names = only.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !steps.some(({ id }) => id === name));
    if (unknown.length > 0) throw new Error(`no step is named ${unknown.join(', ')}`);
    return { chosen: steps.filter(({ id }) => names.includes(id)), leftOut: [] };
  }
  const reasons = steps.map(({ id, onRequest, sources }) => {
    if (onRequest !== undefined) return onRequest;
    return sources === undefined || isFull ? null : notRunReason(checkout, id, sources);
  });
  return {
    chosen: steps.filter((_step, index) => reasons[index] === null),
    leftOut: steps.flatMap(({ id }, index) => {
      const reason = reasons[index];
      return reason === null || reason === undefined ? [] : [{ id, reason }];
    }),
  };
}
