import { describe, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { viewSamples, buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { byFunction, byPath, framedSamples, framedWeights, profileOfFrames, viewOf } from '../framed-samples.ts';
import { naiveView } from './naive-transform.ts';

const weights = (...lines: string[]) => naiveView(framedSamples(...lines), []).weights;

const samples = framedSamples('x!a;x!b;y!a 1', 'x!a;x!b 2', 'y!c;x!b;y!c 4', 'x!a 8', '16');

describe('each kind', () => {
  const on = { enabled: true } as const;

  test.each<[string, NamedTransform, string[], number]>([
    ['focus a function', { ...on, kind: 'focus', on: byFunction('x!b') }, ['x!b;y!a 1', 'x!b 2', 'x!b;y!c 4'], 24],
    ['focus a module', { ...on, kind: 'focus', on: { by: 'module', module: 'y' } }, ['y!a 1', 'y!c;x!b;y!c 4'], 26],
    ['focus a subtree', { ...on, kind: 'focus', on: byPath('root', 'x!a', 'x!b') }, ['x!b;y!a 1', 'x!b 2'], 28],
    ['focus a subtree of callers', { ...on, kind: 'focus', on: byPath('leaf', 'y!a', 'x!b') }, ['x!a;x!b 1'], 30],
    ['hide a function', { ...on, kind: 'hide', on: byFunction('x!b') }, ['x!a 8', ' 16'], 7],
    ['hide a subtree', { ...on, kind: 'hide', on: byPath('root', 'x!a', 'x!b') }, ['y!c;x!b;y!c 4', 'x!a 8', ' 16'], 3],
    [
      'hide a subtree of callers',
      { ...on, kind: 'hide', on: byPath('leaf', 'y!c', 'x!b') },
      ['x!a;x!b;y!a 1', 'x!a;x!b 2', 'x!a 8', ' 16'],
      4,
    ],
    [
      'drop samples without a module',
      { ...on, kind: 'drop-without', on: { by: 'module', module: 'y' } },
      ['x!a;x!b;y!a 1', 'y!c;x!b;y!c 4'],
      26,
    ],
    ['focus on the self weight of a function', { ...on, kind: 'focus-self', on: byFunction('x!b') }, ['x!a;x!b 2'], 29],
    [
      'focus on the self weight of a module',
      { ...on, kind: 'focus-self', on: { by: 'module', module: 'y' } },
      ['x!a;x!b;y!a 1', 'y!c;x!b;y!c 4'],
      26,
    ],
    [
      'drop samples with a pattern',
      { ...on, kind: 'hide', on: { by: 'pattern', pattern: '^C$', ignoreCase: true } },
      ['x!a;x!b;y!a 1', 'x!a;x!b 2', 'x!a 8', ' 16'],
      4,
    ],
    ['merge a module', { ...on, kind: 'merge', on: { by: 'module', module: 'x' } }, ['y!a 1', 'y!c;y!c 4', ' 26'], 0],
    [
      'merge one node',
      { ...on, kind: 'merge', on: byPath('root', 'x!a', 'x!b') },
      ['x!a;y!a 1', 'x!a 10', 'y!c;x!b;y!c 4', ' 16'],
      0,
    ],
    [
      'collapse what a function calls',
      { ...on, kind: 'collapse-subtree', on: byFunction('x!b') },
      ['x!a;x!b 3', 'y!c;x!b 4', 'x!a 8', ' 16'],
      0,
    ],
    [
      'collapse a module',
      { ...on, kind: 'collapse-module', module: 'x' },
      ['x!x;y!a 1', 'x!x 10', 'y!c;x!x;y!c 4', ' 16'],
      0,
    ],
    [
      'collapse every module',
      { ...on, kind: 'collapse-module', module: null },
      ['x!x;y!y 1', 'x!x 10', 'y!y;x!x;y!y 4', ' 16'],
      0,
    ],
    [
      'collapse a pattern to a label',
      { ...on, kind: 'collapse-path', pattern: '[ab]', ignoreCase: false, label: 'L' },
      ['!L 11', 'y!c;!L;y!c 4', ' 16'],
      0,
    ],
    [
      'collapse a pattern within one module',
      { ...on, kind: 'collapse-path', pattern: 'b', ignoreCase: false, label: '' },
      ['x!a;x!/b/;y!a 1', 'x!a;x!/b/ 2', 'y!c;x!/b/;y!c 4', 'x!a 8', ' 16'],
      0,
    ],
    [
      'rename',
      { ...on, kind: 'rename', pattern: '^([ac])$', ignoreCase: false, replacement: '<$1>' },
      ['x!<a>;x!b;y!<a> 1', 'x!<a>;x!b 2', 'y!<c>;x!b;y!<c> 4', 'x!<a> 8', ' 16'],
      0,
    ],
    [
      'rename to one name, by module',
      { ...on, kind: 'rename', pattern: '^.$', ignoreCase: false, replacement: 'f' },
      ['x!f;x!f;y!f 1', 'x!f;x!f 2', 'y!f;x!f;y!f 4', 'x!f 8', ' 16'],
      0,
    ],
  ])('%s', async (_, transform, lines, hidden) => {
    const view = await viewOf(samples, transform);
    expect(framedWeights(view)).toEqual(weights(...lines));
    expect(view.hiddenBy).toEqual([hidden]);
    expect(view.hidden).toBe(hidden);
  });

  const recursive = framedSamples('!m;!f;!f;!g;!f;!h 1', '!m;!f;!g;!g;!f 2', '!g;!g;!f;!g 4');

  test.each<[string, NamedTransform, string[]]>([
    [
      'recursion of one function',
      { ...on, kind: 'collapse-recursion', on: byFunction('!f'), direct: false },
      ['!m;!f;!h 1', '!m;!f 2', '!g;!g;!f;!g 4'],
    ],
    [
      'direct recursion of one function',
      { ...on, kind: 'collapse-recursion', on: byFunction('!f'), direct: true },
      ['!m;!f;!g;!f;!h 1', '!m;!f;!g;!g;!f 2', '!g;!g;!f;!g 4'],
    ],
    [
      'recursion of every function',
      { ...on, kind: 'collapse-recursion', on: { by: 'all' }, direct: false },
      ['!m;!f;!h 1', '!m;!f 2', '!g 4'],
    ],
    [
      'direct recursion of every function',
      { ...on, kind: 'collapse-recursion', on: { by: 'all' }, direct: true },
      ['!m;!f;!g;!f;!h 1', '!m;!f;!g;!f 2', '!g;!f;!g 4'],
    ],
  ])('collapses %s', async (_, transform, lines) => {
    expect(framedWeights(await viewOf(recursive, transform))).toEqual(weights(...lines));
  });

  test('restores folded frames to the path after leaving a folded call', async () => {
    const view = await viewOf(framedSamples('!f;!g;!h;!f;!x 1', '!f;!g;!h;!g;!y 2'), {
      ...on,
      kind: 'collapse-recursion',
      on: { by: 'all' },
      direct: false,
    });
    expect(framedWeights(view)).toEqual(weights('!f;!x 1', '!f;!g;!y 2'));
  });

  test('skips disabled transforms and does not run their patterns', async () => {
    const off = { enabled: false } as const;
    const view = await viewOf(
      samples,
      { ...off, kind: 'hide', on: { by: 'pattern', pattern: '(', ignoreCase: false } },
      { ...on, kind: 'hide', on: byFunction('x!b') },
      { ...off, kind: 'focus', on: byFunction('x!b') },
    );
    expect(view.hiddenBy).toEqual([0, 7, 0]);
    expect(view.total).toBe(24);
  });

  test('hides samples left without a stack by an earlier transform in a later focus', async () => {
    const profile = profileOfFrames(framedSamples('x!a 1', 'x!b 2', '4'));
    const transforms = [
      { enabled: true, kind: 'merge', on: byFunction('x!a') },
      { enabled: true, kind: 'focus', on: byFunction('x!b') },
    ] as const;
    const merged = await resolveTransforms(profile, transforms.slice(0, 1), patternsHere);
    expect([...viewSamples(profile, wholeProfile(profile), merged).rowOfSample]).toEqual([-1, 0, -1]);
    const focused = await resolveTransforms(profile, transforms, patternsHere);
    expect([...viewSamples(profile, wholeProfile(profile), focused).rowOfSample]).toEqual([-2, 0, -2]);
  });

  test('hides everything or nothing if there is no match, and reports that nothing was found', async () => {
    const profile = profileOfFrames(samples);
    const resolved = await resolveTransforms(
      profile,
      [
        { enabled: true, kind: 'merge', on: byFunction('y!b') },
        { enabled: false, kind: 'merge', on: byFunction('y!b') },
        { enabled: true, kind: 'focus', on: byPath('root', 'x!a', '!gone') },
      ],
      patternsHere,
    );
    expect(resolved.found).toEqual([0, null, 1]);
    expect(buildStackView(profile, wholeProfile(profile), resolved)).toMatchObject({ total: 0, hiddenBy: [0, 0, 31] });
  });
});

test('functions that a transform hides or removes are no longer found', async () => {
  const found = async (kind: 'hide' | 'merge' | 'show' | 'focus', pattern: string): Promise<readonly unknown[]> => {
    const on = { by: 'pattern', pattern, ignoreCase: false } as const;
    const all = { by: 'pattern', pattern: '.', ignoreCase: false } as const;
    const transforms = [
      { enabled: true, kind, on },
      { enabled: true, kind: 'focus', on: all },
    ] as const;
    return (await resolveTransforms(profileOfFrames(samples), transforms, patternsHere)).found;
  };
  expect(await found('hide', 'a')).toEqual([2, 2]);
  expect(await found('merge', 'a')).toEqual([2, 2]);
  expect(await found('show', 'b')).toEqual([1, 1]);
  expect(await found('focus', 'a')).toEqual([2, 4]);
});

test('a hidden function is found again once another one has its name', async () => {
  const named = (pattern: string) => ({ by: 'pattern', pattern, ignoreCase: false }) as const;
  const renamed = { enabled: true, kind: 'rename', pattern: '^b$', ignoreCase: false, replacement: 'a' } as const;
  const { found } = await resolveTransforms(
    profileOfFrames(framedSamples('x!a 1', 'x!b 2')),
    [
      { enabled: true, kind: 'hide', on: named('a') },
      { enabled: true, kind: 'focus', on: named('a') },
      renamed,
      { enabled: true, kind: 'focus', on: named('a') },
    ],
    patternsHere,
  );
  expect(found).toEqual([1, 0, 1, 1]);
});

describe('made functions', () => {
  test('can be named by later transforms', async () => {
    const view = await viewOf(
      samples,
      { enabled: true, kind: 'rename', pattern: '^[ab]$', ignoreCase: false, replacement: 'ab' },
      { enabled: true, kind: 'focus', on: byFunction('y!ab') },
    );
    expect(framedWeights(view)).toEqual(weights('y!ab 1'));
    const folded = await viewOf(
      samples,
      { enabled: true, kind: 'collapse-module', module: 'x' },
      { enabled: true, kind: 'hide', on: { by: 'pattern', pattern: '^x$', ignoreCase: false } },
    );
    expect(framedWeights(folded)).toEqual(weights(' 16'));
  });

  test('replace renamed and collapsed functions, which are no longer found', async () => {
    const named = (name: string) => ({ by: 'pattern', pattern: `^${name}$`, ignoreCase: false }) as const;
    const { found } = await resolveTransforms(
      profileOfFrames(samples),
      [
        { enabled: true, kind: 'rename', pattern: '^a$', ignoreCase: false, replacement: 'z' },
        { enabled: true, kind: 'merge', on: named('a') },
        { enabled: true, kind: 'collapse-module', module: 'y' },
        { enabled: true, kind: 'merge', on: named('c') },
        { enabled: true, kind: 'merge', on: named('z') },
      ],
      patternsHere,
    );
    expect(found).toEqual([2, 0, 2, 0, 1]);
  });

  test('join an existing function of the same name', async () => {
    const view = await viewOf(framedSamples('x!a 1', 'x!a.cold 2', 'y!a.cold 4'), {
      enabled: true,
      kind: 'rename',
      pattern: '\\.cold$',
      ignoreCase: false,
      replacement: '',
    });
    expect(framedWeights(view)).toEqual(weights('x!a 3', 'y!a 4'));
    expect(functionStats(view).length).toBe(2);
  });

  test('have the properties that their parts share', async () => {
    const builder = new ProfileBuilder();
    const thread = builder.thread(1, 1, 't');
    const { user, kernel, unresolved } = FunctionKind;
    for (const key of [
      { name: 'f1', module: 'm', file: 'f.c', line: 3, kind: user },
      { name: 'f2', module: 'm', file: 'f.c', line: 4, kind: user },
      { name: 'g1', module: 'm', file: 'g.c', line: 3, kind: unresolved },
      { name: 'h1', module: 'm', file: 'h.c', line: 9, kind: kernel },
    ]) {
      builder.sample({ stack: builder.stack(NO_STACK, builder.frame({ func: builder.function(key) })), thread });
    }
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    const made = async (pattern: string) => {
      const transform = { enabled: true, kind: 'collapse-path', pattern, ignoreCase: false, label: 'L' } as const;
      const { strings, functions } = await resolveTransforms(profile, [transform], patternsHere);
      const last = functions.length - 1;
      return [
        strings[functions.module[last]!],
        strings[functions.file[last]!],
        functions.line[last],
        functions.kind[last],
      ];
    };
    expect(await made('f')).toEqual(['m', 'f.c', 0, user]);
    expect(await made('[fg]')).toEqual(['m', '', 0, user]);
    expect(await made('g')).toEqual(['m', 'g.c', 3, unresolved]);
    expect(await made('[fh]')).toEqual(['m', '', 0, FunctionKind.unknown]);
  });
});

describe('function references', () => {
  const builder = new ProfileBuilder();
  const thread = builder.thread(1, 1, 't');
  for (const [file, line] of [
    ['a.js', 1],
    ['a.js', 7],
    ['b.js', 1],
  ] as const) {
    const func = builder.function({ name: '(anonymous)', module: 'app', file, line });
    builder.sample({ stack: builder.stack(NO_STACK, builder.frame({ func })), thread });
  }
  const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });

  test.each([
    ['same line', 'a.js', 7, [1]],
    ['same file, line moved', 'a.js', 8, [0, 1]],
    ['another file', 'c.js', 7, [0, 1, 2]],
    ['no file', '', 0, [0, 1, 2]],
  ])('%s', async (_, file, line, expected) => {
    const func = { name: '(anonymous)', module: 'app', file, line };
    const { steps } = await resolveTransforms(
      profile,
      [{ enabled: true, kind: 'hide', on: { by: 'function', func } }],
      patternsHere,
    );
    const chosen = (steps[0] as { chosen: Uint8Array }).chosen;
    expect([...chosen.keys()].filter((index) => chosen[index] === 1)).toEqual(expected);
  });
});
