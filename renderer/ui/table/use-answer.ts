import { useEffect, useState } from 'react';

/** What `ask` answers; null until it does, and where it is null or fails. A new `ask` asks anew: keep its identity. */
export function useAnswer<T>(ask: (() => Promise<T>) | null): T | null {
  const [answer, setAnswer] = useState<{ readonly ask: () => Promise<T>; readonly value: T } | null>(null);
  useEffect(() => {
    if (ask === null) return undefined;
    let current = true;
    ask().then(
      (value) => {
        if (current) setAnswer({ ask, value });
      },
      // Outdated questions are refused; the next one is on its way.
      () => null,
    );
    return () => {
      current = false;
    };
  }, [ask]);
  return answer !== null && answer.ask === ask ? answer.value : null;
}
