import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { SymbolRequest, SymbolTable } from '#core/symbols/symbols.ts';
import type { Profile } from '#core/model/profile.ts';
import { receiptOf } from '#core/model/receipt.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { describeProfile } from '../../support/describe-profile.ts';
import {
  encodePerfData,
  encodeRecords,
  headerText,
  KERNEL_MARK,
  u32,
  u64,
  USER_MARK,
  type EncodedAttr,
  type EncodedRecord,
} from '../../support/encode/perf-data.ts';
import {
  comm,
  cpuClock,
  endOfRound,
  fork,
  kernelMap,
  lost,
  lostSamples,
  mmap2,
  sample,
  SAMPLE_TYPE,
} from '../../support/perf-data-records.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';

for (const name of ['file', 'pipe']) {
  checkImport({ path: `perf-data/${name}.perf.data`, format: 'perf-data', isText: false });
}

const FIXTURES = join(import.meta.dirname, '../../fixtures/import/perf-data');

const read = (bytes: Uint8Array, symbols?: Parameters<typeof importProfile>[1]): Promise<Profile> =>
  importProfile(byteSource(bytes, 'perf.data'), symbols);

const readRecords = (...records: EncodedRecord[]): Promise<Profile> =>
  read(encodePerfData({ attrs: [cpuClock], records }));

/** Writes `comm: names, root first` for each sample. */
function samplesOf(profile: Profile): string[] {
  const { samples, threads, strings } = profile;
  return Array.from(samples.stack, (stack, row) => {
    const name = strings[threads.name[samples.thread[row]!]!]!;
    return `${name}: ${namesRootFirst(profile, stack).join(' ')}`.trimEnd();
  });
}

const codesOf = ({ diagnostics }: Profile): string[] =>
  diagnostics.map(({ code }) => code).filter((code) => code !== 'unresolved-frames');

const app = (at = {}): EncodedRecord => mmap2({ start: 0x1000, length: 0x1000, path: '/app' }, at);

