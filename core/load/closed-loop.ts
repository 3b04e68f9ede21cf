import type { LoadResult } from '../contract/load-result.ts';
import { loadTool } from './load-tools.ts';

/** Deviation of QPS × mean latency from the concurrency that is worth a note. */
const TOLERANCE = 0.2;

/**
 * In a closed loop, QPS × mean latency = concurrency (Little's law). Adds a note to a result whose numbers contradict
 * it. ab's mean is computed from its QPS, so it always agrees.
 */
export function checkClosedLoop(result: LoadResult): LoadResult {
  const { tool, concurrency, qps, latency, notes } = result;
  const mean = latency.mean;
  if (loadTool(tool).loop !== 'closed' || concurrency === null || qps === null || qps === 0 || mean === null) {
    return result;
  }
  const ratio = (qps * mean) / concurrency;
  if (Math.abs(ratio - 1) <= TOLERANCE) return result;
  const where = ratio > 1 ? 'above' : 'below';
  const note = `The mean latency is more than 20 % ${where} concurrency ÷ QPS: ${reasonOf(result, ratio)}`;
  return { ...result, notes: [...notes, note] };
}

function reasonOf({ tool, success }: LoadResult, ratio: number): string {
  if (ratio > 1) {
    return tool === 'wrk' || tool === 'dat'
      ? 'wrk adds assumed samples for slow answers.'
      : 'requests waited in the tool, or the mean includes more than the answers.';
  }
  return success !== null && success < 1
    ? 'failed requests occupied the connections too.'
    : 'the tool had idle connections or no CPU left, so the load was lower than asked for.';
}
