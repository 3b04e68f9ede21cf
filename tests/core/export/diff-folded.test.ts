import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { splitTwoColumns } from '#core/compare/measure/split-two-columns.ts';
import { writeDiffFolded } from '#core/export/diff-folded.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { naiveFolded, sum } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../compare/captures.ts';

async function diffFolded(
  before: readonly ComparedCapture[],
  after: readonly ComparedCapture[],
  {
    normalisation = 'raw',
    rules,
    header = [],
  }: { normalisation?: Normalisation; rules?: MatchRules; header?: string[] } = {},
): Promise<string> {
  const comparison = await compareRaw(before, after, normalisation, rules);
  const captures = (side: readonly ComparedCapture[]) =>
    side.map(({ profile, selection }) => ({ profile, valueType: selection.valueType }));
  let text = '';
  const decoder = new TextDecoder();
  writeDiffFolded({ before: captures(before), after: captures(after) }, comparison, header, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return text;
}

const folded = (text: string): ComparedCapture => captureOf(profileFromText(text));
const sketched = (samples: readonly SampleSketch[]) => captureOf(profileFromSketch(samples), {}, 1 as ValueTypeIndex);

/** Returns [before, after] by stack. */
function pairsOf(text: string): Map<string, [number, number]> {
  const lines = text.split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, stack, before, after] = /^(.*) (\S+) (\S+)$/.exec(line)!;
      return [stack!, [Number(before), Number(after)]];
    }),
  );
}

describe('whatever the samples', () => {
  test('writes a stack and its weight on both sides per line', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (before, after) => {
        const sides = [before, after].map((samples) => naiveFolded(samples.map((one) => ({ ...one, tid: 1 }))));
        const one = (samples: readonly SampleSketch[]) => sketched(samples.map((sample) => ({ ...sample, tid: 1 })));
        const found = pairsOf(await diffFolded([one(before)], [one(after)]));
        const [ours, theirs] = [0, 1].map((side) => sum([...found.values()].map((pair) => pair[side]!))) as [
          number,
          number,
        ];
        expect([ours, theirs]).toEqual(sides.map((side) => sum([...side.values()])));
        for (const [stack, weight] of sides[0]!) {
          const key = stack === '' ? 'thread_1' : `thread_1;${stack}`;
          if (weight !== 0) expect(found.get(key)?.[0]).toBe(weight);
        }
      }),
    );
  });
});

test('uses means for several captures; shares have one total', async () => {
  const before = [folded('a;b 10\na 5'), folded('a;b 20')];
  const after = [folded('a;c 60')];
  expect(await diffFolded(before, after)).toBe('a 2.5 0\na;b 15 0\na;c 0 60\n');
  const shares = pairsOf(await diffFolded(before, after, { normalisation: 'share' }));
  expect([0, 1].map((side) => sum([...shares.values()].map((pair) => pair[side]!)))).toEqual([60, 60]);
});

test('names functions as the comparison matched them', async () => {
  const sides = [[folded('main;f.isra.0 3')], [folded('main;f 4')]] as const;
  expect(await diffFolded(...sides)).toBe('main;f 3 4\n');
  const rules = { ...DEFAULT_MATCH_RULES, off: ['compiler-clones'] };
  expect(await diffFolded(...sides, { rules, header: ['raw'] })).toBe('# raw\nmain;f 0 4\nmain;f.isra.0 3 0\n');
});

test('writes tiny and huge numbers without an exponent; __proto__ is a name', async () => {
  const [before, after] = [folded('__proto__ 0.0000001'), folded('__proto__ 1e22\nconstructor 1')];
  const text = await diffFolded([before], [after]);
  expect(text).not.toMatch(/\de[+-]/);
  expect(text).toMatch(/^__proto__ 0\.0000001 /);
});

test('is split into two columns, and only such files are', async () => {
  const sides = splitTwoColumns(profileFromText('a;b 1 2\na;c 3 0'))!;
  expect(await diffFolded([captureOf(sides.before)], [captureOf(sides.after)])).toBe('a;b 1 2\na;c 3 0\n');
  expect(splitTwoColumns(profileFromText('a;b 1'))).toBeNull();
});
