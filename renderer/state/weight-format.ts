import { visibleText } from '#core/analyze/function-label.ts';
import { shareError } from '#core/model/share-error.ts';
import { weightScale } from '#core/units/axis-scale.ts';
import type { AxisLook, WeightFormat } from '../ui/flame/graph.types.ts';
import { format, numberLocale } from '../ui/format.ts';

/** What the error of shares follows from; see `Analysis`. */
interface Sampled {
  readonly total: number;
  readonly effectiveSamples: number | null;
}

/** Returns ` ± 1.3 pp`, the 95 % error of a weight's share of the view; empty if it is not measured by samples. */
export function errorText(part: number, { total, effectiveSamples }: Sampled): string {
  const error = effectiveSamples === null ? null : shareError(part / total, effectiveSamples);
  if (error === null) return '';
  const digits = error < 0.1 ? 1 : 0;
  const points = (error * 100).toLocaleString(numberLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return ` ± ${points} pp`;
}

/** Returns the format of weights in one unit. Plain counts are counts of samples. */
export function weightFormat(unit: string, view: Sampled | null = null): WeightFormat {
  return {
    value: (weight) => format.value(weight, unit),
    share: (part, whole) => format.share(part, whole),
    ...(view === null ? {} : { error: (part, whole = view.total) => errorText(part, { ...view, total: whole }) }),
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
