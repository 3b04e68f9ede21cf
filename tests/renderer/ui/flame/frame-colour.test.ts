import { describe, expect, test } from 'vitest';
import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import { frameKind } from '#core/colour/frame-kind.ts';
import {
  colourGroup,
  colourSlots,
  dimmed,
  frameColours,
  legendGroup,
  matchColour,
  neutralColour,
  NO_SLOTS,
  type ColourScheme,
} from '#core/colour/frame-colour.ts';
import { classOf, packageOf } from '#core/colour/package-of.ts';
import { usualColourMode } from '#core/colour/usual-mode.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { TONES } from '#core/colour/palette.ts';
import { contrast, fromHex, oklch, toHex, type Rgb } from '#core/colour/oklch.ts';

function facts(name: string, module = '', kind: FunctionKind = FunctionKind.user): FunctionFacts {
  return { name, module, file: '', line: 0, kind };
}

const by = (mode: ColourScheme['mode'], theme: ColourScheme['theme']): ColourScheme => ({
  mode,
  theme,
  slots: NO_SLOTS,
});

describe('packageOf', () => {
  test.each([
    ['cmd/compile/internal/ssa.(*Func).Sdom', '', 'cmd/compile/internal/ssa'],
    ['slices.SortFunc[go.shape.[]*cmd/compile/internal/ssa.Value]', '', 'slices'],
    ['runtime.mallocgc', 'compile', 'runtime'],
    ['java/util/HashMap.put', '', 'java/util'],
    ['java.util.stream.ReduceOps$5.evaluate', 'java.base', 'java.util.stream'],
    ['java.util.HashMap.<init>', 'java.base', 'java.util'],
    ['W$$Lambda$88+0x00007f24e4008c28.2124643775.apply', '', 'W'],
    ['W.main', '', 'W'],
    ['std::vector<int, std::allocator<int>>::push_back(int const&)', 'a.out', 'std'],
    ['void absl::Foo<int>(absl::Bar)', 'a.out', 'absl'],
    ['core::fmt::write', 'server', 'core'],
    ['(anonymous namespace)::work()', '/usr/bin/server', 'server'],
    ['memcpy', '/usr/lib/x86_64-linux-gnu/libc.so.6', 'libc.so.6'],
    ['frob.isra.0', '/opt/app', 'app'],
    ['clock_nanosleep@@GLIBC_2.17', '/lib/libc.so.6', 'libc.so.6'],
    ['work', '', ''],
    ['__proto__', '', ''],
  ])('%s in %s is %s', (name, module, expected) => {
    expect(packageOf(facts(name, module))).toBe(expected);
  });
});

describe('classOf', () => {
  test.each([
    ['svc::Router<16>::dispatch(std::vector<int, std::allocator<int>> const&)', '/srv', 'svc::Router'],
    ['std::map<std::string, svc::Map<int>>::operator[](std::string const&)', '/srv', 'std::map'],
    ['void absl::Foo<int>(absl::Bar)', 'a.out', 'absl'],
    ['<alloc::vec::Vec<T> as core::ops::Drop>::drop', 'server', 'server'],
    ['core::fmt::write', 'server', 'core::fmt'],
    ['java.util.HashMap.put', 'java.base', 'java.util.HashMap'],
    ['net/http.(*conn).serve', 'server', 'net/http.(*conn)'],
    ['(anonymous namespace)::work()', '/usr/bin/server', 'server'],
    ['memcpy', '/usr/lib/libc.so.6', 'libc.so.6'],
    ['a<<<<::b', '/srv', 'srv'],
    ['__proto__', '', ''],
  ])('%s in %s is %s', (name, module, expected) => {
    expect(classOf(facts(name, module))).toBe(expected);
  });

  test('plain functions have the file that they are in', () => {
    expect(classOf({ ...facts('parse', '/srv'), file: '/src/json/parse.c' })).toBe('parse.c');
  });
});

describe('the usual mode', () => {
  const usual = (names: readonly string[]): string => {
    const profile = profileFromText(names.map((name) => `${name} 1`).join('\n'));
    return usualColourMode(profile, Array.from(names.keys()) as FunctionIndex[]);
  };

  test('is by class where one package has most of the heaviest functions', () => {
    const classes = ['svc::Router::dispatch', 'svc::Codec::apply', 'svc::Cache::find', 'svc::Cache::put'];
    expect(usual(classes)).toBe('class');
    expect(usual([...classes, 'std::sort', 'absl::Hash::of', 'fmt::print'])).toBe('package');
    expect(usual(['svc::Router::dispatch', 'svc::Router::find'])).toBe('package');
    expect(usual(['parse', 'render'])).toBe('function');
  });
});

