import { FRAGMENT_KEY, OWN_HOST_NAME, PATHS } from '#core/contract/paths.ts';
import { jsonValue } from '#core/model/json-value.ts';
import { readRpcError } from './rpc-error.ts';

const STORAGE_KEY = 'flamebench-session';

/** The parts of a window that the session needs; tests provide their own. */
export interface SessionHost {
  /** The page's `location.hostname`. */
  readonly hostName: string;
  readonly fragment: string;
  /** Removes the fragment from the address bar and the history. */
  clearFragment(): void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly post: (path: string, body: string) => Promise<{ ok: boolean; text: string }>;
}

export function browserSessionHost(): SessionHost {
  return {
    hostName: window.location.hostname,
    fragment: window.location.hash,
    clearFragment: () => window.history.replaceState(null, '', window.location.pathname + window.location.search),
    storage: window.sessionStorage,
    post: async (path, body) => {
      const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return { ok: answer.ok, text: await answer.text() };
    },
  };
}

/**
 * Returns the session token from this tab's storage, or in exchange for the single-use token in the address. Returns
 * null if there is neither, or if the single-use token has been used or has expired. On a host name that is not the
 * engine's own, a token in the address is ignored.
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

/**
 * Returns whether the page must ask for the code shown in the terminal, because the engine issues no links for its
 * address.
 */
export const asksForCode = ({ hostName }: Pick<SessionHost, 'hostName'>): boolean => !OWN_HOST_NAME.test(hostName);

/**
 * Exchanges the code for a session token; otherwise returns the message to show, with its remedy. Rejects if the engine
 * does not answer.
 */
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
  const token = readField(text, 'sessionToken');
  return typeof token === 'string' ? token : null;
}

function readProblem(text: string): string {
  const error = readRpcError(readField(text, 'error'));
  if (error === null) return 'The engine’s answer is not understood by this page. Reload the page.';
  return [error.message, error.remedy].filter((part) => part !== null).join(' ');
}

/** Returns a field of a JSON object; undefined if the text is not one. */
const readField = (text: string, name: string): unknown =>
  (jsonValue(text) as Record<string, unknown> | null | undefined)?.[name];
