import { describe, expect, test } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { previewTransform } from '#core/analyze/transforms/preview-transform.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const profile = profileFromText('main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
const on = { by: 'pattern', pattern: 'spin|work', ignoreCase: false } as const;
const hideIdle: NamedTransform = {
  enabled: true,
  kind: 'hide',
  on: { by: 'pattern', pattern: 'idle', ignoreCase: false },
};
const ref = (name: string) => ({ name, module: '', file: '', line: 0 });

const preview = (transform: NamedTransform, before: readonly NamedTransform[] = []) =>
  previewTransform(profile, wholeProfile(profile), before, transform, patternsHere);

const names = ({ functions }: Awaited<ReturnType<typeof preview>>) =>
  functions.map(({ func, total }) => `${func.name} ${total}`);

describe('what a transform would do', () => {
  test.each<[string, NamedTransform, object, string[]]>([
    ['hide', { enabled: true, kind: 'hide', on }, { found: 2, weight: 90, hides: 90 }, ['work 90', 'spin 70']],
    ['focus', { enabled: true, kind: 'focus', on }, { found: 2, weight: 90, hides: 10 }, ['work 90', 'spin 70']],
    [
      'merge, although disabled',
      { enabled: false, kind: 'merge', on },
      { weight: 90, hides: 0 },
      ['work 90', 'spin 70'],
    ],
    [
      'rename',
      { enabled: true, kind: 'rename', pattern: '^i', ignoreCase: false, replacement: 'I' },
      { found: 1, weight: 30, hides: 0 },
      ['idle 30'],
    ],
    [
      'collapse',
      { enabled: true, kind: 'collapse-path', pattern: 'x', ignoreCase: false, label: 'y' },
      { found: 0, weight: 0, hides: 0 },
      [],
    ],
    [
      'a path',
      { enabled: true, kind: 'hide', on: { by: 'path', from: 'root', path: [ref('main'), ref('idle')] } },
      { found: 2, weight: 10, hides: 10 },
      [],
    ],
  ])('%s', async (_, transform, expected, functions) => {
    const result = await preview(transform);
    expect(result).toMatchObject({ ...expected, total: 100 });
    expect(names(result)).toEqual(functions);
  });

  test('depends on the transforms before it', async () => {
    const result = await preview({ enabled: true, kind: 'hide', on }, [hideIdle]);
    expect(result).toMatchObject({ found: 2, weight: 70, total: 70, hides: 70 });
    expect(await preview({ enabled: true, kind: 'hide', on }, [{ ...hideIdle, enabled: false }])).toMatchObject({
      total: 100,
    });
  });

  test('rejects for a bad pattern', async () => {
    await expect(preview({ enabled: true, kind: 'hide', on: { ...on, pattern: '(' } })).rejects.toThrow('(');
  });
});
