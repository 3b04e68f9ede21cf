import './no-eval-zod.ts';
import { FRAGMENT_KEY, PATHS, sessionResultSchema } from '#core/contract/contract.ts';

const STORAGE_KEY = 'flamebench-session';

/** What the session needs of a window; the tests hand in their own. */
export interface SessionHost {
  readonly fragment: string;
  /** Takes the fragment out of the address bar and the history. */
  clearFragment(): void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly post: (path: string, body: string) => Promise<{ ok: boolean; text: string }>;
}

export function browserSessionHost(): SessionHost {
  return {
    fragment: window.location.hash,
    clearFragment: () => {
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    },
    storage: window.sessionStorage,
    post: async (path, body) => {
      const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return { ok: answer.ok, text: await answer.text() };
    },
  };
}

/**
 * The session token: from this tab's storage, or in exchange for the single-use token in the address. Null where there is neither,
 * or where the single-use token has been used or has run out.
 */
export async function takeSession(host: SessionHost): Promise<string | null> {
  const fragmentToken = new URLSearchParams(host.fragment.replace(/^#/, '')).get(FRAGMENT_KEY);
  if (fragmentToken === null) return host.storage.getItem(STORAGE_KEY);
  host.clearFragment();
  const answer = await host.post(PATHS.session, JSON.stringify({ fragmentToken }));
  const token = answer.ok ? readSessionToken(answer.text) : null;
  if (token === null) return host.storage.getItem(STORAGE_KEY);
  host.storage.setItem(STORAGE_KEY, token);
  return token;
}

export function forgetSession(host: Pick<SessionHost, 'storage'>): void {
  host.storage.removeItem(STORAGE_KEY);
}

function readSessionToken(text: string): string | null {
  try {
    return sessionResultSchema.parse(JSON.parse(text)).sessionToken;
  } catch {
    return null;
  }
}
