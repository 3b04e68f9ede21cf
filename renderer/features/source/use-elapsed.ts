import { useEffect, useState } from 'react';

/** Returns the milliseconds since `start`, in terms of `performance.now()`, updated four times a second. */
export function useElapsed(start: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - start);
}
