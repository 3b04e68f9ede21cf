import { InvalidArgumentError } from 'commander';

/** Of an option that may be repeated. */
export const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Of `-n`; 0 means all. */
export function rowCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}
