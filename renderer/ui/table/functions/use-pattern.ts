import { useEffect, useState } from 'react';
import { takeAnswerAfter } from '../../take-answer.ts';

/** Pause in typing before a pattern runs, in ms. */
const DELAY_MS = 40;

interface PatternState {
  /** 1 per function that matches, else 0; null without a pattern, or before the first result. */
  readonly matches: Uint8Array | null;
  readonly running: boolean;
  /** Why the pattern cannot be used; the previous result stays. */
  readonly refused: string | null;
}

const NONE: PatternState = { matches: null, running: false, refused: null };

interface Answered {
  readonly pattern: string;
  readonly match: unknown;
  readonly matches: Uint8Array | null;
  readonly refused: string | null;
}

/** Runs a pattern through `match`. While it runs, the previous matches stay. A new `match` means new functions. */
export function usePattern(
  pattern: string,
  match: (pattern: string) => Promise<Uint8Array>,
  explain: (error: unknown) => string | null,
): PatternState {
  const [answered, setAnswered] = useState<Answered | null>(null);
  useEffect(() => {
    if (pattern === '') return undefined;
    return takeAnswerAfter(
      DELAY_MS,
      () => match(pattern),
      (matches) => setAnswered({ pattern, match, matches, refused: null }),
      (error) => {
        const refused = explain(error);
        if (refused === null) return;
        setAnswered((before) => ({ pattern, match, matches: before?.matches ?? null, refused }));
      },
    );
  }, [pattern, match, explain]);
  if (pattern === '') return NONE;
  const isCurrent = answered !== null && answered.pattern === pattern && answered.match === match;
  return { matches: answered?.matches ?? null, running: !isCurrent, refused: isCurrent ? answered.refused : null };
}
