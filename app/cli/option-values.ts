import { InvalidArgumentError } from 'commander';

/** Collects the values of a repeatable option. */
export const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Parses the value of `-n`; 0 means all. */
export function rowCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}
