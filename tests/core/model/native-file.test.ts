import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '#core/export/json.ts';
import { makeHead } from '#core/import/detect.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { crc32 } from '#core/model/crc32.ts';
import { readNative } from '#core/model/native/read.ts';
import { writeNative } from '#core/model/native/write.ts';
import { HEADER, HEADER_BYTES } from '#core/model/native/layout.ts';
import type { Profile } from '#core/model/profile.ts';
import { arbitraryProfile } from '../../support/arbitrary-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { describeProfile } from '../../support/describe-profile.ts';
import { expectGolden } from '../../support/golden.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const toBytes = (profile: Profile): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(writeNative(profile)));
const profile = profileFromText('main;größe;b 3\nmain;größe 2.5\n__proto__;</script> 1');

describe('native file', () => {
  it('restores any profile, including strings and the order of rows', () => {
    const property = fc.property(arbitraryProfile, (original) => {
      checkProfile(original);
      const again = readNative(toBytes(original));
      checkProfile(again);
      expect(again).toEqual({ ...original, strings: original.strings.map((text) => text.toWellFormed()) });
    });
    fc.assert(property, { numRuns: 300, seed: 4 });
  });

  it('restores the time that samples cover', () => {
    const { samples } = profile;
    const time = Float64Array.from({ length: samples.length }, (_, row) => row * 1e9);
    const covering = { ...profile, samples: { ...samples, time, duration: time.map((at) => at / 2) } };
    expect(readNative(toBytes(covering))).toEqual(covering);
  });

  it('reads a file of version 1 that was written once and kept', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../../fixtures/import/native/version-1.flamebench'));
    expectGolden('import/native/version-1.flamebench.txt', describeProfile(readNative(bytes)));
    const head = makeHead(bytes, true);
    expect(importers.filter((importer) => importer.sniff(head, 'input') !== 'no').map(({ id }) => id)).toEqual([
      'native',
    ]);
  });

  it('is the same for the same profile', () => {
    const once = toBytes(readNative(toBytes(profile)));
    expect(toBytes(readNative(once))).toEqual(once);
  });

  it('uses columns in place if the file is aligned, otherwise copies', () => {
    const bytes = toBytes(profile);
    expect(readNative(bytes).samples.stack.buffer).toBe(bytes.buffer);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(readNative(shifted.subarray(1))).toEqual(readNative(bytes));
  });

  it('keeps the format and file name of the original through an import', async () => {
    const original = await importProfile(byteSource('a;b 1\n', 'first.folded'));
    const again = await importProfile(byteSource(toBytes(original), 'second.flamebench'));
    expect(again.metadata).toMatchObject({ format: 'folded', fileName: 'first.folded' });
  });

  it('reports a file truncated anywhere as malformed, immediately', () => {
    const bytes = toBytes(profile);
    for (let length = 0; length < bytes.length; length++) {
      const failure = length < 8 ? 'unrecognized' : 'malformed';
      expect(() => readNative(bytes.slice(0, length)), `${length}`).toThrow(expect.objectContaining({ failure }));
    }
    expect(() => readNative(new Uint8Array([...bytes, 0]))).toThrow(/continues after its end/);
  });

  it('refuses a file with any byte changed', () => {
    const bytes = toBytes(profile);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at]! ^= 0x55;
      expect(() => readNative(damaged), `byte ${at}`).toThrow(expect.objectContaining({ name: 'ImportFailure' }));
    }
  });

  it('checks a file that arrives in pieces like a whole one', async () => {
    const bytes = toBytes(profile);
    const damaged = bytes.slice();
    damaged[damaged.length - 1]! ^= 1;
    for (const size of [1, 7, 31, 33, bytes.length]) {
      const { samples } = await importProfile(byteSource(bytes, 'a.flamebench', size));
      expect(samples, `${size}`).toEqual(profile.samples);
      await expect(importProfile(byteSource(damaged, 'a.flamebench', size))).rejects.toThrow(/checksum/);
    }
  });

  it('reports a newer version as unsupported', () => {
    const bytes = sealed(toBytes(profile), (view) => view.setUint32(HEADER.version, 2, true));
    expect(() => readNative(bytes)).toThrow(
      expect.objectContaining({ failure: 'unsupported', message: expect.stringContaining('version 2') }),
    );
  });

  it('refuses a hostile file with matching checksums, unless it is sound', async () => {
    const original = toBytes(profile);
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: HEADER_BYTES, max: original.length - 1 }), fc.nat(255)), {
        minLength: 1,
        maxLength: 6,
      }),
      async (changes) => {
        const bytes = sealed(original.slice(), (view) => {
          for (const [at, value] of changes) view.setUint8(at, value);
        });
        try {
          checkProfile(await importProfile(byteSource(bytes, 'x.flamebench')));
        } catch (error) {
          expect(error).toMatchObject({ name: 'ImportFailure' });
        }
      },
    );
    await fc.assert(property, { numRuns: 3000, seed: 5 });
  });
});

describe('JSON export', () => {
  it('contains the same as the native file', () => {
    const property = fc.property(arbitraryProfile, (original) => {
      let text = '';
      writeJson(original, (chunk) => void (text += new TextDecoder().decode(chunk)));
      const json = JSON.parse(text) as Record<string, Record<string, unknown>>;
      expect(json['strings']).toEqual(original.strings);
      expect(json['stacks']).toEqual({ parent: [...original.stacks.parent], frame: [...original.stacks.frame] });
      expect(json['valueTypes']).toEqual(original.valueTypes);
      expect(json['samples']!['stack']).toEqual([...original.samples.stack]);
      expect((json['samples']!['weights'] as (number | string)[][]).map((column) => column.map(Number))).toEqual(
        original.samples.weights.map((column) => Array.from(column, (weight) => weight + 0)),
      );
      const times =
        original.samples.time === null
          ? null
          : Array.from(original.samples.time, (time) => (Number.isNaN(time) ? null : time + 0));
      expect(
        (json['samples']!['time'] as unknown[] | null)?.map((time) => (time === null ? null : Number(time))) ?? null,
      ).toEqual(times);
    });
    fc.assert(property, { numRuns: 100, seed: 6 });
  });

  it('is written in chunks', () => {
    const large = profileFromText(Array.from({ length: 20_000 }, (_, index) => `a;f${index} 1`).join('\n'));
    const sizes: number[] = [];
    writeJson(large, (chunk) => void sizes.push(chunk.length));
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 18);
  });
});

it("uses gzip's CRC-32", () => {
  expect(crc32(0, new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) & 0xff);
  expect(crc32(crc32(0, bytes.subarray(0, 333)), bytes.subarray(333))).toBe(crc32(0, bytes));
});

/** Returns the file with a change and matching checksums. */
function sealed(bytes: Uint8Array<ArrayBuffer>, change: (view: DataView) => void): Uint8Array {
  const view = new DataView(bytes.buffer);
  change(view);
  view.setUint32(HEADER.bodyCrc, crc32(0, bytes.subarray(HEADER_BYTES)), true);
  view.setUint32(HEADER.headerCrc, crc32(0, bytes.subarray(0, HEADER.headerCrc)), true);
  return bytes;
}
