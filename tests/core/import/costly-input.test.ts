import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { TextLines } from '#core/import/text/text-lines.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { byteSource } from '../../support/byte-source.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/import');
/** Small, so that work per chunk that grows with what came before shows. */
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

/** An archive of one deflated file. */
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

describe('costly files are refused at a limit that the message has', () => {
  it.each<[string, () => Uint8Array | string, RegExp]>([
    [
      'a trace bundle whose entry unpacks 1,000:1',
      () => zipOf('a.trace/form.template', new Uint8Array(40 * 2 ** 20)),
      /form\.template in the archive unpacks to more than 200 times its size/,
    ],
    [
      'gzip of ten thousand members',
      () => Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('a;b 1\n'))),
      /more than 4096 members with less than 1024 bytes each/,
    ],
    [
      'gzip of empty members',
      () => {
        const empty = gzipSync('');
        return Buffer.concat([gzipSync('a;b 1\n'), ...Array.from({ length: 10_000 }, () => empty)]);
      },
      /more than 4096 members/,
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
      /nested more than 50000 levels deep/,
    ],
  ])('%s', async (_, make, message) => {
    const failure = await failureOf(make());
    expect(failure).toBeInstanceOf(ImportFailure);
    expect((failure as ImportFailure).failure).toBe('too-large');
    expect((failure as ImportFailure).message).toMatch(message);
  });
});

it('reads gzip of many members whose size is usual', async () => {
  const member = gzipSync('main;compute_something 1\n'.repeat(50));
  const profile = await read(Buffer.concat(Array.from({ length: 5000 }, () => member)));
  expect(profile.metadata.format).toBe('folded');
});

it('counts no brackets within strings as levels of JSON', async () => {
  const profile = await read(`{"name":"a\\"${'['.repeat(60_000)}","value":1,"children":[]}`);
  expect(profile.metadata.format).toBe('d3-json');
});

it('joins lines of pieces of any size', () => {
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

/** Makes about `bytes` bytes of input that begins as the format does. */
type Generator = (bytes: number, begin: Buffer) => Uint8Array;

const repeated = (text: string, bytes: number): Buffer => Buffer.alloc(bytes, text);
const numbered = (bytes: number, line: (index: number) => string): Buffer => {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)!.length) lines.push(line(lines.length));
  return Buffer.from(lines.join(''));
};

/** Each importer stands these behind a valid beginning. */
const GENERIC: readonly (readonly [string, Generator])[] = [
  ['one endless line', (bytes, begin) => Buffer.concat([begin, repeated('a', bytes)])],
  ['empty lines', (bytes, begin) => Buffer.concat([begin, repeated('\n', bytes)])],
  ['open brackets, tags and quotes', (bytes, begin) => Buffer.concat([begin, repeated('[{(<"a;', bytes)])],
  ['growing indentation', (bytes, begin) => Buffer.concat([begin, indented(bytes)])],
  ['distinct names', (bytes, begin) => Buffer.concat([begin, numbered(bytes, (index) => `name_${index} ${index}\n`)])],
  ['its own content again and again', (bytes, begin) => repeatedBytes(begin, bytes)],
];

/** Worst cases of a format's own. */
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

/** The format's first fixture that is no program of ours and no expected result. */
function beginOf(id: string): Buffer {
  const folder = join(FIXTURES, id);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((file) => !/\.ts$|\.pprof-raw\.txt$/.test(file));
  return name === undefined ? Buffer.from(PERF_SCRIPT) : readFileSync(join(folder, name));
}

const [SMALL_BYTES, FACTOR] = [96 * 1024, 8] as const;
/** Linear work costs 8 times as much for 8 times the input, quadratic work 64 times. */
const MAX_FACTOR = 3 * FACTOR;
/** Less than this of a thread's time, in microseconds, is noise. */
const NOISE = 10_000;

/** Microseconds of this thread that an import takes, the least of some, which other load on the machine does not change. */
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

it.each([...JSON_FORMATS])('%s is refused where it is nested too deep, before it is parsed', async (id) => {
  const failure = await failureOf(`{"a":${'['.repeat(60_000)}`, id);
  expect((failure as ImportFailure).message).toContain('more than 50000 levels');
});
