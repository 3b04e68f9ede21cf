import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { IGNORED_MODULES, matchFunctions, MODULE_UNKNOWN } from '#core/compare/match/match-functions.ts';
import { applyRule, DEFAULT_MATCH_RULES, MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import { profileOfFrames } from '../../analyze/framed-samples.ts';
import '../../../support/sketch-profile.ts';

describe('rules', () => {
  const byName = (id: string, name: string): string =>
    applyRule(MATCH_RULES.find((rule) => rule.id === id)!.name, name);
  const byModule = (id: string, name: string): string =>
    applyRule(MATCH_RULES.find((rule) => rule.id === id)!.module, name);

  test.each([
    ['addresses', 'work+0x1c', 'work'],
    ['addresses', '0x7f3a00', '0x...'],
    ['addresses', 'thunk_0x7f3a00', 'thunk_0x7f3a00'],
    ['addresses', '[perf-812.map]', '[perf-….map]'],
    ['addresses', '[jitted-812-40.so]', '[jitted-….so]'],
    ['go-closures', 'main.run.func1', 'main.run.func…'],
    ['go-closures', 'main.(*T).run.func2.1.3', 'main.(*T).run.func…'],
    ['go-closures', 'main.run.func1.gowrap2', 'main.run.func…'],
    ['go-closures', 'main.glob..func7', 'main.glob..func…'],
    ['go-closures', 'main.all.func1-range2', 'main.all.func…'],
    ['go-closures', 'main.function1', 'main.function1'],
    ['go-generics', 'slices.Sort[go.shape.int_0]', 'slices.Sort[…]'],
    ['go-generics', 'a.M[go.shape.struct { x [3]int }].get', 'a.M[…].get'],
    ['go-generics', 'a.M[...].get', 'a.M[…].get'],
    ['go-generics', 'a.M[go.shape.', 'a.M[…]'],
    ['compiler-clones', 'f.isra.0', 'f'],
    ['compiler-clones', 'f.isra.0.constprop.1.cold', 'f'],
    ['compiler-clones', 'f.part.12', 'f'],
    ['compiler-clones', 'ns::f(int) [clone .isra.0] [clone .cold]', 'ns::f(int)'],
    ['compiler-clones', 'lib.partial', 'lib.partial'],
    ['rust-hashes', 'core::ptr::drop::h0123456789abcdef', 'core::ptr::drop'],
    ['rust-hashes', 'core[846817f741e54dfd]::slice::sort', 'core::slice::sort'],
    ['rust-hashes', 'a::hash', 'a::hash'],
    ['js-lines', 'LazyCompile:*parse /app/a.js:12:3', 'parse /app/a.js'],
    ['js-lines', 'JS:^parse', 'parse'],
    ['js-lines', 'JS:+parse', 'parse'],
    ['js-lines', 'JS:~parse file:///app/a.mjs:12', 'parse file:///app/a.mjs'],
    ['js-lines', 'emit node:events:508:28', 'emit node:events'],
    ['js-lines', 'Function::call', 'Function::call'],
    ['jvm-classes', 'App$$Lambda$75.0x0000000800c22a28.run', 'App$$Lambda….run'],
    ['jvm-classes', 'App$$Lambda.0x....run', 'App$$Lambda….run'],
    ['jvm-classes', 'App$$Lambda$27.872627152.run', 'App$$Lambda….run'],
    ['jvm-classes', 'App$$Lambda$88+0x....2124643775.run', 'App$$Lambda….run'],
    ['jvm-classes', 'Lapp/Foo$$Lambda$12;::run', 'Lapp/Foo$$Lambda…;::run'],
    ['jvm-classes', 'java.lang.invoke.LambdaForm$MH+0x....1800031768.invoke', 'java.lang.invoke.LambdaForm$MH….invoke'],
    [
      'jvm-classes',
      'jdk.internal.reflect.GeneratedMethodAccessor31.invoke',
      'jdk.internal.reflect.GeneratedMethodAccessor….invoke',
    ],
    ['jvm-classes', 'jdk.proxy2.$Proxy23.close', 'jdk.proxy2.$Proxy….close'],
    ['jvm-classes', 'a.B$$EnhancerBySpringCGLIB$$1a2b3c4d.get', 'a.B$$EnhancerBySpringCGLIB….get'],
    ['jvm-classes', 'a.LambdaForm.get', 'a.LambdaForm.get'],
    ['jvm-classes', 'a.Lambda$1.get', 'a.Lambda$1.get'],
    ['lua-paths', '@/opt/app-7/lib/route.lua:31', 'route.lua:31'],
    ['lua-paths', 'match (/usr/share/lua/route.lua:31)', 'match (route.lua:31)'],
    ['lua-paths', 'evaluate', 'evaluate'],
    ['cxx-abi', 'f[abi:cxx11](int)', 'f(int)'],
    ['cxx-abi', 'std::__1::sort<std::__cxx11::basic_string>', 'std::sort<std::basic_string>'],
    ['cxx-abi', 'std::__detail::go', 'std::__detail::go'],
  ])('%s: %s', (id, name, wanted) => expect(byName(id, name)).toBe(wanted));

  test.each([
    ['addresses', '/tmp/perf-812.map', '/tmp/perf-….map'],
    ['addresses', '[JIT] tid 812', '[JIT]'],
    ['addresses', '/tmp/jitted-812-40.so', '/tmp/jitted-….so'],
    ['addresses', '/usr/bin/app (deleted)', '/usr/bin/app'],
    ['module-paths', '/opt/build-7/libz.so.1.3', 'libz.so'],
    ['module-paths', 'C:\\app\\a.dll', 'a.dll'],
    ['module-paths', '[kernel.kallsyms]', '[kernel.kallsyms]'],
    ['module-paths', '/ends/in/', '/ends/in/'],
  ])('%s for modules: %s', (id, module, wanted) => expect(byModule(id, module)).toBe(wanted));

  test('change nothing more when applied twice, never empty a name, and stop at huge names', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MATCH_RULES),
        fc.array(
          fc.constantFrom(
            'f',
            '.isra',
            '.0',
            '::h0123456789abcdef',
            '[go.shape.',
            ']',
            '.func1',
            '/a',
            '.lua:3',
            '.js:1:2',
            '@',
            '+0x1',
            ' ',
          ),
          { maxLength: 8 },
        ),
        ({ name }, parts) => {
          const text = `x${parts.join('')}`;
          expect(applyRule(name, text)).not.toBe('');
        },
      ),
    );
    for (const { name } of MATCH_RULES) {
      expect(applyRule(name, '')).toBe('');
      const huge = `${'x.isra'.repeat(3000)}+0x12`;
      expect(applyRule(name, huge)).toBe(huge);
    }
  });
});

