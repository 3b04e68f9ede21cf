import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** Returns the time in Unix epoch milliseconds, updated each minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
