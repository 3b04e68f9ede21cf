import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectImporter, makeHead } from '#core/import/detect.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ByteSource, Importer } from '#core/import/importer.ts';
import { importers } from '#core/import/registry.ts';
import { describeFailure, ImportFailure } from '#core/model/failure.ts';
import { byteSource } from '../../support/byte-source.ts';
import { encodePprof } from '../../support/encode/pprof.ts';

describe('importProfile', () => {
  it('names the file, checks it, and states the detected format', async () => {
    const { metadata } = await importProfile(byteSource('a;b 1\n', 'capture.txt'));
    expect(metadata).toMatchObject({ fileName: 'capture.txt', format: 'folded' });
  });

  it('uses a forced format whatever the content, and refuses unknown ones', async () => {
    await expect(importProfile(byteSource('a;b 1\n'), { format: 'pprof' })).rejects.toMatchObject({
      failure: 'malformed',
    });
    expect((await importProfile(byteSource('words 5\n'), { format: 'folded' })).samples.length).toBe(1);
    await expect(importProfile(byteSource('a;b 1\n'), { format: 'nope' })).rejects.toMatchObject({
      failure: 'unsupported',
      message: expect.stringContaining('folded'),
    });
  });

  it('reports progress in source bytes, at least once a megabyte', async () => {
    const text = 'main;work;leaf 1\n'.repeat(200_000);
    const seen: number[] = [];
    const onProgress = (read: number, total: number | null): void => {
      expect(total).toBe(text.length);
      seen.push(read);
    };
    await importProfile(byteSource(text), { onProgress });
    expect(seen.at(-1)).toBe(text.length);
    expect(Math.max(...seen.map((read, index) => read - (seen[index - 1] ?? 0)))).toBeLessThanOrEqual(2 ** 20);
    const packed = gzipSync(text);
    const ofPacked: number[] = [];
    await importProfile(byteSource(packed, 'x', 1000), { onProgress: (read) => void ofPacked.push(read) });
    expect(ofPacked.at(-1)).toBe(packed.length);
  });

  it('stops when onProgress throws, passes on the exception, and closes the source', async () => {
    let handedOut = 0;
    let closed = false;
    const source: ByteSource = {
      fileName: 'endless',
      size: null,
      async *chunks() {
        try {
          for (;;) {
            handedOut += 1;
            yield new TextEncoder().encode('a;b 1\n'.repeat(1000));
          }
        } finally {
          closed = true;
        }
      },
    };
    const cancelled = new RangeError('array buffer allocation failed');
    const onProgress = (): void => {
      if (handedOut === 5) throw cancelled;
    };
    await expect(importProfile(source, { onProgress })).rejects.toBe(cancelled);
    expect([handedOut, closed]).toEqual([5, true]);
  });

  it('passes on exceptions of the source', async () => {
    const source: ByteSource = {
      fileName: 'gone',
      size: null,
      async *chunks() {
        throw new Error('EIO: i/o error');
      },
    };
    await expect(importProfile(source)).rejects.toThrow('EIO');
  });

  it('copies what it keeps, because a source may reuse its buffer', async () => {
    const text = new TextEncoder().encode('main;größe;leaf 12\n'.repeat(20_000));
    const reused = new Uint8Array(1000);
    const source: ByteSource = {
      fileName: 'x.folded',
      size: text.length,
      async *chunks() {
        for (let at = 0; at < text.length; at += reused.length) {
          const part = text.subarray(at, at + reused.length);
          reused.set(part);
          yield reused.subarray(0, part.length);
        }
      },
    };
    const profile = await importProfile(source);
    expect([profile.samples.length, profile.functions.length]).toEqual([20_000, 3]);
  });

  it('reports too-large if memory runs out', async () => {
    const source: ByteSource = {
      fileName: 'x',
      size: null,
      async *chunks() {
        yield new TextEncoder().encode('a;b 1\n');
        throw new RangeError('Array buffer allocation failed');
      },
    };
    await expect(importProfile(source)).rejects.toMatchObject({ failure: 'too-large' });
  });
});

const bytesOf = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, ...Array.from({ length: 64 }, () => 0)]);

