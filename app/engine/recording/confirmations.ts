import { EngineFailure } from '../failure.ts';
import { newToken } from '../http/session-tokens.ts';

/** Holds back what starts a process until the page that was shown its argv hands the token back. */
export interface Confirmations<T> {
  /** A token for an action exactly as it was shown. */
  add(action: T): string;
  /** The action; the token is used up. Throws where it was never given, is used or too old. */
  take(token: string): T;
  /** Forgets an action that will not be confirmed. */
  drop(token: string): void;
}

/** How long a shown command may be looked at before it is confirmed: the target changes meanwhile. */
const CONFIRMATION_MS = 600_000;
/** The window plans anew at each change of an option. */
const MAX_WAITING = 100;

/** `what` names the action in the refusal: `recording`. */
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
