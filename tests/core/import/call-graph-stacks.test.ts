import { describe, expect, it } from 'vitest';
import { Apportioner, LargestFirst } from '#core/import/callgrind/apportion.ts';
import { addCallGraph } from '#core/import/callgrind/call-graph-stacks.ts';
import { CallGraphBuilder } from '#core/import/callgrind/call-graph.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { rollUp } from '../../support/profile-rollup.ts';

interface Made {
  readonly profile: Profile;
  readonly unfollowed: number;
  readonly circled: number;
}

/** `[caller, callee, line, cost]`; the callee is null for the caller's own cost. */
type Item = readonly [caller: string, callee: string | null, line: number, cost: number];

function made(items: readonly Item[], maxCalls?: number): Made {
  const builder = new ProfileBuilder(1);
  const graph = new CallGraphBuilder(1);
  const node = (name: string): number => graph.node(0, builder.function({ name }) satisfies FunctionIndex);
  for (const [caller, callee, line, cost] of items) {
    if (callee === null) graph.addSelf(node(caller), line, [cost]);
    else graph.addCall(node(caller), node(callee), line, [cost]);
  }
  const sections = [{ thread: builder.thread(1, 1, ''), labelSet: undefined }];
  const approximation = addCallGraph(builder, graph.finish(), sections, [1], maxCalls);
  const profile = builder.finish([{ type: 'Ir', unit: 'count', event: -1, column: 0 }], { format: 'callgrind' });
  checkProfile(profile);
  return { profile, ...approximation };
}

/** Makes levels of two functions that each call both functions of the next level, which is 2^levels paths. */
function ladder(levels: number): Item[] {
  return Array.from({ length: levels }, (_, level): Item[] => {
    const call = (caller: string, callee: string): Item => [caller, callee, 2, 2 ** (levels - level) - 2];
    return ['l', 'r'].flatMap((side): Item[] => [
      [`${side}${level}`, null, 1, 1],
      ...(level + 1 < levels ? ['l', 'r'].map((next) => call(`${side}${level}`, `${next}${level + 1}`)) : []),
    ]);
  }).flat();
}

describe('a call graph as stacks', () => {
  it('keep all own costs with more paths than can be followed, and state the costs without callers', () => {
    const { profile, unfollowed } = made(ladder(40), 500);
    const { self, sum } = rollUp(profile, 0);
    for (let level = 0; level < 40; level++) expect([self.get(`l${level}`), self.get(`r${level}`)]).toEqual([1, 1]);
    expect(unfollowed).toBeGreaterThan(0);
    expect(rollUp(profile, 0).total.get('(calls too small to follow)')! / sum).toBeCloseTo(unfollowed);
    expect(profile.stacks.length).toBeLessThan(2000);
  });

  it('distinguish calls from several lines with few paths', () => {
    const items: Item[] = [
      ['main', 'f', 1, 3],
      ['main', 'f', 2, 4],
      ['f', null, 9, 7],
    ];
    const lines = ({ profile }: Made): number[] => {
      const { stacks, frames } = profile;
      return [...stacks.frame]
        .filter((_, stack) => stacks.parent[stack] === -1)
        .map((frame) => frames.line?.[frame] ?? 0);
    };
    expect(new Set(lines(made(items)))).toEqual(new Set([1, 2]));
    expect(lines(made(items, 2))).toEqual([0]);
    expect(rollUp(made(items, 2).profile, 0).folded).toEqual(new Map([['main;f', 7]]));
  });

  it('start at the most expensive of functions that call only one another', () => {
    const { profile, circled } = made([
      ['a', null, 1, 5],
      ['a', 'b', 1, 10],
      ['b', null, 1, 7],
      ['b', 'a', 1, 90],
    ]);
    expect(circled).toBe(2);
    expect(rollUp(profile, 0).folded).toEqual(
      new Map([
        ['b', 7],
        ['b;a', 5],
      ]),
    );
  });

  it('handle functions that all call one another', () => {
    const names = Array.from({ length: 60 }, (_, row) => `f${row}`);
    const items = names.flatMap((name): Item[] => [
      [name, null, 1, 5],
      ...names.map((callee, row): Item => [name, callee, 1, row + 1]),
    ]);
    const { profile, circled } = made([...items, ...names.map((callee): Item => ['main', callee, 1, 5])]);
    expect(circled).toBe(60);
    expect(rollUp(profile, 0).total.get('main')).toBe(300);
    expect(new Set(rollUp(profile, 0).self.values())).toEqual(new Set([5]));
  });
});

describe('apportioning', () => {
  it('yields integer parts, none larger than its share, within 1 of the proportion', () => {
    const apportioner = new Apportioner();
    for (let whole = 0; whole <= 30; whole++) {
      const shares = Float64Array.from([7, 0, 1, 12, 10]);
      const parts = new Float64Array(shares.length);
      apportioner.divide(whole, shares, 30, parts);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
      parts.forEach((part, row) => {
        expect(part).toBeLessThanOrEqual(shares[row]!);
        expect(Math.abs(part - (whole * shares[row]!) / 30)).toBeLessThan(1 + 1e-9);
        expect(Number.isInteger(part)).toBe(true);
      });
    }
  });
});

describe('the priority queue', () => {
  it('returns the largest key first', () => {
    const keys = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
    const queue = new LargestFirst<number>();
    for (const key of keys) queue.add(key, key);
    const taken = keys.map(() => queue.take());
    expect(taken).toEqual(keys.toSorted((a, b) => b - a));
    expect(queue.take()).toBeUndefined();
  });
});
