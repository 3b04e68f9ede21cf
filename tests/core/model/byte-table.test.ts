import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BYTE_TABLE_PADDING, ByteTable } from '#core/model/intern/byte-table.ts';

/** Returns a view in which the bytes begin at an odd place, with noise around them. */
function viewOf(bytes: Uint8Array, start = 3): { view: DataView; start: number; end: number } {
  const buffer = new Uint8Array(start + bytes.length + BYTE_TABLE_PADDING).fill(0x55);
  buffer.set(bytes, start);
  return { view: new DataView(buffer.buffer), start, end: start + bytes.length };
}

function intern(table: ByteTable, bytes: Uint8Array, at = 3): number {
  const { view, start, end } = viewOf(bytes, at);
  return table.intern(view, start, end);
}

const someBytes = fc.uint8Array({ maxLength: 40 });

describe('ByteTable', () => {
  test('gives equal bytes one row, and different bytes different ones', () => {
    fc.assert(
      fc.property(fc.array(someBytes, { maxLength: 60 }), (list) => {
        const table = new ByteTable();
        const rows = new Map<string, number>();
        for (const bytes of [...list, ...list]) {
          const key = bytes.join();
          const row = intern(table, bytes, bytes.length % 8);
          expect(row).toBe(rows.get(key) ?? row);
          rows.set(key, row);
        }
        expect(new Set(rows.values()).size).toBe(rows.size);
      }),
    );
  });

  test('has the empty string as row 0', () => {
    const table = new ByteTable();
    expect(intern(table, new Uint8Array(0))).toBe(0);
    expect(intern(table, new Uint8Array(1))).toBe(1);
  });

  test('distinguishes bytes that look equal as floats', () => {
    const table = new ByteTable();
    const zero = new Uint8Array(8);
    const minusZero = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80);
    const notANumber = Uint8Array.of(1, 0, 0, 0, 0, 0, 0xf8, 0x7f);
    const rows = [zero, minusZero, notANumber].map((bytes) => intern(table, bytes));
    expect(rows).toEqual([1, 2, 3]);
    expect([zero, minusZero, notANumber].map((bytes) => intern(table, bytes))).toEqual(rows);
  });

  test('finds the end of a line, and the row of the same bytes', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = new Uint8Array(length + 1).fill(0x61);
      bytes[length] = 10;
      const { view, start, end } = viewOf(bytes);
      const table = new ByteTable();
      expect(table.findLine(view, start)).toBe(-1);
      expect(table.lineEnd).toBe(end);
      const row = table.add(view, start, end);
      expect(table.findLine(view, start)).toBe(row);
      expect(table.find(view, start, end)).toBe(row);
      expect(table.endIfAt(view, start, end, row)).toBe(end);
      expect(table.endIfAt(view, start, end - 1, row)).toBe(-1);
    }
  });

  test('does not mistake bytes just above a newline for newlines', () => {
    const bytes = Uint8Array.of(11, 11, 0x8a, 0x0b, 10);
    const { view, start, end } = viewOf(bytes);
    const table = new ByteTable();
    table.findLine(view, start);
    expect(table.lineEnd).toBe(end);
  });

  test('grows', () => {
    const table = new ByteTable();
    const bytesOf = (index: number): Uint8Array => new TextEncoder().encode(`line ${index} ${'x'.repeat(index % 50)}`);
    const rows = Array.from({ length: 40_000 }, (_, index) => intern(table, bytesOf(index % 20_000)));
    expect(rows.every((row, index) => row === (index % 20_000) + 1)).toBe(true);
    expect(intern(table, new Uint8Array(2 ** 20).fill(1))).toBe(20_001);
  });
});