describe('refusals', () => {
  it.each<[string, Uint8Array | string, RegExp]>([
    ['an empty file', '', /^unrecognized: the file is empty$/],
    ['an empty gzip file', gzipSync(''), /^unrecognized: .*zero bytes/],
    ['blanks', ' \n\t\r\n', /^unrecognized: only whitespace/],
    ['a text', 'Dear reader,\nthis is no profile.\n', /^unrecognized: text, but not a profile format.*\(byte 0\)$/],
    ['binary data', bytesOf(7, 7, 7), /^unrecognized: binary data/],
    ['zeros', new Uint8Array(100_000), /^unrecognized: binary data/],
    ['an executable', bytesOf(0x7f, 0x45, 0x4c, 0x46, 2, 1), /^unrecognized: an executable/],
    ['truncated perf.data', 'PERFILE2\0\0\0', /^malformed: .*within its header.*\(byte 11\)$/],
    ['perf.data of before 2010', 'PERFFILE\0\0\0', /^unsupported: .*flamebench perf-script FILE/],
    ['a web page', '\n<!DOCTYPE html><html>', /^unrecognized: a web page/],
    ['a flame graph', '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x">\n<svg version="1.1">', /^unrecognized: an SVG/],
    ['JSON', '{"a": 1}', /^unrecognized: JSON/],
    ['XML', '<?xml version="1.0"?><a/>', /^unrecognized: XML/],
    ['zip', 'PK\x03\x04....', /^unsupported: a zip archive/],
    ['xz', Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2]), /^unsupported: .*xz -d/],
    ['bzip2', 'BZh91AY&SY....', /^unsupported: .*bzip2 -d/],
    ['threadz without threads', '--- threadz 1 ---\n', /^malformed: there is no thread$/],
    ['a cut gzip', gzipSync('a;b 1\n'.repeat(100)).subarray(0, 30), /^malformed: the gzip data is truncated.*zcat/],
    ['a cut pprof', cutPprof(), /^malformed: pprof: the data ends within a (field|number).*\(byte \d+\)$/],
    ['UTF-16 without content', Uint8Array.from([0xff, 0xfe]), /^unrecognized: .*zero bytes/],
  ])('%s', async (_, content, line) => {
    const failure = await importProfile(byteSource(content)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportFailure);
    const text = describeFailure(failure as ImportFailure);
    expect(text).toMatch(line);
    expect(text).not.toContain('\n');
  });

  function cutPprof(): Uint8Array {
    const whole = encodePprof({
      sampleTypes: [['samples', 'count']],
      samples: Array.from({ length: 100 }, () => ({ locations: [1], values: [1] })),
      locations: [{ id: 1, lines: [[1, 1]] }],
      functions: [{ id: 1, name: 'main' }],
    });
    return whole.subarray(0, whole.length - 5);
  }
});

describe('detection', () => {
  const always = (id: string, verdict: 'yes' | 'maybe' | 'no', extension = 'x'): Importer => ({
    ...importers[0]!,
    id,
    extensions: [extension],
    sniff: () => verdict,
  });
  const detect = (fileName: string, ...rows: Importer[]): string =>
    detectImporter(makeHead(Uint8Array.of(65), true), fileName, rows)!.id;

  it('prefers a yes to every maybe, and accepts a lone maybe', () => {
    expect(detect('f', always('a', 'maybe'), always('b', 'yes'), always('c', 'maybe'))).toBe('b');
    expect(detect('f', always('a', 'no'), always('b', 'maybe'))).toBe('b');
  });

  it('breaks ties by the extension, ignoring compression', () => {
    expect(detect('f.b', always('a', 'yes', 'a'), always('b', 'yes', 'b'))).toBe('b');
    expect(detect('f.b.gz', always('a', 'maybe', 'a'), always('b', 'maybe', 'b'))).toBe('b');
    expect(() => detect('f', always('a', 'yes'), always('b', 'yes'))).toThrow(/several formats \(a, b\)/);
  });

  it('has a description for every row of the registry', () => {
    expect(new Set(importers.map(({ id }) => id)).size).toBe(importers.length);
    for (const importer of importers) {
      expect(importer.extensions.length, importer.id).toBeGreaterThan(0);
      for (const text of [
        importer.label,
        importer.keeps,
        importer.loses,
        importer.recognizedBy,
        importer.specification,
      ]) {
        expect(text, importer.id).not.toBe('');
      }
    }
  });
});

it.each([
  ['without samples', '{"meta":{"processType":0},"threads":[]}', 'The input has no samples.'],
  ['without weight', 'a;b 0\n', 'No sample has weight.'],
])('says that a profile is %s', async (_, text, message) => {
  const { diagnostics } = await importProfile(byteSource(text));
  expect(diagnostics).toMatchObject([{ code: 'no-samples', severity: 'warning', message }]);
});
