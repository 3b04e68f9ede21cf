import { FRAGMENT_KEY, OWN_HOST_NAME, PATHS, rpcErrorSchema, sessionResultSchema } from '#core/contract/contract.ts';

const STORAGE_KEY = 'flamebench-session';

/** What the session needs of a window; the tests hand in their own. */
export interface SessionHost {
  /** `location.hostname` */
  readonly hostName: string;
  readonly fragment: string;
  /** Takes the fragment out of the address bar and the history. */
  clearFragment(): void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly post: (path: string, body: string) => Promise<{ ok: boolean; text: string }>;
}

export function browserSessionHost(): SessionHost {
  return {
    hostName: window.location.hostname,
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
 * Returns the session token: from this tab's storage, or in exchange for the single-use token in the address. Null where there is neither,
 * or where the single-use token has been used or has run out. Under a name that isn't the engine's own, a token in the address is ignored.
 */
export async function takeSession(host: SessionHost): Promise<string | null> {
  const fragmentToken = new URLSearchParams(host.fragment.replace(/^#/, '')).get(FRAGMENT_KEY);
  if (fragmentToken === null) return host.storage.getItem(STORAGE_KEY);
  host.clearFragment();
  const answer = asksForCode(host) ? null : await host.post(PATHS.session, JSON.stringify({ fragmentToken }));
  const token = answer?.ok === true ? readSessionToken(answer.text) : null;
  if (token === null) return host.storage.getItem(STORAGE_KEY);
  host.storage.setItem(STORAGE_KEY, token);
  return token;
}

/** Whether this page's address is one that the engine gives no links to: it takes the code that the terminal shows. */
export const asksForCode = ({ hostName }: Pick<SessionHost, 'hostName'>): boolean => !OWN_HOST_NAME.test(hostName);

/** Exchanges the code for a session token; otherwise returns what to show, with the remedy. Rejects where the engine doesn't answer. */
export async function enterCode(
  host: SessionHost,
  code: string,
): Promise<{ readonly token: string } | { readonly problem: string }> {
  const { ok, text } = await host.post(PATHS.session, JSON.stringify({ code: code.replace(/\s/g, '') }));
  const token = ok ? readSessionToken(text) : null;
  if (token === null) return { problem: readProblem(text) };
  host.storage.setItem(STORAGE_KEY, token);
  return { token };
}

function readSessionToken(text: string): string | null {
  try {
    return sessionResultSchema.parse(JSON.parse(text)).sessionToken;
  } catch {
    return null;
  }
}

function readProblem(text: string): string {
  try {
    const { message, remedy } = rpcErrorSchema.parse((JSON.parse(text) as { error?: unknown }).error);
    return [message, remedy].filter((part) => part !== null).join(' ');
  } catch {
    return 'The engine’s answer is not understood by this page. Reload the page.';
  }
}
