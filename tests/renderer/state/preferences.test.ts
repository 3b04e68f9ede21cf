import { describe, expect, it } from 'vitest';
import { createPreferences, readPreferences } from '../../../renderer/state/preferences.ts';

describe('preferences', () => {
  it('keeps what it can use of stored text and drops the rest', () => {
    expect(readPreferences(null)).toEqual({});
    expect(readPreferences('{')).toEqual({});
    expect(readPreferences('null')).toEqual({});
    expect(readPreferences('{"theme":"purple","split":7,"sidebarPx":"wide","layout":"beside"}')).toEqual({
      layout: 'beside',
    });
  });

  it('stores each change', () => {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
    };
    createPreferences(storage).set({ theme: 'dark', split: 0.4 });
    const again = createPreferences(storage).get();
    expect(again).toMatchObject({ theme: 'dark', split: 0.4, detailsPage: 'details' });
  });
});
