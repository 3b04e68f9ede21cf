import { WITHHELD, type Presence } from './statistics/judge.ts';
import type { FrameDelta } from '../analyze/graph/flame-slice.ts';
import type { ShownVerdict } from './verdict-words.ts';

/** Verdicts by their code in `JudgedRows` and in the slices of a comparison. */
export const VERDICTS: readonly ShownVerdict[] = [
  'not-tested',
  'not-decided',
  'same',
  'needs-samples',
  'noise',
  'unknown',
  ...WITHHELD,
  'suggestive',
  'shrank',
  'grew',
];

/** Frames that share a colour. Grey frames are noise, untested or unknown. */
export type DeltaGroup = 'grew' | 'shrank' | 'may-have-grown' | 'may-have-shrunk' | 'grey';

export const verdictOf = ({ verdict }: FrameDelta): ShownVerdict => VERDICTS[verdict]!;

export function deltaGroupOf(delta: FrameDelta): DeltaGroup {
  switch (verdictOf(delta)) {
    case 'grew':
      return 'grew';
    case 'shrank':
      return 'shrank';
    case 'suggestive':
    case 'needs-samples':
      return delta.after > delta.before ? 'may-have-grown' : 'may-have-shrunk';
    default:
      return 'grey';
  }
}

/** Returns which sides have weight. */
export function presenceOf({ before, after }: FrameDelta): Presence {
  if (before === 0 && after !== 0) return 'only-after';
  return after === 0 && before !== 0 ? 'only-before' : 'both';
}

/** Returns the change as a fraction of the larger side: 0 to 1 if both weights have the same sign. */
export function changeFraction({ before, after }: FrameDelta): number {
  const larger = Math.max(Math.abs(before), Math.abs(after));
  return larger === 0 ? 0 : Math.abs(after - before) / larger;
}
