import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BinaryPlist } from '#core/import/instruments/binary-plist.ts';
import { InstrumentsStacks } from '#core/import/instruments/stacks.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { TextLines } from '#core/import/text/text-lines.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { writeNative } from '#core/model/native/write.ts';
import { HEADER, HEADER_BYTES } from '#core/model/native/layout.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { byteSource } from '../../support/byte-source.ts';
import {
  cyclicConstants,
  forksOfMappings,
  fullChains,
  inlinedAgain,
  labelsOfOneText,
  mappingsDownwards,
  nativeChain,
  sharedTexts,
  simpleperfSymbols,
} from '../../support/costly-inputs.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/import');
/** Small chunks, so that work per chunk that grows with the input before it shows. */
const CHUNK_BYTES = 1024;
const JSON_FORMATS = new Set(
  'speedscope cpuprofile heapprofile v8-prof-json chrome-trace gecko stackprof safari dhat d3-json ghcprof-json'.split(
    ' ',
  ),
);
const PERF_SCRIPT = 'app 1 [000] 1.000001: 1 cycles: \n\t    1000 main+0x1 (/bin/app)\n\n';

const read = (bytes: Uint8Array | string, format?: string): ReturnType<typeof importProfile> =>
  importProfile(byteSource(bytes, 'input', CHUNK_BYTES), format === undefined ? {} : { format });

const failureOf = async (bytes: Uint8Array | string, format?: string): Promise<unknown> =>
  read(bytes, format).then(
    () => null,
    (error: unknown) => error,
  );

/** Makes an archive with one deflated file. */
function zipOf(name: string, content: Uint8Array): Uint8Array {
  const packed = deflateRawSync(content);
  const sizes = [crc32(content), packed.length, content.length, name.length];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(8, 8);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50);
  central.writeUInt16LE(8, 10);
  for (const [header, at] of [
    [local, 14],
    [central, 16],
  ] as const)
    sizes.forEach((size, index) => header.writeUIntLE(size, at + index * 4, index === 3 ? 2 : 4));
  const directory = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

/** A zstd frame with an empty block and one stored byte, whose window has the largest accepted size. */
const ZSTD_FRAME = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0, 0, 0, 9, 0, 0, 0x61);

/** Makes a native file whose JSON is deeply nested: its list of events contains a list of lists. */
function nestedNative(): Uint8Array {
  const name = 'x'.repeat(100_002);
  const file = Buffer.concat(writeNative({ ...profileFromText('a 1'), events: [name] }));
  const at = file.indexOf(`"${name}"`);
  file.fill('[', at, at + name.length + 2);
  file.writeUInt32LE(crc32(file.subarray(HEADER_BYTES)), HEADER.bodyCrc);
  file.writeUInt32LE(crc32(file.subarray(0, HEADER.headerCrc)), HEADER.headerCrc);
  return file;
}

describe('costly files are refused at a limit stated in the message', () => {
  it.each<[string, () => Uint8Array | string, RegExp]>([
    [
      'a trace bundle whose entry unpacks 1,000:1',
      () => zipOf('a.trace/form.template', new Uint8Array(80 * 2 ** 20)),
      /the archive unpacks to more than 500 times its size/,
    ],
    [
      'gzip of ten thousand members',
      () => Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('a;b 1\n'))),
      /more than 4,096 members with less than 1,024 bytes each/,
    ],
    [
      'gzip of empty members',
      () => {
        const empty = gzipSync('');
        return Buffer.concat([gzipSync('a;b 1\n'), ...Array.from({ length: 10_000 }, () => empty)]);
      },
      /more than 4,096 members/,
    ],
    [
      'one VTune line of 100 MB',
      () => Buffer.concat([Buffer.from('Function Stack,CPU Time:Self\nTotal,'), Buffer.alloc(100_000_000, 0x31)]),
      /a line of more than 1 MiB/,
    ],
    [
      'a VTune line of cells',
      () => `Function Stack,CPU Time:Self\n${','.repeat(2 ** 21)}\n`,
      /a line of more than 1 MiB/,
    ],
    [
      'JSON nested 100,000 deep',
      () =>
        `{"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"args":${'['.repeat(1e5)}${']'.repeat(1e5)}}]}`,
      /nested more than 50,000 levels deep/,
    ],
    [
      'a profile of Firefox within a profile of Firefox, nested 100,000 deep',
      () => JSON.stringify({ meta: { stackwalk: 1, interval: 1 }, threads: [`{"a":${'['.repeat(1e5)}`] }),
      /nested more than 50,000 levels deep/,
    ],
    [
      'processes of Firefox within processes',
      () => `${'{"meta":{"stackwalk":1},"threads":[],"processes":['.repeat(2e4)}${']}'.repeat(2e4)}`,
      /processes nested more than 16 levels/,
    ],
    ['a native file whose document is nested 100,000 deep', nestedNative, /nested more than 50,000 levels deep/],
    [
      'labels of Go nested 100,000 deep',
      () => `goroutine profile: total 1\n1 @ 0x1\n# labels: {"a":${'['.repeat(1e5)}}\n#\t0x1\tmain.f+0x1\t/a.go:1\n`,
      /nested more than 50,000 levels deep/,
    ],
    [
      'a location of pprof with 12,000 inlined functions, named 50,000 times',
      () => inlinedAgain(100_000),
      /stacks of more than 4,194,304 frames and 16 per byte/,
    ],
    [
      'processes that inherit thousands of mappings each, and map one more',
      () => forksOfMappings(6000, true),
      /inherit more than 33,554,432 mappings/,
    ],
    [
      'zstd frames of one byte with windows of 128 MiB',
      () => Buffer.concat(Array.from({ length: 1000 }, () => ZSTD_FRAME)),
      /windows add up to more than 256 MiB/,
    ],
    [
      'a line of 65 MiB',
      () => Buffer.concat([Buffer.from('# callgrind format\nevents: Ir\n'), Buffer.alloc(65 * 2 ** 20, 0x31)]),
      /a line of more than 64 MiB; .*export the profile again/,
    ],
  ])('%s', async (_, make, message) => {
    const failure = await failureOf(make());
    expect(failure).toBeInstanceOf(ImportFailure);
    expect((failure as ImportFailure).failure).toBe('too-large');
    expect((failure as ImportFailure).message).toMatch(message);
  });
});

