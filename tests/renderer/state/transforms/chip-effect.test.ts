import { expect, test, vi } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';

vi.stubGlobal('navigator', { language: 'en' });
const { chipEffects } = await import('../../../../renderer/state/transforms/chip-effect.ts');

const func = { name: 'f', module: '', file: '', line: 0 };
const on = { by: 'function', func } as const;
const path = { by: 'path', from: 'root', path: [func, func] } as const;
const pattern = { by: 'pattern', pattern: 'f', ignoreCase: false } as const;

const effect = (transform: NamedTransform, found: number | null, hidden = 0) =>
  chipEffects([transform], { found: [found], hiddenBy: [hidden], total: 60, hidden: 40 }, 'count')[0];

test.each<[NamedTransform, number | null, number, string, string]>([
  [{ enabled: true, kind: 'hide', on }, 1, 40, '−40.0 %', 'Found 1 function; hides 40 (40.0 % of the total).'],
  [{ enabled: true, kind: 'merge', on }, 1, 0, '', 'Found 1 function; nothing hidden.'],
  [{ enabled: true, kind: 'merge', on: pattern }, 1234, 0, '1,234 fn', 'Found 1,234 functions; nothing hidden.'],
  [{ enabled: true, kind: 'hide', on: path }, 1, 0, '1 of 2 frames of its path', expect.any(String) as string],
  [{ enabled: true, kind: 'merge', on: path }, 2, 0, '', 'Found its whole path; nothing hidden.'],
  [{ enabled: true, kind: 'focus', on: pattern }, 0, 40, 'finds nothing', expect.any(String) as string],
  [{ enabled: false, kind: 'focus', on: pattern }, null, 0, 'off', 'Switched off.'],
])('%j found %j, hid %i: %s', (transform, found, hidden, text, title) => {
  expect(effect(transform, found, hidden)).toEqual({ text, title, nothing: found === 0 });
});

test('is empty for an analysis of another list', () => {
  const none = { found: [], hiddenBy: [], total: 0, hidden: 0 };
  expect(chipEffects([{ enabled: true, kind: 'hide', on }], none, 'count')).toEqual([]);
});