const view = (...frames: string[]) => buildStackView(profileOfFrames([{ stack: frames, weight: 1 }]));

const match = (before: readonly string[], after: readonly string[], rules: Partial<MatchRules> = {}) =>
  matchFunctions(
    [{ view: view(...before) }],
    [{ view: view(...after) }],
    { ...DEFAULT_MATCH_RULES, ...rules },
    patternsHere,
  );

const names = ({ table }: { table: Parameters<typeof functionRef>[0] }): string[] =>
  Array.from({ length: table.functions.length }, (_, func) => {
    const { name, module } = functionRef(table, func);
    return `${module}!${name}`;
  });

describe('matching', () => {
  test('uses name and module', async () => {
    const found = await match(['a!f', 'b!f', 'a!gone'], ['a!f', 'a!new', 'a!__proto__']);
    expect(names(found)).toEqual(['a!f', 'b!f', 'a!gone', 'a!new', 'a!__proto__']);
    expect(found.onlyBefore.map((func) => names(found)[func])).toEqual(['b!f', 'a!gone']);
    expect(found.onlyAfter.map((func) => names(found)[func])).toEqual(['a!new', 'a!__proto__']);
    expect(found.merges).toEqual([]);
  });

  test('lists what each rule merged, with its side', async () => {
    const found = await match(['/v1/libx.so.1!f.isra.0', '/v1/libx.so.1!g'], ['/v2/libx.so.2!f', '/v2/libx.so.2!g']);
    expect(names(found)).toEqual(['libx.so!f', 'libx.so!g']);
    expect(found.merges.map(({ rule, merges }) => [rule, merges.map(({ func }) => func)])).toEqual([
      ['module-paths', [0, 1]],
      ['compiler-clones', [0]],
    ]);
    expect(found.merges[1]!.merges[0]!.from).toEqual([
      { name: 'f.isra.0', module: '/v1/libx.so.1', inBefore: true, inAfter: false },
      { name: 'f', module: '/v2/libx.so.2', inBefore: false, inAfter: true },
    ]);
    expect(found.onlyBefore).toEqual([]);
  });

  test('keeps functions of a disabled rule apart', async () => {
    const found = await match(['a!f.isra.0'], ['a!f'], { off: ['compiler-clones'] });
    expect(names(found)).toEqual(['a!f.isra.0', 'a!f']);
    expect(found.merges).toEqual([]);
  });

  test('leaves a name without a match unchanged', async () => {
    expect(names(await match(['a!f.isra.0', '/x/b.so.1!g'], ['a!h']))).toEqual(['a!f.isra.0', '/x/b.so.1!g', 'a!h']);
  });

  test('matches a function of an unknown module with the only one of its name', async () => {
    const found = await match(['!f', '!g'], ['a!f', 'a!g', 'b!g']);
    expect(names(found)).toEqual(['a!f', '!g', 'a!g', 'b!g']);
    expect(found.merges.map(({ rule }) => rule)).toEqual([MODULE_UNKNOWN]);
    expect(names(await match(['!f'], ['a!f'], { off: [MODULE_UNKNOWN] }))).toEqual(['!f', 'a!f']);
  });

  test('can ignore modules', async () => {
    const found = await match(['a!f', 'b!f'], ['c!f'], { ignoreModules: true });
    expect(names(found)).toEqual(['!f']);
    expect(found.merges.map(({ rule }) => rule)).toEqual([IGNORED_MODULES]);
    expect([...found.before[0]!, ...found.after[0]!]).toEqual([0, 0, 0]);
  });

  test("applies users' rules afterwards, in order", async () => {
    const user = [
      { pattern: 'V(\\d+)_', ignoreCase: true, replacement: 'v_' },
      { pattern: '^v_', ignoreCase: false, replacement: '' },
    ];
    const found = await match(['a!v1_parse'], ['a!V2_parse'], { user });
    expect(names(found)).toEqual(['a!parse']);
    expect(found.merges.map(({ rule }) => rule)).toEqual(['user-1', 'user-2']);
  });

  test("rejects with the runner's error", async () => {
    const user = [{ pattern: '(', ignoreCase: false, replacement: '' }];
    await expect(match(['a!f'], ['a!f'], { user })).rejects.toThrow(/regular expression/i);
  });
});
