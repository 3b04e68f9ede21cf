import { expect, test } from 'vitest';
import { legendMatches } from '../../../../../renderer/ui/flame/legend/entries.ts';

test('searches colours by label, ignoring case, in order', () => {
  const entries = ['libC', 'Go runtime', 'libcrypto'].map((label) => ({ label, colour: '#000000', weight: 1 }));
  const found = (query: string) => legendMatches(entries, query).map(({ label }) => label);
  expect(found(' LIBC ')).toEqual(['libC', 'libcrypto']);
  expect(found('.*')).toEqual([]);
  expect(legendMatches(entries, '')).toBe(entries);
});
