import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** How long the token in a URL's fragment can be exchanged. */
const FRAGMENT_TOKEN_MS = 60_000;
/** How long a code can be exchanged. */
const CODE_MS = 60_000;
/** Wrong codes that are answered; then the code is void. One in 333,333 guesses at it succeeds. */
const CODE_TRIES = 3;
const CODE_DIGITS = 6;

export interface SessionTokens {
  /** A token that can be exchanged once, within {@link FRAGMENT_TOKEN_MS}. */
  newFragmentToken(): string;
  /** A session token for a fragment token; null where that one is unknown, used or too old. */
  exchange(fragmentToken: string): string | null;
  /**
   * Six digits that can be exchanged once, within {@link CODE_MS}, by at most {@link CODE_TRIES} tries. Voids the code before it. Made only when
   * the user asks for one, so that nobody else gets more tries.
   */
  newCode(): string;
  /** A session token for the code; else how many tries are left, 0 where there is no code. */
  exchangeCode(code: string): { readonly sessionToken: string } | { readonly triesLeft: number };
  isSession(sessionToken: string | undefined): boolean;
}

interface FragmentToken {
  readonly digest: Buffer;
  readonly expires: number;
}

/** `monotonic`: milliseconds on a clock that nobody sets. Only digests of tokens are kept. */
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

/** 256 bits, in characters that a header, a URL and a subprotocol take. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
