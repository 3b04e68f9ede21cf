import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { SymbolRequest } from '#core/symbols/symbols.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { namesRootFirst } from '../../../support/profile-rollup.ts';

const HEAP = `heap profile: 3: 48 [3: 48] @ heapprofile
1: 16 [1: 16] @ 0x7fe01301 0x401101 0x402201
2: 32 [2: 32] @ 0x401051 0x402201

MAPPED_LIBRARIES:
00400000-00402000 r-xp 00000000 fe:01 1531        /srv/app/server
00402000-00403000 r-xp 00002000 fe:01 1531        /srv/app/server
7fe01000-7fe02000 r-xp 00001000 00:00 1532        /usr/lib/libjemalloc.so.2
7ff01000-7ff02000 r-xp 00000000 00:00 0           [vdso]
`;

/** Symbols by path and offset in the file. */
type Symbols = Readonly<Record<string, Readonly<Record<number, string>>>>;

async function read(text: string, symbols: Symbols): Promise<{ profile: Profile; requests: SymbolRequest[] }> {
  const requests: SymbolRequest[] = [];
  const profile = await importProfile(byteSource(text), {
    symbols: (request) => {
      requests.push(request);
      const names = symbols[request.path];
      return Promise.resolve(names === undefined ? null : { nameAt: (offset) => names[Number(offset)] ?? null });
    },
  });
  return { profile, requests };
}

const stacksOf = (profile: Profile): string[] =>
  Array.from(profile.samples.stack, (stack) => namesRootFirst(profile, stack).join(';'));

it('requests the binaries that contain addresses, with their identity from the memory map', async () => {
  const { requests } = await read(HEAP, {});
  expect(requests.map(({ path, file, buildId }) => ({ path, file, buildId }))).toEqual([
    { path: '/usr/lib/libjemalloc.so.2', file: { major: 0, minor: 0, inode: 1532n }, buildId: null },
    { path: '/srv/app/server', file: { major: 0xfe, minor: 1, inode: 1531n }, buildId: null },
    // The program itself, if the service can still be queried.
    { path: '', file: null, buildId: null },
  ]);
});

it('names addresses by their offsets in files, without parameters, and removes the allocator like pprof', async () => {
  const { profile } = await read(HEAP, {
    '/srv/app/server': { 0x1100: '_ZN3app5Cache3putEi', 0x1050: 'grow', 0x2200: 'main' },
    '/usr/lib/libjemalloc.so.2': { 0x1300: 'malloc' },
  });
  expect(stacksOf(profile)).toEqual(['main;app::Cache::put', 'main;grow']);
  expect(profile.diagnostics.map(({ code }) => code)).toEqual(['pruned-frames']);
});

it.each(['malloc', '_Znwm', '_ZN8tcmalloc13allocate_slowEm', 'tc_newarray_nothrow', '_rjem_malloc', '__libc_calloc'])(
  'recognises %s as the allocator',
  async (name) => {
    const { profile } = await read(HEAP, { '/usr/lib/libjemalloc.so.2': { 0x1300: name } });
    expect(stacksOf(profile)[0]).toBe('[server];[server]');
  },
);

it.each(['mallocate', 'freeze', 'my_malloc', 'operator_new', '_ZN3app6mallocEv'])(
  'does not mistake %s for the allocator',
  async (name) => {
    const { profile } = await read(HEAP, { '/usr/lib/libjemalloc.so.2': { 0x1300: name } });
    expect(stacksOf(profile)[0]).toMatch(/^\[server\];\[server\];./);
  },
);

it('does not request files with two identities, without an inode, or that are not files', async () => {
  const two = HEAP.replace('fe:01 1531', 'fe:01 1530').replace('00:00 1532', '00:00 0').replace(' /usr/lib', ' lib');
  expect((await read(two, {})).requests.filter(({ kind }) => kind === 'file')).toEqual([]);
});
