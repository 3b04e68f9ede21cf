import type { LabelBreakdown, LabelValue } from './labels.ts';

/** Maximum number of numbers that are listed one by one. */
const LISTED_NUMBERS = 12;

/**
 * Groups the numbers of a key that has many into ranges from one power of two to the next, ascending, before its texts;
 * the ends are numbers that occur. Other keys' values stay as they are.
 */
export function valuesInRanges({ values }: LabelBreakdown): readonly LabelValue[] {
  const numbers = values.filter((value) => value.numbers !== null);
  if (numbers.length <= LISTED_NUMBERS) return values;
  numbers.sort((a, b) => a.numbers!.from - b.numbers!.from);
  const ranges = Map.groupBy(numbers, ({ numbers: span }) => {
    const { from } = span!;
    return `${Math.sign(from)} ${from === 0 ? 0 : Math.floor(Math.log2(Math.abs(from)))}`;
  });
  const joined = [...ranges.values()].map((range): LabelValue => {
    const [first, last] = [range[0]!, range.at(-1)!];
    return {
      text: range.length === 1 ? first.text : `${first.text} – ${last.text}`,
      weight: range.reduce((sum, { weight }) => sum + weight, 0),
      numbers: {
        from: first.numbers!.from,
        to: range.reduce((most, value) => Math.max(most, value.numbers!.to), -Infinity),
      },
    };
  });
  return [...joined, ...values.filter((value) => value.numbers === null)];
}
