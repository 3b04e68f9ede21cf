import { createConfirmations } from './confirmations.ts';

/** Actions that run once what was shown of them is confirmed, and that can be ended meanwhile. */
export interface ConfirmedRuns<T> {
  /** A token for an action exactly as it was shown. */
  add(action: T): string;
  /** Uses the token up. Rejects where it was never given, is used or too old. */
  run<R>(confirmation: string, work: (action: T, signal: AbortSignal) => Promise<R>): Promise<R>;
  /** Ends a run, or forgets its action. Idempotent. */
  cancel(confirmation: string): void;
}

/** `what` names the action in the refusal. Beyond `most` at once, the oldest is ended. */
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
