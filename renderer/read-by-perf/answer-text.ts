import type { PerfScriptAnswer } from '#core/contract/source.ts';
import { count, countOf, oneDecimal } from '../shell/format.ts';

/** What perf made of a recording, in one line. */
export function answerText({ samples, recorded, frames, unresolved }: PerfScriptAnswer): string {
  const read =
    recorded !== null && samples < recorded
      ? `perf read ${count(samples)} of ${count(recorded)} samples`
      : `perf read ${countOf(samples, 'sample')}`;
  return frames === 0
    ? `${read}.`
    : `${read}; ${oneDecimal((unresolved / frames) * 100)} % of the frames have no name.`;
}
