/**
 * Passes on the answer to what an effect asked, unless the effect has ended: returns its cleanup. Without `fail`, a
 * failure is an unhandled rejection.
 */
export function takeAnswer<T>(
  answer: Promise<T>,
  take: (value: T) => void,
  fail?: (error: unknown) => void,
): () => void {
  let hasEnded = false;
  const unlessEnded =
    <V>(run: (value: V) => void) =>
    (value: V): void => {
      if (!hasEnded) run(value);
    };
  void answer.then(unlessEnded(take), fail && unlessEnded(fail));
  return () => {
    hasEnded = true;
  };
}

/** Works as `takeAnswer` does, but asks after a pause in ms, for questions that change while the user types or points. */
export function takeAnswerAfter<T>(
  pauseMs: number,
  ask: () => Promise<T>,
  take: (value: T) => void,
  fail: (error: unknown) => void,
): () => void {
  let end: (() => void) | null = null;
  const timer = setTimeout(() => {
    end = takeAnswer(ask(), take, fail);
  }, pauseMs);
  return () => {
    clearTimeout(timer);
    end?.();
  };
}
