import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeHead, HEAD_BYTES } from '#core/import/detect.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { readNative } from '#core/model/native/read.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from './byte-source.ts';
import { describeProfile } from './describe-profile.ts';
import { expectGolden } from './golden.ts';

export interface ImportFixture {
  /** Path under tests/fixtures/import: `folded/annotations.folded`. The golden has the same path plus `.txt`. */
  readonly path: string;
  /** Id of the importer that must recognise the file; no other importer may. */
  readonly format: string;
  /** True for a text format, whose lines may also end in CRLF. */
  readonly isText: boolean;
  /** Format that the profile itself names; by default the importer's. */
  readonly profileFormat?: string;
}

/** Inputs up to this size are cut at every byte, larger ones at this many places at most. */
const CUTS = 1000;

/**
 * Declares the tests that every importer must pass. The file is recognised by its content alone and by no other
 * importer; it reads the same gzipped, in chunks of any size, and with CRLF; it may be cut anywhere; the profile is
 * sound (importProfile checks that), survives a native file unchanged, and equals its golden.
 */
export function checkImport({ path, format, isText, profileFormat = format }: ImportFixture): void {
  const bytes = readFileSync(join(import.meta.dirname, '../fixtures/import', path));
  const fileName = basename(path);
  const read = (input: Uint8Array, chunkBytes = Infinity, name = fileName): Promise<Profile> =>
    importProfile(byteSource(input, name, chunkBytes));

  describe(`import of ${path}`, () => {
    it('equals its golden', async () => {
      const profile = await read(bytes);
      expect(profile.metadata.format).toBe(profileFormat);
      expectGolden(`import/${path}.txt`, describeProfile(profile));
    });

    it('is recognised by content alone, by one importer', () => {
      const head = makeHead(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES);
      const verdicts = importers.map((importer) => [importer.id, importer.sniff(head, 'input')]);
      expect(verdicts.filter(([, verdict]) => verdict === 'yes')).toEqual([[format, 'yes']]);
    });

    it('is the same without a name, gzipped, with forced format and in chunks of any size', async () => {
      const expected = await read(bytes);
      const packed = gzipSync(bytes);
      const unnamed = await read(bytes, Infinity, 'input');
      expect({ ...unnamed, metadata: { ...unnamed.metadata, fileName } }).toEqual(expected);
      expect(await read(packed)).toEqual(expected);
      expect(await importProfile(byteSource(bytes, fileName), { format })).toEqual(expected);
      for (const chunkBytes of [1, 2, 7, 64, 1021]) expect(await read(bytes, chunkBytes)).toEqual(expected);
    });

    if (isText)
      it('is the same with CRLF', async () => {
        const text = Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
        expect(describeProfile(await read(text))).toBe(describeProfile(await read(bytes)));
      });

    it('cut anywhere, is refused or read as far as it goes', async () => {
      const whole = await read(bytes);
      const step = Math.ceil(bytes.length / CUTS);
      for (let length = 0; length < bytes.length; length += step) {
        try {
          const part = await read(bytes.subarray(0, length));
          expect(part.samples.length).toBeLessThanOrEqual(whole.samples.length);
        } catch (error) {
          expect(error, `cut at ${length}`).toBeInstanceOf(ImportFailure);
        }
      }
    });

    it('goes through a native file unchanged', async () => {
      const profile = await read(bytes);
      const native = Buffer.concat(writeNative(profile));
      expect(readNative(native)).toEqual(profile);
      expect(await read(native, Infinity, 'other.flamebench')).toEqual(profile);
    });
  });
}
