import type { WeightFormat } from '../flame/flame-graph.types.ts';
import { format } from '../shell/format.ts';

/** How weights of one unit read. Bare counts are counts of samples. */
export function weightFormat(unit: string): WeightFormat {
  return {
    value: (weight) => format.value(weight, unit),
    share: (part, whole) => format.share(part, whole),
  };
}
