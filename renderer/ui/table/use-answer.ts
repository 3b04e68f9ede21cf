import { useEffect, useState } from 'react';

/**
 * Returns the answer of `ask`; null until it arrives, if it fails, and if `ask` is null. A new `ask` sends a new
 * request: keep its identity.
 */
export function useAnswer<T>(ask: (() => Promise<T>) | null): T | null {
  const [answer, setAnswer] = useState<{ readonly ask: () => Promise<T>; readonly value: T } | null>(null);
  useEffect(() => {
    if (ask === null) return undefined;
    let current = true;
    ask().then(
      (value) => {
        if (current) setAnswer({ ask, value });
      },
      // Outdated questions are refused; the next one is already pending.
      () => null,
    );
    return () => {
      current = false;
    };
  }, [ask]);
  return answer !== null && answer.ask === ask ? answer.value : null;
}