describe('perf.data', () => {
  it('is the same from machines of either byte order, and as a stream', async () => {
    const [file, bigEndian, pipe] = await Promise.all(
      ['file', 'big-endian', 'pipe'].map((name) => read(readFileSync(join(FIXTURES, `${name}.perf.data`)))),
    );
    expect(describeProfile(bigEndian!)).toBe(describeProfile(file!));
    const withoutPlaces = (text: string): string => text.replace(/"byte":\d+/g, '');
    expect(withoutPlaces(describeProfile(pipe!))).toBe(withoutPlaces(describeProfile(file!)));
  });

  it('unpacks -z, however the stream is split into records', async () => {
    const records = [
      comm('packed'),
      app(),
      ...times(50, (time) => sample({ time, chain: [USER_MARK, 0x1000 + time] })),
    ];
    const packed = zstdCompressSync(encodeRecords(records));
    for (const pieces of [1, 2, 7]) {
      const size = Math.ceil(packed.length / pieces);
      const cut = times(pieces, (piece) => packed.subarray((piece - 1) * size, piece * size));
      const first = await readRecords(...cut.map((bytes) => ({ type: 81, fields: [bytes] })));
      const second = await readRecords(
        ...cut.map((bytes) => ({ type: 83, fields: [u64(bytes.length), bytes, new Uint8Array(-bytes.length & 7)] })),
      );
      expect(samplesOf(first)).toEqual(samplesOf(await readRecords(...records)));
      expect(samplesOf(second)).toEqual(samplesOf(first));
    }
  });

  it('names threads and code as they were at the sample’s time, whatever the order of the buffers', async () => {
    const profile = await readRecords(
      app({ time: 1 }),
      sample({ time: 30, chain: [USER_MARK, 0x1000] }),
      sample({ time: 50, chain: [USER_MARK, 0x1000] }),
      sample({ time: 10, cpu: 1, chain: [USER_MARK, 0x1000] }),
      comm('renamed', { time: 20, cpu: 1 }),
      mmap2({ start: 0x1000, length: 0x1000, path: '/other' }, { time: 40, cpu: 1 }),
      endOfRound,
    );
    expect(samplesOf(profile)).toEqual([':10: [app]', 'renamed: [app]', 'renamed: [other]']);
    expect([...profile.samples.time!]).toEqual([0, 20, 40]);
  });

  it('gives a fork its parent’s name and code, and a new program neither', async () => {
    const isExec = 1 << 13;
    const profile = await readRecords(
      comm('parent'),
      app(),
      fork(11, 10),
      sample({ pid: 11, time: 1, chain: [USER_MARK, 0x1000] }),
      comm('program', { pid: 11, time: 2 }, isExec),
      sample({ pid: 11, time: 3, chain: [USER_MARK, 0x1000] }),
      sample({ pid: 10, tid: 12, time: 4, chain: [USER_MARK, 0x1000] }),
    );
    expect(samplesOf(profile)).toEqual(['parent: [app]', 'program: [unknown]', ':12: [app]']);
  });

  it('replaces mappings by later ones', async () => {
    const at = (time: number, address: number): EncodedRecord => sample({ time, chain: [USER_MARK, address] });
    const profile = await readRecords(
      mmap2({ start: 0x1000, length: 0x3000, offset: 0x7000, path: '/a' }, { time: 1 }),
      mmap2({ start: 0x2000, length: 0x1000, path: '/b' }, { time: 2 }),
      ...[0x1fff, 0x2000, 0x2fff, 0x3000, 0x4000].map((address, index) => at(3 + index, address)),
    );
    expect(samplesOf(profile)).toEqual([':10: [a]', ':10: [b]', ':10: [b]', ':10: [a]', ':10: [unknown]']);
    expect([...profile.frames.address!]).toEqual([0x7fffn, 0n, 0xfffn, 0x9000n, 0x4000n]);
  });

  it('splits call chains at their markers', async () => {
    const guestKernel = -2176n;
    const profile = await readRecords(
      app(),
      kernelMap({ start: -0x1000_0000n, length: 0x1000, path: '[kernel.kallsyms]_text' }),
      sample({ chain: [KERNEL_MARK, -0x1000_0000n, USER_MARK, 0x1000] }),
      sample({ chain: [guestKernel, -0x1000_0000n] }),
      sample({ chain: [KERNEL_MARK, -0x1000_0000n, -77n, 0x1000] }),
      sample({ chain: [0x1000] }),
    );
    expect(samplesOf(profile).map((line) => line.replace(':10: ', ''))).toEqual([
      '[app] [[kernel.kallsyms]]',
      '[[guest.kernel.kallsyms]]',
      ':10:',
      '[app]',
    ]);
    expect(codesOf(profile)).toEqual(['broken-callchain']);
  });

  it('gives each member of a group its count since the previous sample', async () => {
    const withRead = (sampleType: number): EncodedAttr => ({ rate: 99, sampleType, readFormat: 4 | 8 });
    const type = (SAMPLE_TYPE & ~256) | 16;
    const counted = (time: number, first: number, second: number): EncodedRecord => {
      const fields = [u64(1), u64(0x1000), u32(10), u32(10), u64(time), u32(0), u32(0)];
      return { type: 9, misc: 2, fields: [...fields, u64(2), u64(first), u64(1), u64(second), u64(2), u64(0)] };
    };
    const attrs = [
      { ...withRead(type), ids: [1] },
      { ...withRead(type), type: 0, ids: [2] },
    ];
    const profile = await read(encodePerfData({ attrs, records: [counted(1, 100, 7), counted(2, 150, 7)] }));
    expect(profile.events).toEqual(['cpu-clock', 'cycles']);
    expect([...profile.samples.event!]).toEqual([0, 1, 0]);
    expect([...profile.samples.weights[0]!]).toEqual([100, 7, 50]);
  });

  it('weighs samples by the requested period if none is stored, and not at all if a rate was requested', async () => {
    const sampleType = SAMPLE_TYPE & ~256;
    const stored = { type: 9, misc: 2, fields: [1, 0x1000, 0, 0, 0, 0].map(u64) };
    const byPeriod = await read(encodePerfData({ attrs: [{ period: 4_000_000, sampleType }], records: [stored] }));
    expect([...byPeriod.samples.weights[0]!]).toEqual([4_000_000]);
    expect(byPeriod.metadata.period).toEqual({ type: 'cpu-clock', unit: 'nanoseconds', value: 4_000_000 });
    const byRate = await read(encodePerfData({ attrs: [{ rate: 99, sampleType }], records: [stored] }));
    expect(byRate.valueTypes).toEqual([{ type: 'cpu-clock', unit: 'samples', event: 0, column: -1 }]);
  });

  it('orders events and value types as the file does, also if a later one is sampled first; those without samples follow', async () => {
    const attrs = [
      { ...cpuClock, ids: [1] },
      ...[0, 1].map((config) => ({ ...cpuClock, type: 0, config, ids: [2 + config] })),
      { ...cpuClock, config: 9, ids: [4] },
    ];
    const at = (time: number, id: number): EncodedRecord => sample({ time, id, period: id, chain: [] });
    const profile = await read(encodePerfData({ attrs, records: [at(1, 3), at(2, 2), at(3, 3)] }));
    expect(profile.events).toEqual(['cycles', 'instructions', 'cpu-clock']);
    const types = profile.valueTypes.map(({ type }) => type);
    expect(types).toEqual(['cycles', 'cycles', 'instructions', 'instructions', 'cpu-clock']);
    expect(receiptOf(profile).weights.at(-1)).toEqual({ type: 'cpu-clock', unit: 'samples', total: 0 });
    expect([...profile.samples.event!]).toEqual([1, 0, 1]);
    expect([...sampleWeights(profile, profile.metadata.defaultValueType)]).toEqual([0, 2, 0]);
  });

  it('names events like the file, and separates undescribed ones', async () => {
    const described = [u32(1), u32(136), new Uint8Array(136), u32(1), ...headerText('sched:sched_switch'), u64(1)];
    const records = [sample({ time: 1, chain: [] }), sample({ time: 2, id: 99, chain: [] })];
    const attrs = [cpuClock, { ...cpuClock, ids: [3] }];
    const profile = await read(encodePerfData({ attrs, records, features: [[12, described]] }));
    expect(profile.events).toEqual(['sched:sched_switch', '(unknown event)', 'cpu-clock']);
    expect(codesOf(profile)).toEqual(['unknown-event', 'samples-without-stack']);
  });

  it('reports losses with their times', async () => {
    const profile = await readRecords(sample({ time: 5, chain: [] }), lost(7, { time: 6 }), lost(3, { time: 8 }));
    expect(profile.diagnostics).toMatchObject([
      { code: 'lost-samples', count: 10, moments: [{ clock: '6', text: 'lost 7' }, { clock: '8' }] },
      { code: 'samples-without-stack' },
    ]);
  });

  it('counts losses that perf repeats at its end once', async () => {
    const before = [sample({ time: 5, chain: [] }), lost(7, { time: 6 }), lost(3, { time: 8 })];
    const countOf = async (...records: EncodedRecord[]): Promise<number> =>
      (await readRecords(...records)).diagnostics.find(({ code }) => code === 'lost-samples')!.count;
    expect(await countOf(...before, lostSamples(10))).toBe(10);
    expect(await countOf(...before, lostSamples(6), lostSamples(6), lostSamples(2, { time: 9 }))).toBe(14);
    expect(await countOf(sample({ time: 5, chain: [] }), lostSamples(4))).toBe(4);
  });

  it('reports that copies of user stacks are not unwound', async () => {
    const attr = { ...cpuClock, sampleType: SAMPLE_TYPE | (1 << 13) };
    const records = [app(), sample({ ip: 0x1000, chain: [] })];
    const profile = await read(encodePerfData({ attrs: [attr], records }));
    expect(samplesOf(profile)).toEqual([':10: [app]']);
    expect(codesOf(profile)).toEqual(['user-stack-not-unwound']);
  });

  it('reads killed and truncated recordings as far as possible', async () => {
    const whole = encodePerfData({
      attrs: [cpuClock],
      records: times(20, (time) => sample({ time, chain: [] })),
    });
    const killed = Uint8Array.from(whole);
    killed.fill(0, 48, 56);
    const profile = await read(killed);
    expect([profile.samples.length, codesOf(profile)]).toEqual([20, ['unfinished-recording', 'samples-without-stack']]);
    const cut = await read(whole.subarray(0, whole.length - 100));
    expect([cut.samples.length, codesOf(cut)]).toEqual([18, ['truncated-input', 'samples-without-stack']]);
    expect(cut.diagnostics[0]!.first).toEqual({ byte: whole.length - 100 });
  });

  it('sorts a file without rounds', async () => {
    const shuffled = times(300, (time) => (time * 7919) % 307);
    const profile = await readRecords(...shuffled.map((time) => sample({ time, chain: [] })));
    const sorted = shuffled.toSorted((a, b) => a - b);
    expect([...profile.samples.time!]).toEqual(sorted.map((time) => time - sorted[0]!));
  });
});