it('refuses an Instruments property list with many references to one text before its texts exceed its size', () => {
  const list = new BinaryPlist(sharedTexts(10_000, 40_000));
  let read = 0;
  const readAll = (): void => {
    for (; read < 10_000; read++) list.object(read);
  };
  expect(readAll).toThrow(/property list in the archive is damaged/);
  expect(read).toBeLessThan(4);
});

it('refuses backtraces of Instruments that all refer to one array', () => {
  const index = new Uint32Array(8 + 2 * 1000);
  const data = new BigUint64Array(10_001);
  for (let row = 8; row < index.length; row += 2) index[row] = 4;
  new DataView(data.buffer).setUint32(4, 9000, true);
  data.fill(1n << 40n, 1);
  const bytesOf = (words: { readonly buffer: ArrayBuffer }): Uint8Array => new Uint8Array(words.buffer);
  const stacks = new InstrumentsStacks(new ProfileBuilder(), new Map(), bytesOf(index), bytesOf(data));
  const readAll = (): void => {
    for (let row = 0; row < 1000; row++) stacks.stack(row);
  };
  expect(readAll).toThrow(/stacks of more than 4,194,304 frames/);
});

it('reads gzip with many members of usual size', async () => {
  const member = gzipSync('main;compute_something 1\n'.repeat(50));
  const profile = await read(Buffer.concat(Array.from({ length: 5000 }, () => member)));
  expect(profile.metadata.format).toBe('folded');
});

it('reads zstd of many small frames', async () => {
  const line = Buffer.from('main;compute_something 1\n');
  // A frame as a stream of unknown size writes it: a window of 128 MiB for a single stored block.
  const header = (line.length << 3) | 1;
  const streamed = Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, header, 0, 0), line]);
  for (const frame of [zstdCompressSync(line), streamed]) {
    const profile = await read(Buffer.concat(Array.from({ length: 2000 }, () => frame)));
    expect([profile.metadata.format, profile.samples.length]).toEqual(['folded', 2000]);
  }
});

it('ignores brackets within strings when counting levels of JSON', async () => {
  const profile = await read(`{"name":"a\\"${'['.repeat(60_000)}","value":1,"children":[]}`);
  expect(profile.metadata.format).toBe('d3-json');
});

it('joins lines from pieces of any size', () => {
  const text = `${'a'.repeat(70_000)}\r\nb\n\n${'c'.repeat(9000)}`;
  for (const size of [1, 7, 4096]) {
    const lines: string[] = [];
    const reader = new TextLines((line) => void lines.push(line.text));
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.finish();
    expect(lines).toEqual(text.split(/\r?\n/));
  }
});

/** Makes about `bytes` bytes of input that begin like the format. */
type Generator = (bytes: number, begin: Buffer) => Uint8Array;

const repeated = (text: string, bytes: number): Buffer => Buffer.alloc(bytes, text);
const numbered = (bytes: number, line: (index: number) => string): Buffer => {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)!.length) lines.push(line(lines.length));
  return Buffer.from(lines.join(''));
};

/** Content that is put behind a valid beginning for every importer. */
const GENERIC: readonly (readonly [string, Generator])[] = [
  ['one endless line', (bytes, begin) => Buffer.concat([begin, repeated('a', bytes)])],
  ['empty lines', (bytes, begin) => Buffer.concat([begin, repeated('\n', bytes)])],
  ['open brackets, tags and quotes', (bytes, begin) => Buffer.concat([begin, repeated('[{(<"a;', bytes)])],
  ['growing indentation', (bytes, begin) => Buffer.concat([begin, indented(bytes)])],
  ['distinct names', (bytes, begin) => Buffer.concat([begin, numbered(bytes, (index) => `name_${index} ${index}\n`)])],
  ['its own content again and again', (bytes, begin) => repeatedBytes(begin, bytes)],
];

