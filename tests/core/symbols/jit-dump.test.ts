import { expect, test } from 'vitest';
import { nameAt } from '#core/symbols/elf.ts';
import { perfMapText, readJitDump } from '#core/symbols/jit-dump.ts';

/** Writes a dump as runtimes do; numbers in the given byte order. */
function dump(little: boolean, ...records: readonly Uint8Array[]): Uint8Array {
  const head = new DataView(new ArrayBuffer(40));
  head.setUint32(0, 0x4a695444, little);
  head.setUint32(4, 1, little);
  head.setUint32(8, 40, little);
  return Buffer.concat([new Uint8Array(head.buffer), ...records]);
}

function record(
  little: boolean,
  id: number,
  fields: readonly bigint[],
  rest: Uint8Array = new Uint8Array(),
): Uint8Array {
  const view = new DataView(new ArrayBuffer(24 + fields.length * 8));
  view.setUint32(0, id, little);
  view.setUint32(4, view.byteLength + rest.length, little);
  for (const [index, field] of fields.entries()) view.setBigUint64(24 + index * 8, field, little);
  return Buffer.concat([new Uint8Array(view.buffer), rest]);
}

const load = (address: bigint, size: bigint, name: string, little = true): Uint8Array =>
  record(
    little,
    0,
    [address, address, size, 1n],
    Buffer.concat([Buffer.from(`${name}\0`), new Uint8Array(Number(size))]),
  );
const move = (from: bigint, to: bigint, size: bigint): Uint8Array => record(true, 1, [to, from, to, size, 1n]);
const debugInfo = record(true, 2, [0x1000n, 0n]);

const read = (bytes: Uint8Array): ReturnType<typeof readJitDump> =>
  readJitDump((at, length) => Promise.resolve(bytes.subarray(at, at + length)));

test.each([true, false])('lists loaded code by address in either byte order', async (little) => {
  const bytes = dump(little, load(0x2000n, 16n, 'JS:*two', little), load(0x1000n, 32n, 'JS:~one a.js:1', little));
  expect(await read(bytes)).toEqual([
    { address: 0x1000n, size: 32n, name: 'JS:~one a.js:1' },
    { address: 0x2000n, size: 16n, name: 'JS:*two' },
  ]);
});

test('follows moved code, and lets later code replace what it overlaps', async () => {
  const bytes = dump(
    true,
    load(0x1000n, 0x40n, 'replaced'),
    load(0x3000n, 0x40n, 'moved'),
    debugInfo,
    load(0x1020n, 0x40n, 'later'),
    move(0x3000n, 0x1050n, 0x40n),
    move(0x9999n, 0x1000n, 0x40n),
  );
  expect(await read(bytes)).toEqual([{ address: 0x1050n, size: 0x40n, name: 'moved' }]);
  const older = dump(true, load(0x1010n, 16n, 'old'), load(0x1000n, 0x40n, 'new'), load(0x1040n, 16n, 'next'));
  expect((await read(older)).map(({ name }) => name)).toEqual(['new', 'next']);
});

test('ends at what is damaged or incomplete, and refuses other files', async () => {
  const whole = dump(true, load(0x1000n, 16n, 'one'), load(0x2000n, 16n, 'two'));
  expect((await read(whole.subarray(0, whole.length - 60))).map(({ name }) => name)).toEqual(['one']);
  const looping = dump(true, load(0x1000n, 16n, 'one'), new Uint8Array(16));
  expect((await read(looping)).map(({ name }) => name)).toEqual(['one']);
  for (const other of ['', 'JiTD', 'not a dump, but text', '\u007fELF'.padEnd(100)]) {
    expect(await read(Buffer.from(other))).toEqual([]);
  }
});

test('a name is one line of the map', () => {
  const code = { address: 0x10n, size: 0x20n };
  expect(
    perfMapText([
      { ...code, name: 'a\nb 0 0 forged' },
      { ...code, name: '' },
      { ...code, name: '__proto__ <b>' },
    ]),
  ).toBe('10 20 a b 0 0 forged\n10 20 [unnamed]\n10 20 __proto__ <b>\n');
});

test('names that are not UTF-8 stay distinct, in dumps and in symbol tables', async () => {
  const bytes = dump(true, load(0x1000n, 16n, 'caf?', true), load(0x2000n, 16n, 'caf?', true));
  const [first, second] = [bytes.indexOf(0x3f), bytes.lastIndexOf(0x3f)];
  [bytes[first], bytes[second]] = [0xe9, 0xe8];
  expect((await read(bytes)).map(({ name }) => name)).toEqual(['café', 'cafè']);
  expect([nameAt(Uint8Array.of(0x66, 0xe9, 0), 0), nameAt(Uint8Array.of(0x66, 0xe8, 0), 0)]).toEqual(['fé', 'fè']);
});
