import { createColumnFormat } from '#core/units/column-format.ts';
import type { Formatter } from '#core/units/format.ts';

/** How a table writes the weights of one view. Keep its identity while view and unit are unchanged. */
export interface TableFormat {
  /** The unit's name in the value type. */
  readonly unit: string;
  /** Uses one unit and one number of decimals for all rows. */
  readonly column: (weight: number) => string;
  /** Uses the unit that fits the value, for sentences. */
  readonly value: (weight: number) => string;
  /** All digits of counts, for tooltips. */
  readonly exact: (weight: number) => string;
  readonly share: (part: number, whole: number) => string;
  readonly count: (count: number) => string;
  /** See `WeightFormat`. */
  readonly error?: (part: number) => string;
}

/** Creates a format; `largest` is the weight of the view. */
export function tableFormat(
  locale: string,
  formatter: Formatter,
  unit: string,
  largest: number,
  error?: TableFormat['error'],
): TableFormat {
  return {
    unit,
    column: createColumnFormat(locale, unit, largest, formatter),
    value: (weight) => formatter.value(weight, unit),
    exact: (weight) => formatter.exact(weight, unit),
    share: (part, whole) => formatter.share(part, whole),
    count: (count) => formatter.number(count),
    ...(error === undefined ? {} : { error }),
  };
}
