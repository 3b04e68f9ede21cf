import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import type { OpenDialog } from '../../state/workbench-state.ts';

/** Returns the record dialog for both sides in turn, of the experiment or of a new one. */
export const recordAgain = (experimentId: string | null): OpenDialog => ({
  kind: 'record',
  purpose: { kind: 'in-turn', experimentId },
  repeat: LEAST_REPLICATES,
});

/**
 * Returns the record dialog for the runs that verdicts still need: of the side with too few, or of both alternately.
 */
export function recordMissing(
  captures: { readonly before: number; readonly after: number },
  experimentId: string | null,
): OpenDialog {
  const missing = {
    before: Math.max(0, LEAST_REPLICATES - captures.before),
    after: Math.max(0, LEAST_REPLICATES - captures.after),
  };
  const repeat = Math.max(missing.before, missing.after);
  const isOneSide = missing.before === 0 || missing.after === 0;
  if (experimentId === null || !isOneSide)
    return { kind: 'record', purpose: { kind: 'in-turn', experimentId }, repeat };
  return {
    kind: 'record',
    purpose: { kind: 'side', experimentId, side: missing.before > 0 ? 'before' : 'after' },
    repeat,
  };
}
