import { gzipSync, zstdCompressSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { UnwrapStage } from '#core/import/unpack/unwrap.ts';

function unwrap(bytes: Uint8Array, chunkBytes = Infinity): Uint8Array {
  const out: Uint8Array[] = [];
  const stage = new UnwrapStage({ push: (chunk) => void out.push(chunk.slice()), end: () => undefined });
  for (let at = 0; at < bytes.length; at += chunkBytes)
    stage.push(bytes.slice(at, Math.min(bytes.length, at + chunkBytes)));
  stage.end();
  return Buffer.concat(out);
}

const text = Buffer.from('a;b;c 3\n'.repeat(5000) + 'Größe;日本;😀 1\n');
const zstd = (bytes: Uint8Array, params: Record<number, number> = {}): Buffer => zstdCompressSync(bytes, { params });
/** Multiplicative noise, which does not compress and is the same each time. */
const noise = Uint8Array.from({ length: 300_000 }, (_, at) => (Math.imul(at, 2654435761) >>> 13) & 0xff);
const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

const wrappings: [string, Uint8Array, Uint8Array][] = [
  ['plain', text, text],
  ['gzip', gzipSync(text), text],
  ['gzip, stored blocks', gzipSync(noise, { level: 0 }), noise],
  ['gzip of two members', Buffer.concat([gzipSync(text), gzipSync(text)]), Buffer.concat([text, text])],
  ['gzip of an empty and a full member', Buffer.concat([gzipSync(''), gzipSync(text)]), text],
  [
    'gzip of a thousand members',
    Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('a;b 1\n'))),
    Buffer.from('a;b 1\n'.repeat(1000)),
  ],
  ['zstd', zstd(text), text],
  ['zstd with a checksum', zstd(text, { [constants.ZSTD_c_checksumFlag]: 1 }), text],
  ['zstd of noise', zstd(noise), noise],
  ['zstd at level 19', zstd(text, { [constants.ZSTD_c_compressionLevel]: 19 }), text],
  ['zstd of two frames', Buffer.concat([zstd(text), zstd(noise)]), Buffer.concat([text, noise])],
  ['zstd with a frame to skip', Buffer.concat([skippable, zstd(text), skippable]), text],
  ['zstd of nothing, then something', Buffer.concat([zstd(Buffer.alloc(0)), zstd(text)]), text],
  ['zstd of one byte', zstd(Buffer.from('x')), Buffer.from('x')],
  ['gzip in zstd in gzip', gzipSync(zstd(gzipSync(text))), text],
  ['UTF-8 with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]), text],
  ['UTF-16LE', Buffer.from(`\ufeff${text.toString()}`, 'utf16le'), text],
  ['UTF-16BE', Buffer.from(`\ufeff${text.toString()}`, 'utf16le').swap16(), text],
  ['UTF-16LE in gzip', gzipSync(Buffer.from(`\ufeff${text.toString()}`, 'utf16le')), text],
];

describe.each(wrappings)('unwraps %s', (_, wrapped, expected) => {
  it.each([Infinity, 65_536, 1000, 7, 1])('in chunks of %d bytes', (chunkBytes) => {
    const input = chunkBytes < 100 && wrapped.length > 100_000 ? null : wrapped;
    if (input === null) return;
    expect(Buffer.from(unwrap(input, chunkBytes)).equals(Buffer.from(expected))).toBe(true);
  });
});