describe('names in perf.data', () => {
  const table: SymbolTable = { nameAt: (address) => (address === 0x10n ? '_ZN4work3runEi' : null) };
  const records = [
    kernelMap({ start: -0x1000_0000n, length: 0x1000, path: '[kernel.kallsyms]_text' }),
    app(),
    sample({ chain: [KERNEL_MARK, -0x1000_0000n + 0x18n, USER_MARK, 0x1010, 0x1020] }),
  ];

  it('are requested once per binary, with its identity', async () => {
    const buildId = Uint8Array.from({ length: 24 }, (_, index) => (index < 20 ? index + 1 : 0));
    const path = '/app';
    const features = [
      [2, [u32(67), u32((12 + 24 + 8) << 16), u32(10), buildId, path]] as const,
      [3, headerText('h')] as const,
    ];
    const asked: SymbolRequest[] = [];
    const profile = await read(encodePerfData({ attrs: [cpuClock], records, features }), {
      symbols: (request) => {
        asked.push(request);
        return Promise.resolve(request.path === '/app' ? table : null);
      },
    });
    expect(asked).toContainEqual({
      module: '/app',
      path: '/app',
      kind: 'file',
      buildId: '0102030405060708090a0b0c0d0e0f1011121314',
      file: { major: 8, minor: 1, inode: 1234n },
      reference: null,
      hostName: 'h',
      kernel: null,
    });
    expect(asked.find(({ kind }) => kind === 'kernel')).toMatchObject({
      path: '[kernel.kallsyms]',
      reference: { symbol: '_text', address: 0xffff_ffff_f000_0000n },
    });
    expect(samplesOf(profile)).toEqual([':10: [app] work::run [[kernel.kallsyms]]']);
    expect(profile.diagnostics).toMatchObject([{ code: 'unresolved-frames', count: 1 }]);
  });

  it('come from the kernel’s symbols in the file if present', async () => {
    const kallsyms = new TextEncoder().encode(
      'fffffffff0000000 T _text\nfffffffff0000010 t do_work\nfffffffff0000020 T next\n',
    );
    const formats = [u32(0), u32(0)];
    const head = [Uint8Array.of(23, 8, 68), new TextEncoder().encode('tracing0.6\0'), Uint8Array.of(0, 8, 0, 16, 0, 0)];
    const names = ['header_page', 'header_event'].flatMap((name) => [new TextEncoder().encode(`${name}\0`), u64(0)]);
    const tracing = [...head, ...names, ...formats, u32(kallsyms.length), kallsyms];
    const profile = await read(encodePerfData({ attrs: [cpuClock], records, features: [[1, tracing]] }));
    expect(samplesOf(profile)).toEqual([':10: [app] [app] do_work']);
  });
});

/** Makes `count` values from the numbers 1, 2, …. */
function times<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
