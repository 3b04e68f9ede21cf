import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBuildId, readElfFacts } from '#collectors/target/elf.ts';
import type { Target } from '#collectors/target/target.ts';
import { encodeElf } from '../../support/encode/elf.ts';
import { target } from '../../support/perf-recording.ts';

const file = encodeElf({
  isWide: false,
  littleEndian: false,
  codeAddress: 0x8000,
  codeOffset: 0x100,
  codeBytes: 0x80,
  symbols: [{ name: 'main', address: 0x8010, size: 16 }],
});
const ID = '0102030405060708090a0b0c0d0e0f1011121314';

const holding = (bytes: Uint8Array): Target => ({
  ...target,
  readRanges: async (ranges) => ranges.map(({ offset, length }) => bytes.subarray(offset, offset + length)),
});

test('reads a 32-bit big-endian executable on a target', async () => {
  const facts = await readElfFacts(holding(file), '/bin/x');
  expect(facts).toMatchObject({
    symbols: true,
    debugInfo: false,
    debugFile: `/usr/lib/debug/.build-id/${ID.slice(0, 2)}/${ID.slice(2)}.debug`,
  });
  expect(facts?.addressAt(0x110)).toBe(0x8010);
  expect(facts?.addressAt(0x90_0000)).toBeNull();
  expect(readBuildId(file)).toBe(ID);
});

test('finds the build id in the first bytes of an executable', () => {
  const bytes = readFileSync('/bin/sh');
  expect(readBuildId(bytes.subarray(0, 4096))).toBe(readBuildId(bytes));
  expect(readBuildId(bytes)).toMatch(/^[0-9a-f]{40}$/);
});

test('returns nothing for a damaged file, or another one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.nat(255), fc.nat(file.length), async (at, byte, length) => {
      const damaged = file.slice(0, length);
      damaged[at] = byte;
      readBuildId(damaged);
      await readElfFacts(holding(damaged), '/bin/x');
    }),
  );
  expect(readBuildId(new Uint8Array(64))).toBeNull();
  expect(await readElfFacts(holding(new Uint8Array(0)), '/bin/x')).toBeNull();
});
