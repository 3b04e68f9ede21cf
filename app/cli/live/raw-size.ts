import { InvalidArgumentError } from 'commander';
import { MAX_RAW_BYTES, MIN_RAW_BYTES, type LiveLimits } from '#core/contract/live.ts';

const UNITS: Readonly<Record<string, number>> = { M: 1e6, G: 1e9, T: 1e12 };

/** Parses the value of `--raw`. */
export function rawSize(text: string): NonNullable<LiveLimits['raw']> {
  if (text === 'full') return { maxBytes: null };
  const [, number, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([MGT])B?$/i.exec(text) ?? [];
  const maxBytes = Math.round(Number(number) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (maxBytes >= MIN_RAW_BYTES && maxBytes <= MAX_RAW_BYTES) return { maxBytes };
  throw new InvalidArgumentError('It takes full, or a size from 1M to 1T, such as 256M.');
}