/** Worst cases of individual formats. */
const OWN: Readonly<Record<string, readonly (readonly [string, Generator])[]>> = {
  folded: [
    [
      'one stack of distinct frames',
      (bytes) => Buffer.concat([numbered(bytes, (index) => `f${index};`), Buffer.from('x 1\n')]),
    ],
    ['stacks of distinct frames', (bytes) => numbered(bytes, (index) => `main;f${index};g${index} 1\n`)],
  ],
  'perf-script': [
    [
      'one stack of distinct frames',
      (bytes) =>
        Buffer.concat([
          Buffer.from('app 1 [000] 1.000001: 1 cycles: \n'),
          numbered(bytes, (index) => `\t ${(index + 4096).toString(16)} f${index}+0x1 (/bin/app)\n`),
        ]),
    ],
  ],
  xctrace: [
    ['one endless attribute', (bytes, begin) => Buffer.concat([begin.subarray(0, 200), repeated('<a b="', bytes)])],
  ],
  vtune: [
    [
      'rows of distinct functions',
      (bytes) =>
        Buffer.concat([
          Buffer.from('Function Stack,CPU Time:Self\n'),
          numbered(bytes, (index) => `${' '.repeat(index % 40)}f${index},1\n`),
        ]),
    ],
  ],
  pprof: [['labels that all name one long text', labelsOfOneText]],
  'perf-data': [
    ['processes that inherit mappings', (bytes) => forksOfMappings(Math.floor(bytes / 176), false)],
    ['mappings each before all others', (bytes) => mappingsDownwards(Math.floor(bytes / 112))],
    ['call chains that fill their records', fullChains],
  ],
  jfr: [['constants that lead to each other', cyclicConstants]],
  simpleperf: [['a stack of distinct symbols', simpleperfSymbols]],
  native: [['one stack of distinct frames', nativeChain]],
  'd3-json': [
    [
      'a deep tree',
      (bytes) => {
        const depth = Math.min(20_000, Math.floor(bytes / 40));
        return Buffer.from(
          `${'{"name":"a","value":1,"children":['.repeat(depth)}{"name":"b","value":1}${']}'.repeat(depth)}`,
        );
      },
    ],
  ],
};

function indented(bytes: number): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)!.length)
    lines.push(`${' '.repeat(lines.length % 512)}a 1\n`);
  return Buffer.from(lines.join(''));
}

function repeatedBytes(begin: Buffer, bytes: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / begin.length) }, () => begin));
}

/** Returns the format's first fixture that is neither a program of ours nor an expected result. */
function beginOf(id: string): Buffer {
  const folder = join(FIXTURES, id);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((file) => !/\.ts$|\.pprof-raw\.txt$/.test(file));
  return name === undefined ? Buffer.from(PERF_SCRIPT) : readFileSync(join(folder, name));
}

const [SMALL_BYTES, FACTOR] = [96 * 1024, 8] as const;
/** Linear work costs 8 times as much for an input 8 times as large, and quadratic work 64 times as much. */
const MAX_FACTOR = 3 * FACTOR;
/** Less than this CPU time of a thread, in microseconds, is noise. */
const NOISE = 10_000;

/**
 * Returns the microseconds of CPU time of this thread for an import. The least of several runs does not depend on other
 * load.
 */
async function costOf(input: Uint8Array, format: string, enough: number): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < 3 && least > enough; run++) {
    const before = process.threadCpuUsage();
    await failureOf(input, format);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

describe.each(importers.map(({ id }) => id))('%s takes time in proportion to its input', (id) => {
  const begin = beginOf(id);
  it.each([...GENERIC, ...(OWN[id] ?? [])])('%s', async (_, make) => {
    const small = await costOf(make(SMALL_BYTES, begin), id, NOISE);
    const allowed = MAX_FACTOR * Math.max(NOISE, small);
    expect(await costOf(make(SMALL_BYTES * FACTOR, begin), id, allowed)).toBeLessThan(allowed);
  });

  it('ends within a mebibyte of the call that cancels it', async () => {
    let calls = 0;
    const source = byteSource(Buffer.concat([begin, repeated('\n', 3 * 2 ** 20)]), 'input');
    const importing = importProfile(source, {
      format: id,
      onProgress: () => {
        calls += 1;
        throw new Error('cancelled');
      },
    });
    await expect(importing).rejects.toBeInstanceOf(Error);
    expect(calls).toBeLessThanOrEqual(1);
  });
});

it.each([...JSON_FORMATS])('refuses %s if it is nested too deep, before parsing', async (id) => {
  const failure = await failureOf(`{"a":${'['.repeat(60_000)}`, id);
  expect((failure as ImportFailure).message).toContain('more than 50,000 levels');
});
