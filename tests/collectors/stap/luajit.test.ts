import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkLuaJit } from '#collectors/stap/luajit.ts';
import type { FileRange, Target } from '#collectors/target/target.ts';

/** An ELF file of 64 bits with one section of debuginfo and its strings. */
function elfOf(strings: Uint8Array | null): Uint8Array {
  const names = '\0.debug_info\0.debug_str\0.names\0';
  const sections = strings === null ? [] : ['.debug_info', '.debug_str'];
  const contents = [new Uint8Array(0), ...(strings === null ? [] : [new Uint8Array(8), strings]), bytes(names)];
  const at = contents.map((_, index) => 64 + contents.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const table = at.at(-1)! + names.length;
  const file = new Uint8Array(table + 64 * contents.length);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  view.setUint16(18, 62, true);
  view.setBigUint64(40, BigInt(table), true);
  view.setUint16(58, 64, true);
  view.setUint16(60, contents.length, true);
  view.setUint16(62, contents.length - 1, true);
  for (const [index, content] of contents.entries()) {
    file.set(content, at[index]);
    const name = index === 0 ? 0 : names.indexOf(sections[index - 1] ?? '.names');
    view.setUint32(table + 64 * index, name, true);
    view.setBigUint64(table + 64 * index + 24, BigInt(at[index]!), true);
    view.setBigUint64(table + 64 * index + 32, BigInt(content.length), true);
  }
  return file;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const targetWith = (file: Uint8Array | null): Target =>
  ({
    readRanges: (ranges: readonly FileRange[]) =>
      Promise.resolve(
        ranges.map(({ offset, length }) => (file === null ? null : file.subarray(offset, offset + length))),
      ),
    stat: () => Promise.resolve(null),
  }) as unknown as Target;

const check = (file: Uint8Array | null, hasMadeCode: boolean | null = true) =>
  checkLuaJit(targetWith(file), '/lib/libluajit.so', { hasMadeCode });

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
