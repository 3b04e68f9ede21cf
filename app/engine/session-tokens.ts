import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long the token in a URL's fragment can be exchanged. */
export const FRAGMENT_TOKEN_MS = 60_000;

export interface SessionTokens {
  /** A token that can be exchanged once, within {@link FRAGMENT_TOKEN_MS}. */
  newFragmentToken(): string;
  /** A session token for a fragment token; null where that one is unknown, used or too old. */
  exchange(fragmentToken: string): string | null;
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
      const session = newToken();
      sessions.push(digest(session));
      return session;
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
