import { DEFAULT_KNEE, type KneeBound } from '#core/load/sweep.ts';
import { usageError } from '../errors.ts';
import type { LoadOptions } from './load-options.ts';

/** Returns what the knee must meet; null without an option for it. */
export function kneeBoundOf({ kneeSuccess, kneeLatency }: LoadOptions): KneeBound | null {
  if (kneeSuccess === undefined && kneeLatency === undefined) return null;
  const percent = numberOf('--knee-success', kneeSuccess ?? String(DEFAULT_KNEE.leastSuccess * 100));
  if (percent > 100) throw usageError(`--knee-success ${kneeSuccess}: more than 100 %`);
  const ms = kneeLatency === undefined ? null : numberOf('--knee-latency', kneeLatency);
  if (ms === 0) throw usageError('--knee-latency 0: not a number of milliseconds above 0');
  return { leastSuccess: percent / 100, mostLatency: ms === null ? null : ms / 1000 };
}

function numberOf(option: string, word: string): number {
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(word)) throw usageError(`${option} ${word}: not a number`);
  return Number(word);
}