describe('frame colours', () => {
  const names = Array.from({ length: 500 }, (_, at) => facts(`package${at}.function${at}`));
  const kinds = Object.values(FunctionKind).map((kind) => facts('some_function', 'module', kind));
  const text = { dark: '#15120c', light: '#1c1a16' } as const;
  const dimmedText = { dark: '#98a3b1', light: '#5b6672' } as const;

  test.each(['dark', 'light'] as const)('text is readable on every colour, dimmed or not: %s', (theme) => {
    const colours = [...names, ...kinds].flatMap((of) => [
      frameColours(by('package', theme))(of),
      frameColours(by('kind', theme))(of),
    ]);
    for (const colour of [...colours, neutralColour(theme), matchColour(theme)]) {
      expect(contrast(fromHex(colour), fromHex(text[theme]))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(fromHex(dimmed(colour, theme)), fromHex(dimmedText[theme]))).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('a package keeps its hue, and the kernel is grey', () => {
    const colourOf = frameColours(by('package', 'dark'));
    const chroma = (hex: string) => {
      const { red, green, blue } = fromHex(hex);
      return Math.max(red, green, blue) - Math.min(red, green, blue);
    };
    expect(chroma(colourOf(facts('do_syscall_64', '[kernel]', FunctionKind.kernel)))).toBeLessThan(40);
    expect(chroma(colourOf(facts('runtime.mallocgc')))).toBeGreaterThan(60);
    expect(colourOf(facts('runtime.mallocgc'))).toBe(
      frameColours(by('package', 'dark'))(facts('runtime.mallocgc', 'else')),
    );
  });

  test('oklch returns known colours', () => {
    expect(toHex(oklch(1, 0, 0))).toBe('#ffffff');
    expect(toHex(oklch(0, 0, 0))).toBe('#000000');
    // The example of CSS Color 4: oklch(62.8% 0.25768 29.234) is red.
    expect(toHex(oklch(0.62796, 0.25768, 29.234))).toBe('#ff0000');
  });
});

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB. */
const VISIONS = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

function oklabSeen({ red, green, blue }: Rgb, vision: readonly number[]): [number, number, number] {
  const linear = [red, green, blue].map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const at = (row: number) =>
    Math.min(
      1,
      Math.max(
        0,
        [0, 1, 2].reduce((sum, column) => sum + vision[row * 3 + column]! * linear[column]!, 0),
      ),
    );
  const [r, g, b] = [at(0), at(1), at(2)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

test.each(['dark', 'light'] as const)('packages differ, also with colour vision deficiencies: %s', (theme) => {
  const made = Array.from(
    { length: 500 },
    (_, at) => colourGroup(facts(`package${at}.f`), by('package', theme)).colour,
  );
  const kernel = colourGroup(facts('do_syscall_64', '[kernel]', FunctionKind.kernel), by('package', theme)).colour;
  const colours = [...new Set([...made, kernel])].map((colour) => fromHex(colour));
  expect(colours.length).toBe(13);
  const { normal, protanopia, deuteranopia } = VISIONS;
  for (const vision of [normal, protanopia, deuteranopia]) {
    const seen = colours.map((colour) => oklabSeen(colour, vision));
    seen.forEach((a, at) => {
      for (const b of seen.slice(0, at)) {
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(0.05);
      }
    });
  }
});

test('the heaviest have their own colours, of one hue in both themes, for everyone', () => {
  const heavy = Array.from({ length: 40 }, (_, at) => facts(`package${at}.f`));
  const kernel = facts('do_syscall_64', '[kernel]', FunctionKind.kernel);
  const slots = colourSlots([kernel, ...heavy, ...heavy], 'package');
  expect([...slots.keys()]).toEqual(heavy.map(({ name }) => name.slice(0, -2)));
  const places = [...slots.values()];
  expect(new Set(places.slice(0, 12)).size).toBe(12);
  // The thirteenth shares the colour of the lightest of them; the heaviest's colour is shared last.
  expect(places.slice(12, 24)).toEqual(places.slice(0, 12).reverse());
  expect(colourSlots(heavy, 'kind').size).toBe(0);
  const colours = heavy.slice(0, 12).map((one) => colourGroup(one, { ...by('package', 'dark'), slots }).colour);
  expect(new Set(colours).size).toBe(12);
  // The heaviest has the same colour everywhere.
  expect(colours[0]).toBe(colourGroup(heavy[0]!, by('package', 'dark')).colour);
  const hues = (theme: 'dark' | 'light'): number[] => TONES[theme].groups.map(([, , hue]) => hue);
  expect(hues('dark')).toEqual(hues('light'));
});

describe('kinds of code', () => {
  const examples: readonly [string, FunctionFacts][] = [
    ['kernel', facts('do_syscall_64', '[kernel]', FunctionKind.kernel)],
    ['user', facts('main', 'a.out')],
    ['jit', facts('LazyCompile:~f', '', FunctionKind.jit)],
    ['inlined', { ...facts('small', 'a.out'), inlined: true }],
    ['interpreted', facts('handle', 'app.py', FunctionKind.interpreted)],
    ['lua', { ...facts('handler', '', FunctionKind.interpreted), file: '@/srv/app.lua' }],
    ['go-runtime', facts('runtime.mallocgc', 'server')],
    ['unresolved', facts('[libc.so.6]', 'libc.so.6', FunctionKind.unresolved)],
    ['other', facts('work', '', FunctionKind.unknown)],
  ];

  test.each(examples)('recognises %s', (kind, example) => {
    expect(frameKind(example)).toBe(kind);
  });

  test('a class named runtime is not Go', () => {
    expect(frameKind(facts('runtime::Scheduler::run', 'server'))).toBe('user');
    expect(frameKind(facts('runtime.Object::f', 'server'))).toBe('user');
  });

  test.each(['dark', 'light'] as const)('their colours differ, also with colour vision deficiencies: %s', (theme) => {
    const colours = examples.map(([, example]) => fromHex(colourGroup(example, by('kind', theme)).colour));
    for (const vision of Object.values(VISIONS)) {
      const seen = colours.map((colour) => oklabSeen(colour, vision));
      seen.forEach((a, at) => {
        for (const b of seen.slice(0, at)) {
          expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(0.06);
        }
      });
    }
  });
});

test('the legend distinguishes code without a symbol, which is paler, from the rest of its module', () => {
  const code = (kind: FunctionKind) =>
    legendGroup(facts('[libc.so.6]', '/usr/lib/libc.so.6', kind), by('module', 'dark'));
  expect(code(FunctionKind.unresolved).label).toBe('libc.so.6, no symbol');
  expect(code(FunctionKind.user).label).toBe('libc.so.6');
  expect(code(FunctionKind.unresolved).colour).not.toBe(code(FunctionKind.user).colour);
});
