import { EngineFailure } from '../failure.ts';
import { newToken } from '../http/session-tokens.ts';

/** Holds actions that start a process until the page that showed their argv returns the token. */
export interface Confirmations<T> {
  /** Returns a token for an action exactly as it was shown. */
  add(action: T): string;
  /** Returns the action and invalidates the token. Throws if it is unknown, used or expired. */
  take(token: string): T;
  /** Discards an action that will not be confirmed. */
  drop(token: string): void;
}

/** Time in ms within which a shown command must be confirmed, since the target may change. */
const CONFIRMATION_MS = 600_000;
/** Maximum number of waiting actions; the window plans again at each change of an option. */
const MAX_WAITING = 100;

/** Creates the confirmations. `what` names the action in the refusal: `recording`. */
export function createConfirmations<T>(
  what: string,
  monotonic: () => number = () => performance.now(),
): Confirmations<T> {
  const waiting = new Map<string, { action: T; expires: number }>();
  return {
    add(action) {
      const oldest = waiting.keys().next();
      if (waiting.size >= MAX_WAITING && oldest.done !== true) waiting.delete(oldest.value);
      const token = newToken();
      waiting.set(token, { action, expires: monotonic() + CONFIRMATION_MS });
      return token;
    },
    drop: (token) => void waiting.delete(token),
    take(token) {
      const found = waiting.get(token);
      waiting.delete(token);
      if (found !== undefined && found.expires > monotonic()) return found.action;
      throw new EngineFailure(
        'not-confirmed',
        `This ${what} was not confirmed, or the confirmation has expired.`,
        'Review the command and start it again.',
      );
    },
  };
}

/** Actions that run once their shown form is confirmed, and that can be cancelled. */
interface ConfirmedRuns<T> {
  /** Returns a token for an action exactly as it was shown. */
  add(action: T): string;
  /** Runs the action and invalidates the token. Rejects if it is unknown, used or expired. */
  run<R>(confirmation: string, work: (action: T, signal: AbortSignal) => Promise<R>): Promise<R>;
  /** Cancels a run or discards its action. Idempotent. */
  cancel(confirmation: string): void;
}

/**
 * Creates the runs. `what` names the action in the refusal. If more than `most` run at once, the oldest is cancelled.
 */
export function createConfirmedRuns<T>(what: string, most = Number.POSITIVE_INFINITY): ConfirmedRuns<T> {
  const confirmations = createConfirmations<T>(what);
  const running = new Map<string, AbortController>();
  return {
    add: (action) => confirmations.add(action),
    async run(confirmation, work) {
      const action = confirmations.take(confirmation);
      const oldest = running.keys().next();
      if (running.size >= most && oldest.done !== true) running.get(oldest.value)?.abort();
      const controller = new AbortController();
      running.set(confirmation, controller);
      try {
        return await work(action, controller.signal);
      } finally {
        running.delete(confirmation);
      }
    },
    cancel(confirmation) {
      running.get(confirmation)?.abort();
      confirmations.drop(confirmation);
    },
  };
}
