import { maybeReason } from '#core/compare/verdict-words.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';

/** Why the comparison's verdicts are *maybe* at most; null: they can be certain. */
export function verdictReason(of: Pick<Compared, 'isReplicated' | 'sharesHost' | 'before' | 'after'>): string | null {
  const runs = (side: Compared['before']): number => side.captures.filter(({ leftOut }) => !leftOut).length;
  return maybeReason(of, { before: runs(of.before), after: runs(of.after) });
}
