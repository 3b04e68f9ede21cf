import { describe, expect, test } from 'vitest';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { PatternError, renameFunctions } from '#core/analyze/search.ts';
import { namedTransformSchema } from '#core/analyze/transforms/transform-schema.ts';

const ref = (name: string) => ({ name, module: '/usr/lib/libc.so.6', file: '', line: 0 });
const byFunction = (name: string) => ({ by: 'function', func: ref(name) }) as const;
const byPath = (from: 'root' | 'leaf', ...names: string[]) => ({ by: 'path', from, path: names.map(ref) }) as const;
const module = { by: 'module', module: '/usr/lib/libc.so.6' } as const;
const pattern = { pattern: '^mem(cpy|set)', ignoreCase: true } as const;

type Bare<T> = T extends unknown ? Omit<T, 'enabled'> : never;

const cases: readonly [Bare<NamedTransform>, string][] = [
  [{ kind: 'focus', on: byFunction('malloc') }, 'focus: malloc'],
  [{ kind: 'focus', on: module }, 'focus module: libc.so.6'],
  [{ kind: 'focus', on: byPath('root', 'main') }, 'focus subtree: main'],
  [{ kind: 'focus', on: byPath('root', 'main', 'run') }, 'focus subtree: main › run'],
  [{ kind: 'focus', on: byPath('leaf', 'c', 'b', 'a') }, 'focus subtree: c ‹ b ‹ a'],
  [{ kind: 'hide', on: byPath('root', 'a', 'b', 'c', 'd') }, 'hide subtree: a › … › d'],
  [{ kind: 'hide', on: { by: 'pattern', ...pattern } }, 'hide stacks with: /^mem(cpy|set)/i'],
  [{ kind: 'hide', on: module }, 'hide stacks with module: libc.so.6'],
  [{ kind: 'drop-without', on: byFunction('main') }, 'only stacks with: main'],
  [{ kind: 'focus-self', on: byFunction('main') }, 'focus on self: main'],
  [{ kind: 'merge', on: { by: 'module', module: '' } }, 'merge module: (unknown)'],
  [{ kind: 'collapse-subtree', on: byFunction('') }, 'collapse below: (no name)'],
  [{ kind: 'collapse-recursion', on: { by: 'all' }, direct: true }, 'collapse direct recursion: every function'],
  [{ kind: 'collapse-recursion', on: byFunction('fib'), direct: false }, 'collapse recursion: fib'],
  [{ kind: 'collapse-module', module: '[kernel.kallsyms]' }, 'collapse module: [kernel.kallsyms]'],
  [{ kind: 'collapse-module', module: null }, 'collapse every module'],
  [{ kind: 'collapse-path', ...pattern, label: '' }, 'collapse: /^mem(cpy|set)/i'],
  [{ kind: 'collapse-path', ...pattern, label: 'memory' }, 'collapse: /^mem(cpy|set)/i → memory'],
  [{ kind: 'rename', pattern: '\\.cold$', ignoreCase: false, replacement: '' }, 'rename: /\\.cold$/ → (nothing)'],
  [{ kind: 'rename', pattern: '^(.*)#', ignoreCase: false, replacement: '$1' }, 'rename: /^(.*)#/ → $1'],
];

describe('describeTransform', () => {
  test.each(cases)('describes %j', (transform, text) => {
    const whole = { enabled: true, ...transform } as NamedTransform;
    expect(describeTransform(whole)).toBe(text);
    expect(namedTransformSchema.parse(structuredClone(whole))).toEqual(whole);
  });

  test('keeps hostile names in one short line', () => {
    const name = `\u001b[31m<b>\r\n\u2028\u202e${'x'.repeat(100_000)}`;
    const text = describeTransform({ enabled: true, kind: 'focus', on: byPath('root', name, name, name) });
    expect(text.length).toBeLessThan(160);
    expect(text).toBe(visibleText(text));
    expect(text).toContain('␛[31m<b>␍␊��');
  });
});

describe('parseTransforms', () => {
  test.each([
    null,
    { enabled: true },
    { enabled: true, kind: 'explode', on: byFunction('a') },
    { enabled: 1, kind: 'collapse-module', module: null },
    { enabled: true, kind: 'focus', on: { by: 'path', from: 'root', path: [] } },
    { enabled: true, kind: 'merge', on: byPath('leaf', 'a') },
    { enabled: true, kind: 'focus', on: { by: 'all' } },
    { enabled: true, kind: 'rename', pattern: 'x'.repeat(20_000), ignoreCase: false, replacement: '' },
  ])('refuses %j', (value) => {
    expect(namedTransformSchema.safeParse(value).success).toBe(false);
  });
});

describe('renameFunctions', () => {
  test.each([
    ['<[^<>]*>', '<…>', 'std::vector<int>::at', 'std::vector<…>::at'],
    ['(?<head>\\w+)\\.func\\d+', '$<head>.func', 'main.func1', 'main.func'],
    ['0x[0-9a-f]+', '$$', 'f0x1 0x2', 'f$ $'],
    ['\\-', '_', 'a-b-c', 'a_b_c'],
  ])('%s → %s', (pattern, replacement, name, expected) => {
    expect(renameFunctions([name], pattern, replacement)).toEqual([expected]);
  });

  test('refuses invalid expressions, and endless replacements', () => {
    expect(() => renameFunctions([], '(', '')).toThrow(PatternError);
    expect(() => renameFunctions([], 'a', 'x'.repeat(20_000))).toThrow(PatternError);
  });
});
