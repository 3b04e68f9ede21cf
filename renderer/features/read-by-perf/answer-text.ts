import type { PerfScriptAnswer } from '#core/contract/source.ts';
import { count, countOf, format } from '../../ui/format.ts';

/** What perf made of a recording, in one line. */
export function answerText({ samples, recorded, unresolved }: PerfScriptAnswer): string {
  const read =
    recorded !== null && samples < recorded
      ? `perf read ${count(samples)} of ${count(recorded)} samples`
      : `perf read ${countOf(samples, 'sample')}`;
  return unresolved === null ? `${read}.` : `${read}; ${format.share(unresolved, 1)} of the weight has no symbol.`;
}
