import type { Presence } from '#core/compare/statistics/judge.ts';
import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { ShownVerdict } from '#core/compare/verdict-words.ts';
import { VERDICTS } from '../../analysis/comparison/protocol.ts';

/** What frames of one colour have in common. Grey: noise, what was not tested, and what nothing is known of. */
export type DeltaGroup = 'grew' | 'shrank' | 'may-have-grown' | 'may-have-shrunk' | 'grey';

export const verdictOf = ({ verdict }: FrameDelta): ShownVerdict => VERDICTS[verdict]!;

export function groupOf(delta: FrameDelta): DeltaGroup {
  switch (verdictOf(delta)) {
    case 'grew':
      return 'grew';
    case 'shrank':
      return 'shrank';
    case 'suggestive':
      return delta.after > delta.before ? 'may-have-grown' : 'may-have-shrunk';
    default:
      return 'grey';
  }
}

/** Which sides have weight there. */
export function presenceOf({ before, after }: FrameDelta): Presence {
  if (before === 0 && after !== 0) return 'only-after';
  return after === 0 && before !== 0 ? 'only-before' : 'both';
}

/** The change as a part of the larger side: 0 to 1, where weights have one sign. */
export function sizeOf({ before, after }: FrameDelta): number {
  const larger = Math.max(Math.abs(before), Math.abs(after));
  return larger === 0 ? 0 : Math.abs(after - before) / larger;
}
