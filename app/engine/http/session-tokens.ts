import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/**
 * Lifetime of the token in a URL's fragment, in ms: time to find the terminal, log in elsewhere and paste the link. The
 * token has 256 random bits and works once.
 */
const FRAGMENT_TOKEN_MS = 15 * 60_000;
/** Lifetime of a code, in ms. */
const CODE_MS = 60_000;
/** Number of wrong attempts after which a code becomes invalid. A guess succeeds with a probability of 1 in 333,333. */
const CODE_TRIES = 3;
const CODE_DIGITS = 6;

export interface SessionTokens {
  /** Returns a token that can be exchanged once, within {@link FRAGMENT_TOKEN_MS}. */
  newFragmentToken(): string;
  /** Exchanges a fragment token for a session token; null if it is unknown, used or expired. */
  exchange(fragmentToken: string): string | null;
  /**
   * Returns six digits that can be exchanged once, within {@link CODE_MS} and {@link CODE_TRIES} attempts, and
   * invalidates the previous code. Call it only when the user requests a code, so that nobody else gets more attempts.
   */
  newCode(): string;
  /** Exchanges the code for a session token; otherwise returns the number of attempts left, 0 if there is no code. */
  exchangeCode(code: string): { readonly sessionToken: string } | { readonly triesLeft: number };
  isSession(sessionToken: string | undefined): boolean;
}

interface FragmentToken {
  readonly digest: Buffer;
  readonly expires: number;
}

/**
 * Creates the tokens. `monotonic` returns milliseconds of a clock that cannot be set. Only digests of tokens are
 * stored.
 */
export function createSessionTokens(monotonic: () => number = () => performance.now()): SessionTokens {
  let fragments: FragmentToken[] = [];
  const sessions: Buffer[] = [];
  let code: (FragmentToken & { triesLeft: number }) | null = null;

  function newSession(): string {
    const session = newToken();
    sessions.push(digest(session));
    return session;
  }

  return {
    newFragmentToken() {
      const token = newToken();
      fragments = fragments.filter(({ expires }) => expires > monotonic());
      fragments.push({ digest: digest(token), expires: monotonic() + FRAGMENT_TOKEN_MS });
      return token;
    },
    exchange(fragmentToken) {
      const given = digest(fragmentToken);
      const found = fragments.find((candidate) => timingSafeEqual(candidate.digest, given));
      if (found === undefined) return null;
      fragments = fragments.filter((candidate) => candidate !== found);
      if (found.expires <= monotonic()) return null;
      return newSession();
    },
    newCode() {
      const digits = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
      code = { digest: digest(digits), expires: monotonic() + CODE_MS, triesLeft: CODE_TRIES };
      return digits;
    },
    exchangeCode(given) {
      if (code === null || code.expires <= monotonic()) return { triesLeft: 0 };
      const isRight = timingSafeEqual(code.digest, digest(given));
      const triesLeft = code.triesLeft - 1;
      code = isRight || triesLeft === 0 ? null : { ...code, triesLeft };
      return isRight ? { sessionToken: newSession() } : { triesLeft };
    },
    isSession(sessionToken) {
      if (sessionToken === undefined) return false;
      const given = digest(sessionToken);
      return sessions.some((session) => timingSafeEqual(session, given));
    },
  };
}

/** Returns 256 random bits in characters that are valid in a header, a URL and a subprotocol. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
