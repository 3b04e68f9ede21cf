import { expect, test } from 'vitest';
import { isDefaultLibrary } from '#app/engine/library/library-path.ts';

test('the library is the default one if commands use it in any shell', () => {
  const home = { platform: 'linux', home: '/home/ann' };
  const isDefault = (path: string, env: Record<string, string>): boolean => isDefaultLibrary(path, { ...home, env });
  expect(isDefault('/home/ann/.local/share/flamebench/library', {})).toBe(true);
  expect(isDefault('/data/flamebench/library', { XDG_DATA_HOME: '/data' })).toBe(true);
  expect(isDefault('/srv/captures', {})).toBe(false);
  expect(isDefault('/srv/captures', { FLAMEBENCH_LIBRARY: '/srv/captures' })).toBe(false);
});
