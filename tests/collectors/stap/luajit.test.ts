import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkLuaJit } from '#collectors/stap/luajit.ts';
import { targetWithFile, tinyElf } from '../../support/tiny-elf.ts';

/** A library with debuginfo and its strings; null: without. */
const elfOf = (strings: Uint8Array | null): Uint8Array =>
  tinyElf(
    strings === null
      ? []
      : [
          ['.debug_info', new Uint8Array(8)],
          ['.debug_str', strings],
        ],
  );

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const check = (file: Uint8Array | null, hasMadeCode: boolean | null = true) =>
  checkLuaJit(targetWithFile(file), '/lib/libluajit.so', { hasMadeCode });

/** Compressed by zlib, behind the header of such a section. */
function compressed(text: string): Uint8Array {
  const packed = deflateSync(bytes(text));
  const all = new Uint8Array(24 + packed.length);
  all[0] = 1;
  all.set(packed, 24);
  return all;
}

test.each([
  ['GC64', bytes('GCRef\0gcptr64\0'), true, 'LuaJIT GC64 with debuginfo, with compiled code (JIT on)'],
  ['GC32', bytes('GCRef\0gcptr32\0'), false, 'LuaJIT GC32 with debuginfo, without compiled code (JIT off)'],
  ['compressed', compressed('GCRef\0gcptr64\0'), null, 'LuaJIT GC64 with debuginfo'],
])('%s: states the size of references, and whether traces were compiled', async (_name, strings, made, found) => {
  expect(await check(elfOf(strings), made)).toMatchObject({ status: 'ok', found });
});

test('fails without debuginfo, and for a program without LuaJIT', async () => {
  expect(await check(elfOf(null))).toMatchObject({
    status: 'failed',
    found: '/lib/libluajit.so has no debuginfo (DWARF)',
    remedy: expect.stringContaining('dbgsym') as string,
  });
  expect(await check(elfOf(bytes('main\0')))).toMatchObject({
    status: 'failed',
    found: '/lib/libluajit.so does not contain LuaJIT 2.1',
  });
});

test('is unknown where the file can’t be read', async () => {
  expect(await check(null)).toMatchObject({ status: 'unknown' });
});
