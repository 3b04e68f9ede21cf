import { describe, expect, test } from 'vitest';
import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts } from '../../../renderer/flame/flame-graph.types.ts';
import { dimmed, frameColours, neutralColour, packageOf } from '../../../renderer/flame/frame-colour.ts';
import { contrast, fromHex, oklch, toHex } from '../../../renderer/flame/oklch.ts';

function facts(name: string, module = '', kind: FunctionKind = FunctionKind.user): FunctionFacts {
  return { name, module, file: '', line: 0, kind };
}

describe('packageOf', () => {
  test.each([
    ['cmd/compile/internal/ssa.(*Func).Sdom', '', 'cmd/compile/internal/ssa'],
    ['slices.SortFunc[go.shape.[]*cmd/compile/internal/ssa.Value]', '', 'slices'],
    ['runtime.mallocgc', 'compile', 'runtime'],
    ['java/util/HashMap.put', '', 'java/util'],
    ['std::vector<int, std::allocator<int>>::push_back(int const&)', 'a.out', 'std'],
    ['void absl::Foo<int>(absl::Bar)', 'a.out', 'absl'],
    ['core::fmt::write', 'server', 'core'],
    ['(anonymous namespace)::work()', '/usr/bin/server', 'server'],
    ['memcpy', '/usr/lib/x86_64-linux-gnu/libc.so.6', 'libc.so.6'],
    ['frob.isra.0', '/opt/app', 'app'],
    ['work', '', ''],
    ['__proto__', '', ''],
  ])('%s in %s is %s', (name, module, expected) => {
    expect(packageOf(facts(name, module))).toBe(expected);
  });
});

describe('frame colours', () => {
  const names = Array.from({ length: 500 }, (_, at) => facts(`package${at}.function${at}`));
  const kinds = Object.values(FunctionKind).map((kind) => facts('some_function', 'module', kind));
  const text = { dark: '#15120c', light: '#1c1a16' } as const;
  const dimmedText = { dark: '#98a3b1', light: '#5b6672' } as const;

  test.each(['dark', 'light'] as const)('text is readable on every colour, dimmed or not: %s', (theme) => {
    const colourOf = frameColours('package', theme);
    for (const colour of [...[...names, ...kinds].map(colourOf), neutralColour(theme)]) {
      expect(contrast(fromHex(colour), fromHex(text[theme]))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(fromHex(dimmed(colour, theme)), fromHex(dimmedText[theme]))).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('a package keeps its hue, the kernel is grey', () => {
    const colourOf = frameColours('package', 'dark');
    const chroma = (hex: string) => {
      const { red, green, blue } = fromHex(hex);
      return Math.max(red, green, blue) - Math.min(red, green, blue);
    };
    expect(chroma(colourOf(facts('do_syscall_64', '[kernel]', FunctionKind.kernel)))).toBeLessThan(40);
    expect(chroma(colourOf(facts('runtime.mallocgc')))).toBeGreaterThan(60);
    expect(colourOf(facts('runtime.mallocgc'))).toBe(
      frameColours('package', 'dark')(facts('runtime.mallocgc', 'else')),
    );
  });

  test('oklch gives known colours', () => {
    expect(toHex(oklch(1, 0, 0))).toBe('#ffffff');
    expect(toHex(oklch(0, 0, 0))).toBe('#000000');
    // CSS Color 4's sample: oklch(62.8% 0.25768 29.234) is red.
    expect(toHex(oklch(0.62796, 0.25768, 29.234))).toBe('#ff0000');
  });
});
