import type { StackView } from '../view/stack-view.ts';

/**
 * Returns the sum of the rows' absolute weights, in the value type's unit. It exceeds the view's (net) total exactly if
 * some weights are negative, as in differences and in memory that was freed.
 */
export function absoluteTotal({ self, withoutStack }: StackView): number {
  return self.reduce((sum, weight) => sum + Math.abs(weight), Math.abs(withoutStack));
}

/** Returns the total's text; both totals if some weights are negative. */
export function totalText(net: number | bigint, absolute: number, format: (weight: number) => string): string {
  const text = format(Number(net));
  return Math.abs(Number(net)) < absolute * (1 - ROUNDING) ? `${text} net, ${format(absolute)} absolute` : text;
}

/** Sums in another order differ by less. */
const ROUNDING = 1e-9;
