import type { Problem } from '../ui/problem.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { describeLocation } from './describe-location.ts';
import { EngineError } from './engine-client.ts';
import { WorkerFailure } from './clients/worker-client.ts';

export function toProblem(error: unknown): Problem {
  if (error instanceof WorkerFailure) {
    const { code, message, location, remedy, details } = error.failure;
    return { code, message: sentence(message) + describeLocation(location), remedy, details };
  }
  if (error instanceof EngineError) {
    return { code: error.code, message: sentence(error.message), remedy: error.remedy, details: null };
  }
  const message = shortenMiddle((error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' '), 200);
  const details = error instanceof Error ? (error.stack ?? null) : null;
  return {
    code: 'internal',
    message: `Internal error: ${message}`,
    remedy: 'Try again; if it recurs, please report it with the details.',
    details,
  };
}

/** Not worth a word: a newer question took the place of the one that failed, or the tab is closed. */
export const isOutdated = ({ code }: Problem): boolean => code === 'stale' || code === 'cancelled';

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
