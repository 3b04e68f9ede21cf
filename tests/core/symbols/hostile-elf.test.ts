import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import { buildIdOfNotes, ElfError, ElfFile } from '#core/symbols/elf.ts';

const BINARY = readFileSync(join(import.meta.dirname, '../../../node_modules/node-pty/build/Release/pty.node'));

const read = (bytes: Uint8Array): ElfFile => new ElfFile((start, length) => bytes.subarray(start, start + length));

/** Returns a 64-bit file whose 2nd section is the symbol table, and whose names are in section `link`. */
function withSymbols(count: number, names: Uint8Array, link: number): Uint8Array {
  const rows = new DataView(new ArrayBuffer(count * 24));
  for (let row = 0; row < count; row++) {
    rows.setUint8(row * 24 + 4, 0x12);
    rows.setUint16(row * 24 + 6, 1, true);
    rows.setBigUint64(row * 24 + 8, 0x1000n, true);
  }
  const [head, at] = [new DataView(new ArrayBuffer(64 + 56 + 3 * 64)), 64 + 56 + 3 * 64];
  head.setUint32(0, 0x7f45_4c46);
  head.setUint16(4, 0x0201);
  head.setBigUint64(32, 64n, true);
  head.setBigUint64(40, 120n, true);
  [56, 1, 64, 3].forEach((half, index) => head.setUint16(54 + index * 2, half, true));
  head.setUint32(64, 1, true);
  const section = (index: number, type: number, offset: number, bytes: number): void => {
    const row = 120 + index * 64;
    head.setUint32(row + 4, type, true);
    head.setBigUint64(row + 24, BigInt(offset), true);
    head.setBigUint64(row + 32, BigInt(bytes), true);
    head.setUint32(row + 40, link, true);
  };
  section(1, 2, at, rows.byteLength);
  section(2, 3, at + rows.byteLength, names.length);
  return Buffer.concat([new Uint8Array(head.buffer), new Uint8Array(rows.buffer), names]);
}

describe('a hostile binary', () => {
  test.each([0xffff_fff4, 0x8000_0000, 0xffff_ffff])('does not make notes of %i bytes endless', (bytes) => {
    const notes = new DataView(new ArrayBuffer(64));
    notes.setUint32(0, bytes, true);
    expect(buildIdOfNotes(new Uint8Array(notes.buffer), true)).toBeNull();
    notes.setUint32(0, 0, true);
    notes.setUint32(4, bytes, true);
    expect(buildIdOfNotes(new Uint8Array(notes.buffer), true)).toBeNull();
  });

  test('is refused if its symbols’ names are in a section that does not exist', () => {
    const file = read(withSymbols(1, Buffer.from('main\0'), 99));
    expect(() => binarySymbols(file, file)).toThrow(ElfError);
  });

  test('costs no more than its size allows if its symbols share long names', () => {
    const file = read(withSymbols(300_000, Buffer.from(`${'x'.repeat(60_000)}\0`), 2));
    const started = performance.now();
    expect(() => binarySymbols(file, file)).toThrow(/names of more than/);
    const endless = read(withSymbols(300_000, Buffer.alloc(8_000_000, 'x'), 2));
    expect(binarySymbols(endless, endless)).toBeNull();
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('is read to where it was cut, or refused', () => {
    for (let length = 0; length < BINARY.length; length += 331) {
      try {
        const file = read(BINARY.subarray(0, length));
        void file.buildId;
        binarySymbols(file, file);
      } catch (error) {
        expect(error).toBeInstanceOf(ElfError);
      }
    }
  });
});
