import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowTable } from '#core/analyze/view/row-table.ts';

/** Does the same as `RowTable` with a Map. */
function naive(pairs: readonly (readonly [number, number])[]): { rows: number[]; parent: number[]; func: number[] } {
  const known = new Map<string, number>();
  const parent: number[] = [];
  const func: number[] = [];
  const rows = pairs.map(([caller, called]) => {
    // The caller is one of the rows so far.
    const above = parent.length === 0 ? -1 : (caller % (parent.length + 1)) - 1;
    const key = `${above} ${called}`;
    if (!known.has(key)) {
      known.set(key, parent.length);
      parent.push(above);
      func.push(called);
    }
    return known.get(key)!;
  });
  return { rows, parent, func };
}

describe('RowTable', () => {
  it('has one row per caller and function, in order of first appearance, for any number of callees', () => {
    const pair = fc.tuple(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(500)), fc.nat(40));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 400 }), (pairs) => {
        const expected = naive(pairs);
        const table = new RowTable(pairs.length);
        const rows = pairs.map(([caller, called]) =>
          table.intern(table.length === 0 ? -1 : (caller % (table.length + 1)) - 1, called),
        );
        expect(rows).toEqual(expected.rows);
        const { length, parent, func } = table.finish();
        expect(length).toBe(expected.parent.length);
        expect([...parent]).toEqual(expected.parent);
        expect([...func]).toEqual(expected.func);
      }),
    );
  });

  it('finds each of a hundred thousand callees again', () => {
    const count = 100_000;
    const table = new RowTable(count);
    for (let func = 0; func < count; func++) table.intern(-1, func);
    expect(table.length).toBe(count);
    for (let func = count - 1; func >= 0; func -= 997) expect(table.intern(-1, func)).toBe(func);
    expect(table.length).toBe(count);
  });
});
