import { visibleText } from '#core/analyze/function-label.ts';
import { weightScale } from '#core/units/axis-scale.ts';
import type { AxisLook, WeightFormat } from '../ui/flame/flame-graph.types.ts';
import { format, numberLocale } from '../ui/format.ts';

/** How weights of one unit read. Bare counts are counts of samples. */
export function weightFormat(unit: string): WeightFormat {
  return {
    value: (weight) => format.value(weight, unit),
    share: (part, whole) => format.share(part, whole),
  };
}

/** The ticks of a graph of such weights: from the left edge of what is zoomed into. */
export function weightAxis(unit: string): AxisLook {
  return { scale: weightScale(numberLocale(), visibleText(unit)), from: 'root' };
}
