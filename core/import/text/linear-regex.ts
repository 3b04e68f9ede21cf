import { RE2JS, RE2JSException } from 're2js';

/**
 * Maximum of program × text for all texts together, which takes at most some ten seconds; a Go heap profile with 100,000
 * names has a quarter of it.
 */
const MAX_STEPS = 2e9;

/** A regular expression that matches whole texts. */
export interface WholeMatcher {
  /** Throws a RangeError once all texts together have taken too long. */
  matches(text: string): boolean;
}

/**
 * Compiles a regular expression from a file: RE2 syntax as in Go's regexp, matched without backtracking, so that no
 * pattern takes more than program × text steps. Throws a SyntaxError.
 */
export function linearRegex(pattern: string): WholeMatcher {
  const regex = compile(pattern);
  const size = regex.programSize();
  let steps = 0;
  return {
    matches: (text) => {
      steps += size * (text.length + 1);
      if (steps > MAX_STEPS) throw new RangeError('the regular expression takes too long');
      return regex.matches(text);
    },
  };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new SyntaxError(error.message, { cause: error });
  }
}
