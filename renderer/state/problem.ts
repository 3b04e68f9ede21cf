import type { Problem } from '../ui/problem.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { isMissingScript, MISSING_SCRIPT } from '../analysis/request-failure.ts';
import { EngineError } from './engine-client.ts';
import { WorkerFailure } from './clients/worker-client.ts';
import type { SourceLocation } from '#core/model/diagnostics.ts';
import { messageOf } from '#core/model/failure.ts';
import { count } from '../ui/format.ts';

export function toProblem(error: unknown): Problem {
  if (error instanceof WorkerFailure || isMissingScript(error)) {
    const { code, message, location, remedy, details } =
      error instanceof WorkerFailure ? error.failure : MISSING_SCRIPT;
    return { code, message: sentence(message) + describeLocation(location), remedy, details };
  }
  if (error instanceof EngineError) {
    return { code: error.code, message: sentence(error.message), remedy: error.remedy, details: null };
  }
  const message = shortenMiddle(messageOf(error).replaceAll(/\s+/g, ' '), 200);
  const details = error instanceof Error ? (error.stack ?? null) : null;
  return {
    code: 'internal',
    message: `Internal error: ${message}`,
    remedy: 'Try again; if it recurs, please report it with the details.',
    details,
  };
}

/** Returns whether a failure needs no message: a newer question replaced the failed one, or the tab was closed. */
export const isOutdated = ({ code }: Problem): boolean => code === 'stale' || code === 'cancelled';

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns ` (line 12)`, ` (byte 4,096)` or an empty string. */
export function describeLocation(location: SourceLocation | null): string {
  if (location?.line !== undefined) return ` (line ${count(location.line)})`;
  // Byte 0 stands for the whole file.
  if (location?.byte !== undefined && location.byte > 0) return ` (byte ${count(location.byte)})`;
  return '';
}
