import { visibleText } from '#core/analyze/function-label.ts';
import { weightScale } from '#core/units/axis-scale.ts';
import type { AxisLook, WeightFormat } from '../ui/flame/graph.types.ts';
import { format, numberLocale } from '../ui/format.ts';

/** Returns the format of weights in one unit. Plain counts are counts of samples. */
export function weightFormat(unit: string): WeightFormat {
  return {
    value: (weight) => format.value(weight, unit),
    share: (part, whole) => format.share(part, whole),
  };
}

/** Returns the axis of a graph with such weights, starting at the left edge of the zoomed frame. */
export function weightAxis(unit: string): AxisLook {
  return {
    scale: weightScale(numberLocale(), visibleText(unit)),
    from: 'root',
    share: (part, whole) => format.share(part, whole),
  };
}
