import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createValueText } from '#core/compare/value-text.ts';
import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import { dimmed } from '#core/colour/frame-colour.ts';
import { contrast, fromHex, type Rgb } from '#core/colour/oklch.ts';
import { deltaColour, groupColour, SIZE_STEPS, stepOf } from '#core/compare/delta-colour.ts';
import { deltaStyle } from '../../../../renderer/ui/flame/chart/delta-style.ts';
import type { ShownVerdict } from '#core/compare/verdict-words.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';

const THEMES = ['dark', 'light'] as const;
/** The text colours of the style sheet. */
const TEXT = {
  dark: { coloured: '#15120c', grey: '#c3ccd7', dimmed: '#98a3b1' },
  light: { coloured: '#1c1a16', grey: '#2b323b', dimmed: '#5b6672' },
} as const;
const GROUPS = ['grew', 'shrank', 'may-have-grown', 'may-have-shrunk'] as const;

function delta(verdict: ShownVerdict, before: number, after: number): FrameDelta {
  return { before, after, selfBefore: 0, selfAfter: after, verdict: VERDICTS.indexOf(verdict) };
}

describe('colours', () => {
  const readable = (colour: string, text: string) => contrast(fromHex(colour), fromHex(text));

  test.each(THEMES)('text is readable on all of them: %s', (theme) => {
    const { coloured, grey, dimmed: dimmedText } = TEXT[theme];
    for (const group of GROUPS) {
      for (const step of SIZE_STEPS.keys()) {
        const colour = groupColour(group, step, theme);
        expect(readable(colour, coloured)).toBeGreaterThanOrEqual(4.5);
        expect(readable(dimmed(colour, theme), dimmedText)).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(readable(groupColour('grey', 0, theme), grey)).toBeGreaterThanOrEqual(4.5);
    expect(readable(dimmed(groupColour('grey', 0, theme), theme), dimmedText)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(THEMES)('grew and shrank differ with colour vision deficiencies: %s', (theme) => {
    for (const seen of Object.values(DEFICIENCIES)) {
      const at = (group: (typeof GROUPS)[number], step: number) =>
        seenAs(fromHex(groupColour(group, step, theme)), seen);
      for (const step of SIZE_STEPS.keys()) {
        expect(distance(at('grew', step), at('shrank', step))).toBeGreaterThan(20 + 15 * step);
        expect(distance(at('may-have-grown', step), at('may-have-shrunk', step))).toBeGreaterThan(12);
      }
    }
  });

  test('only verdicts have a colour', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (before, after) => {
        for (const verdict of ['noise', 'unknown', 'not-tested'] as const) {
          expect(deltaColour(delta(verdict, before, after), 'dark')).toBe(groupColour('grey', 0, 'dark'));
        }
      }),
    );
  });

  test('larger changes have stronger colours; swapped, the other colour with equal strength', () => {
    expect([0.01, 0.05, 0.2, 0.4, 1].map(stepOf)).toEqual([0, 1, 2, 3, 3]);
    expect(deltaColour(delta('grew', 90, 100), 'dark')).toBe(groupColour('grew', 1, 'dark'));
    expect(deltaColour(delta('shrank', 100, 90), 'dark')).toBe(groupColour('shrank', 1, 'dark'));
    expect(deltaColour(delta('grew', 0, 3), 'light')).toBe(groupColour('grew', 3, 'light'));
    expect(deltaColour(delta('suggestive', 100, 50), 'light')).toBe(groupColour('may-have-shrunk', 3, 'light'));
  });
});

describe('texts of frames', () => {
  const text = createValueText('en', { kind: 'per-second', unit: 'microseconds/second' }, 1000);
  const look = deltaStyle('dark', text, '1 run a side', null);

  test.each([
    ['grew', 100, 112, '▲ ', [' +12.0 %']],
    ['shrank', 100, 75, '▼ ', [' -25.0 %']],
    ['suggestive', 100, 112, '△ ', [' +12.0 %']],
    ['suggestive', 112, 100, '▽ ', [' -10.7 %']],
    ['noise', 100, 112, '', []],
    ['not-tested', 100, 112, '', []],
    ['unknown', 100, 112, '', []],
    ['grew', 0, 112, '▲ ', [' · only after', ' · new']],
    ['noise', 100, 0, '', [' · only before', ' · gone']],
    ['grew', -100, 112, '▲ ', [' from <0']],
  ] as const)('%s from %d to %d', (verdict, before, after, sign, tails) => {
    const of = delta(verdict, before, after);
    expect([look.sign(of), look.tails(of)]).toEqual([sign, tails]);
  });

  test('describes everything for screen readers', () => {
    expect(look.lines(delta('suggestive', 100, 0)).map(({ label, text: said }) => `${label}: ${said}`)).toEqual([
      'self: 0 ns before, 0 ns after, 0 ns, 0.0 %',
      'total: 100 µs before, 0 ns after, -100 µs, gone',
      'only before: not in after',
      'verdict: may have shrunk (1 run a side)',
    ]);
  });

  test('a live view has the words of its table', () => {
    const live = deltaStyle('dark', text, null, null, true);
    const of = delta('needs-samples', 0, 112);
    expect(live.tails(of)).toEqual([' · new']);
    expect(live.lines(of).map(({ label, text: said }) => `${label}: ${said}`)).toEqual([
      'self: 0 ns before, 112 µs now, +112 µs, new',
      'total: 0 ns before, 112 µs now, +112 µs, new',
      'verdict: not enough samples yet',
    ]);
  });

  test('a legend entry highlights its frames', () => {
    const lit = (what: Parameters<typeof deltaStyle>[3], ...of: Parameters<typeof delta>) =>
      deltaStyle('dark', text, null, what).isLit(delta(...of));
    expect(lit(null, 'noise', 1, 1)).toBe(true);
    expect(lit('grew', 'noise', 1, 2)).toBe(false);
    expect(lit('grew', 'grew', 1, 2)).toBe(true);
    expect(lit('only-after', 'noise', 0, 2)).toBe(true);
    expect(lit('only-after', 'grew', 1, 2)).toBe(false);
  });
});

/**
 * Matrices at full severity. Machado, Oliveira, Fernandes: "A physiologically-based model for simulation of color
 * vision deficiency", 2009.
 */
const DEFICIENCIES = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

function seenAs({ red, green, blue }: Rgb, matrix: readonly number[]): Rgb {
  const row = (at: number) => matrix[at]! * red + matrix[at + 1]! * green + matrix[at + 2]! * blue;
  return { red: row(0), green: row(3), blue: row(6) };
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
