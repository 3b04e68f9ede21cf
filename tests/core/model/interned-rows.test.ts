import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameRows } from '#core/model/intern/frame-rows.ts';
import { PairTable } from '#core/model/intern/pair-table.ts';
import { EMPTY_STACK_HASH, hashStack, StackRows } from '#core/model/intern/stack-rows.ts';

describe('PairTable', () => {
  test('gives equal pairs one row', () => {
    const table = new PairTable();
    const rows = Array.from({ length: 200_000 }, (_, index) => table.intern((index % 100_000) % 7, index % 100_000));
    expect(rows.every((row, index) => row === index % 100_000)).toBe(true);
    expect(table.first.get(99_999)).toBe(99_999 % 7);
    expect(table.second.length).toBe(100_000);
    const first = table.first.finish();
    const second = table.second.finish();
    expect([first.length, first[70_001], second[70_001]]).toEqual([100_000, 70_001 % 7, 70_001]);
  });
});

describe('StackRows', () => {
  const stacks = fc.array(fc.array(fc.nat(5), { maxLength: 12 }), { maxLength: 40 });

  test('gives the same rows for whole stacks and frame by frame, parents first', () => {
    fc.assert(
      fc.property(stacks, (list) => {
        const whole = new StackRows();
        const single = new StackRows();
        for (const leafFirst of list) {
          let row = -1;
          let hash = EMPTY_STACK_HASH;
          for (const frame of leafFirst.toReversed()) {
            hash = hashStack(hash, frame);
            row = single.intern(row, frame, hash);
            expect(single.hashOf(row)).toBe(hash);
          }
          expect(whole.internAll(Int32Array.from(leafFirst), leafFirst.length)).toBe(row);
        }
        const { parent, frame } = whole.finish();
        expect({ parent, frame }).toEqual(single.finish());
        expect(parent.every((above, row) => above < row)).toBe(true);
        expect(new Set(Array.from(parent, (above, row) => `${above} ${frame[row]}`)).size).toBe(parent.length);
      }),
    );
  });

  test('grows', () => {
    const rows = new StackRows();
    const deep = Int32Array.from({ length: 300_000 }, (_, index) => index % 1000);
    const leaf = rows.internAll(deep, deep.length);
    expect([leaf, rows.length]).toEqual([299_999, 300_000]);
    expect(rows.internAll(deep, deep.length)).toBe(leaf);
    expect(rows.finish().parent[299_999]).toBe(299_998);
    expect(rows.length).toBe(0);
  });
});

describe('FrameRows', () => {
  test('distinguishes frames by function, address, line and inlining', () => {
    const rows = new FrameRows();
    const keys = [
      [1, 0, 0, 0, 0],
      [2, 0, 0, 0, 0],
      [1, 0, 1, 0, 0],
      [1, 1, 0, 0, 0],
      [1, 0, 0, 1, 0],
      [1, 0, 0, 0, 1],
      [1, 0xffff_ffff, 0x8000_0000, 0, 0],
    ] as const;
    const intern = (): number[] =>
      keys.map(([func, high, low, line, inline]) => rows.intern(func, high, low, line, inline));
    expect([...intern(), ...intern()]).toEqual([0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]);
    expect(rows.withLine(6, 12, 0)).toBe(7);
    expect(rows.withLine(5, 3, 0)).toBe(8);
    const { address, line, inline, func } = rows.finish();
    expect([...address!]).toEqual([0n, 0n, 1n, 1n << 32n, 0n, 0n, 0xffff_ffff_8000_0000n, 0xffff_ffff_8000_0000n, 0n]);
    expect([...line!]).toEqual([0, 0, 0, 0, 1, 0, 0, 12, 3]);
    expect([...inline]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 1]);
    expect(func[1]).toBe(2);
  });

  test('leaves out columns that no frame needs', () => {
    const rows = new FrameRows();
    rows.intern(0, -1, -1, 0, 0);
    expect(rows.finish()).toMatchObject({ length: 1, address: null, line: null });
  });

  test('grows', () => {
    const rows = new FrameRows();
    const found = Array.from({ length: 100_000 }, (_, index) => rows.intern(index % 5, 0, index % 50_000, 0, 0));
    expect(found.every((row, index) => row === index % 50_000)).toBe(true);
  });
});
