import { useEffect, useState } from 'react';

interface Answer<T> {
  readonly ask: () => Promise<T>;
  readonly subject: object | null;
  /** Number of requests sent before this one, by any component. */
  readonly order: number;
  readonly value: T | null;
}

let requestCount = 0;

/**
 * Returns the answer of `ask`; null until it arrives, if it fails, and if `ask` is null. A new `ask` sends a new
 * request: keep its identity. While `subject` is the same object, the answer to an earlier request stays until a newer
 * one arrives: for subjects that grow, whose answers otherwise vanish with each update.
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null, subject: object | null = null): T | null {
  const [answer, setAnswer] = useState<Answer<T> | null>(null);
  useEffect(() => {
    if (ask === null) return;
    const order = (requestCount += 1);
    const take = (value: T | null): void => {
      setAnswer((shown) => (shown !== null && shown.order > order ? shown : { ask, subject, order, value }));
    };
    // Outdated questions are refused; the next one is already pending.
    ask().then(take, () => take(null));
  }, [ask, subject]);
  if (answer === null || ask === null) return null;
  return answer.ask === ask || (subject !== null && answer.subject === subject) ? answer.value : null;
}