describe('damaged compression', () => {
  const small = Buffer.from('a;b;c 3\n'.repeat(20) + 'ünïcode;frame 1\n');
  it.each([
    ['gzip', gzipSync(small)],
    ['gzip of two members', Buffer.concat([gzipSync(small), gzipSync(small)])],
    ['zstd', zstd(small)],
    ['zstd with a checksum', zstd(small, { [constants.ZSTD_c_checksumFlag]: 1 })],
    ['zstd of two frames', Buffer.concat([zstd(small), zstd(small)])],
  ])('%s truncated anywhere is malformed, except between members', (name, wrapped) => {
    const boundary = name.includes('two') ? wrapped.length / 2 : -1;
    for (let length = 4; length < wrapped.length; length++) {
      if (length === boundary) continue;
      expect(() => unwrap(wrapped.subarray(0, length)), `${length} of ${wrapped.length}`).toThrow(
        expect.objectContaining({ failure: 'malformed', message: expect.stringMatching(/is truncated/) }),
      );
    }
  });

  it('gzip with any bit flipped is never accepted', () => {
    const wrapped = gzipSync(small);
    for (let bit = 32; bit < wrapped.length * 8; bit++) {
      const damaged = Buffer.from(wrapped);
      damaged[bit >>> 3]! ^= 1 << (bit & 7);
      let out: Uint8Array | null = null;
      try {
        out = unwrap(damaged);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ImportFailure' });
      }
      // Header bits that hold the time and the operating system may have any value.
      if (out !== null) expect(Buffer.from(out).equals(small)).toBe(true);
    }
  });

  it('garbage after a gzip member or a zstd frame is malformed', () => {
    const zeros = Buffer.alloc(100);
    expect(() => unwrap(Buffer.concat([gzipSync(small), zeros]))).toThrow(/gzip/);
    expect(() => unwrap(Buffer.concat([zstd(small), zeros]))).toThrow(/other data after its end/);
  });

  it('noise after a magic number never hangs, and throws only ImportFailures', () => {
    const property = fc.property(
      fc.constantFrom([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], [0x28, 0xb5, 0x2f, 0xfd], [0x28, 0xb5, 0x2f, 0xfd, 0x20]),
      fc.uint8Array({ maxLength: 400 }),
      (magic, rest) => {
        try {
          unwrap(Uint8Array.from([...magic, ...rest]));
        } catch (error) {
          expect(error).toMatchObject({ name: 'ImportFailure' });
        }
      },
    );
    fc.assert(property, { numRuns: 2000, seed: 1 });
  });
});

describe('bombs', () => {
  it('10 GB of zeros in gzip are refused within 100 MB of output', () => {
    const member = gzipSync(Buffer.alloc(2 ** 24));
    let written = 0;
    const stage = new UnwrapStage({ push: (chunk) => void (written += chunk.length), end: () => undefined });
    expect(() => {
      for (let index = 0; index < 600; index++) stage.push(member);
    }).toThrow(expect.objectContaining({ failure: 'too-large' }));
    expect(written).toBeLessThan(100e6);
  });

  it('zeros in zstd are refused', () => {
    const frame = zstd(Buffer.alloc(2 ** 24));
    const stage = new UnwrapStage({ push: () => undefined, end: () => undefined });
    expect(() => {
      for (let index = 0; index < 600; index++) stage.push(frame);
    }).toThrow(expect.objectContaining({ failure: 'too-large' }));
  });

  it('a zstd window of gigabytes is refused before it is allocated', () => {
    const header = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    expect(() => unwrap(header)).toThrow(
      expect.objectContaining({ failure: 'too-large', message: expect.stringContaining('window') }),
    );
  });

  it('endless wrappings are refused', () => {
    let wrapped: Uint8Array = text;
    for (let depth = 0; depth < 5; depth++) wrapped = gzipSync(wrapped);
    expect(() => unwrap(wrapped)).toThrow(expect.objectContaining({ failure: 'too-large' }));
  });

  it('hardly compressed data may have any size', () => {
    const meter = new UnwrapMeter();
    meter.sourceBytes = 2 ** 30;
    expect(() => meter.check(40 * 2 ** 30)).not.toThrow();
    expect(() => meter.check(65 * 2 ** 30)).toThrow(expect.objectContaining({ failure: 'too-large' }));
  });
});

it('UTF-32 is unsupported', () => {
  expect(() => unwrap(Uint8Array.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toThrow(
    expect.objectContaining({ failure: 'unsupported' }),
  );
});
