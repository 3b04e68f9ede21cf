import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALL_TIME,
  chosenRange,
  enterSelectedRange,
  leaveInnerRanges,
  readCommitted,
  withRange,
} from '../../../../renderer/ui/time/committed-ranges.ts';
import type { TimeChoice } from '../../../../renderer/ui/time/committed-ranges.ts';

const range = (start: number, end: number) => ({ start, end });
const outer = range(10, 50);
const inner = range(20, 30);
const into = (...ranges: { start: number; end: number }[]): TimeChoice =>
  ranges.reduce((choice, one) => enterSelectedRange(withRange(choice.committed, one)), ALL_TIME);

describe('committing ranges', () => {
  test('nests them, and analyses the innermost', () => {
    expect(into(outer, inner)).toEqual({ committed: [outer, inner], timeRange: inner });
    expect(chosenRange(into(outer, inner))).toBeNull();
    expect(enterSelectedRange(into(outer))).toEqual(into(outer));
    expect(enterSelectedRange(ALL_TIME)).toEqual(ALL_TIME);
  });

  test('selects a range within, and removes it again', () => {
    const choice = withRange(into(outer).committed, inner);
    expect(choice).toEqual({ committed: [outer], timeRange: inner });
    expect(chosenRange(choice)).toEqual(inner);
    expect(withRange(choice.committed, null)).toEqual(into(outer));
    expect(withRange([], null)).toEqual(ALL_TIME);
  });

  test('leaves ranges that do not contain the selected one', () => {
    const { committed } = into(outer, inner);
    expect(withRange(committed, range(25, 40))).toEqual({ committed: [outer], timeRange: range(25, 40) });
    expect(withRange(committed, range(0, 40))).toEqual({ committed: [], timeRange: range(0, 40) });
  });

  test('goes back out', () => {
    const { committed } = into(outer, inner);
    expect(leaveInnerRanges(committed, 1)).toEqual(into(outer));
    expect(leaveInnerRanges(committed, 0)).toEqual(ALL_TIME);
    expect(leaveInnerRanges(committed, 9)).toEqual(into(outer, inner));
  });

  test('is restored only if it fits', () => {
    expect(readCommitted([outer, inner], inner)).toEqual([outer, inner]);
    expect(readCommitted([outer], null)).toEqual([]);
    expect(readCommitted([inner, outer], inner)).toEqual([]);
    expect(readCommitted([inner], outer)).toEqual([]);
  });
});

test('keeps each range within the previous ones, under any actions', () => {
  const ends = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 100 }));
  const steps = fc.array(
    fc.oneof(
      ends.map(([start, length]) => ({ kind: 'choose' as const, range: range(start, start + length) })),
      fc.constant({ kind: 'into' as const }),
      fc.nat({ max: 4 }).map((count) => ({ kind: 'out' as const, count })),
      fc.constant({ kind: 'clear' as const }),
    ),
  );
  fc.assert(
    fc.property(steps, (list) => {
      let choice = ALL_TIME;
      for (const step of list) {
        const { committed } = choice;
        if (step.kind === 'choose') choice = withRange(committed, step.range);
        else if (step.kind === 'into') choice = enterSelectedRange(choice);
        else choice = step.kind === 'out' ? leaveInnerRanges(committed, step.count) : withRange(committed, null);
        expect(readCommitted(choice.committed, choice.timeRange)).toEqual(choice.committed);
        expect(chosenRange(enterSelectedRange(choice))).toBeNull();
      }
    }),
  );
});
