import { describe, expect, it } from 'vitest';
import { asksForCode, enterCode, takeSession } from '../../../renderer/state/session.ts';
import type { SessionHost } from '../../../renderer/state/session.ts';

interface FakeHost extends SessionHost {
  readonly posts: string[];
  readonly stored: Map<string, string>;
  cleared: boolean;
}

function host(fragment: string, answer: { ok: boolean; text: string }, stored: [string, string][] = []): FakeHost {
  const values = new Map(stored);
  const fake: FakeHost = {
    hostName: 'abcdefghijklmnop.localhost',
    fragment,
    posts: [],
    stored: values,
    cleared: false,
    clearFragment: () => {
      fake.cleared = true;
    },
    storage: {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    },
    post: (path, body) => {
      fake.posts.push(`${path} ${body}`);
      return Promise.resolve(answer);
    },
  };
  return fake;
}

const granted = { ok: true, text: '{"sessionToken":"s-1"}' };
const refused = { ok: false, text: '{"ok":false,"error":{"code":"used","message":"used","remedy":null}}' };

describe('takeSession', () => {
  it('exchanges the fragment once and removes it from the address', async () => {
    const fake = host('#token=f-1', granted);
    expect(await takeSession(fake)).toBe('s-1');
    expect(fake.posts).toEqual(['/session {"fragmentToken":"f-1"}']);
    expect(fake.cleared).toBe(true);
    expect([...fake.stored.values()]).toEqual(['s-1']);
  });

  it('keeps its session across a reload', async () => {
    const fake = host('', granted, [['flamebench-session', 's-0']]);
    expect(await takeSession(fake)).toBe('s-0');
    expect(fake.posts).toEqual([]);
  });

  it('falls back to the stored session if the fragment was used before', async () => {
    expect(await takeSession(host('#token=f-1', refused, [['flamebench-session', 's-0']]))).toBe('s-0');
  });

  it('returns null if there is no token', async () => {
    expect(await takeSession(host('', granted))).toBeNull();
    expect(await takeSession(host('#token=f-1', refused))).toBeNull();
    expect(await takeSession(host('#token=f-1', { ok: true, text: 'no json' }))).toBeNull();
  });
});

describe('under an address without a token', () => {
  const plain = (answer: { ok: boolean; text: string }): FakeHost => ({
    ...host('#token=f-1', answer),
    hostName: '127.0.0.1',
  });

  it('does not send a token from the address', async () => {
    const fake = plain(granted);
    expect(asksForCode(fake)).toBe(true);
    expect(await takeSession(fake)).toBeNull();
    expect(fake.posts).toEqual([]);
  });

  it('exchanges a code, and keeps the session', async () => {
    const fake = plain(granted);
    expect(await enterCode(fake, ' 123 456')).toEqual({ token: 's-1' });
    expect(fake.posts).toEqual(['/session {"code":"123456"}']);
    expect([...fake.stored.values()]).toEqual(['s-1']);
  });

  it('shows why a code was refused', async () => {
    const text = '{"ok":false,"error":{"code":"wrong-code","message":"Wrong code.","remedy":"Type it again."}}';
    expect(await enterCode(plain({ ok: false, text }), '1')).toEqual({ problem: 'Wrong code. Type it again.' });
    expect(await enterCode(plain({ ok: false, text: '<html>' }), '1')).toMatchObject({
      problem: expect.stringContaining('Reload'),
    });
  });

  it.each(['abcdefghijklmnop.localhost'])('%s asks for no code', (hostName) => {
    expect(asksForCode({ hostName })).toBe(false);
  });

  it.each(['127.0.0.1', 'localhost', 'short.localhost', 'abcdefghijklmnop.localhost.evil.example'])(
    '%s asks for a code',
    (hostName) => {
      expect(asksForCode({ hostName })).toBe(true);
    },
  );
});
