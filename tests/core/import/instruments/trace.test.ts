import { zipSync, type Zippable } from 'fflate';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { InstrumentsStacks } from '#core/import/instruments/stacks.ts';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { listZip, unzip } from '#core/import/unpack/zip.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { namesRootFirst, rollUp } from '../../../support/profile-rollup.ts';

const FIXTURE = 'instruments-trace/time-profile.trace.zip';
checkImport({ path: FIXTURE, format: 'instruments-trace', isText: false });

const read = (zip: Uint8Array): Promise<Profile> => importProfile(byteSource(zip));

/** Returns the unpacked files of the fixture. */
function unpackFixture(): Zippable {
  const meter = new UnwrapMeter({ maxBytes: 2 ** 20 });
  const bytes = readFileSync(join(import.meta.dirname, '../../../fixtures/import', FIXTURE));
  return Object.fromEntries([...listZip(bytes)].map(([name, entry]) => [name, unzip(entry, meter)]));
}

describe('trace bundles', () => {
  it.each([
    ['form.template', 'unsupported', /without form\.template/],
    ['corespace/run1/core/stores/indexed-store-2/schema.xml', 'unsupported', /without a time profile/],
    ['corespace/run1/core/stores/indexed-store-2/bulkstore', 'malformed', /is missing corespace.*bulkstore/],
    ['corespace/run1/core/uniquing/arrayUniquer/integeruniquer.data', 'malformed', /is missing .*integeruniquer\.data/],
  ])('are refused without %s', async (missing, failure, message) => {
    const files = unpackFixture();
    delete files[`größe.trace/${missing}`];
    await expect(read(zipSync(files))).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
  });

  it.each([
    ['form.template', /property list in the archive is damaged/],
    ['corespace/run1/core/stores/indexed-store-2/bulkstore', /a store is truncated/],
    ['corespace/run1/core/uniquing/arrayUniquer/integeruniquer.data', /lies outside its file/],
  ])('are refused with an empty %s', async (emptied, message) => {
    const files = { ...unpackFixture(), [`größe.trace/${emptied}`]: new Uint8Array(0) };
    await expect(read(zipSync(files))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
    });
  });
});

describe('stacks of trace bundles', () => {
  /** Makes stacks in the format of `arrayUniquer`. */
  function stacksOf(arrays: readonly (readonly bigint[])[]): InstrumentsStacks {
    const [index, data] = [new DataView(new ArrayBuffer(32 + 8 * arrays.length)), new DataView(new ArrayBuffer(4096))];
    let place = 32;
    arrays.forEach((values, row) => {
      index.setUint32(32 + 8 * row, place, true);
      data.setUint32(place, values.length, true);
      values.forEach((value, at) => data.setBigUint64(place + 4 + 8 * at, value, true));
      place += 4 + 8 * values.length;
    });
    return new InstrumentsStacks(
      new ProfileBuilder(),
      new Map(),
      new Uint8Array(index.buffer),
      new Uint8Array(data.buffer),
    );
  }

  it('are refused if they refer to themselves', () => {
    expect(() => stacksOf([[0n]]).stack(0)).toThrow(/does not end/);
    expect(() =>
      stacksOf([
        [1n, 1n],
        [2n, 2n],
        [0n, 0n],
      ]).stack(0),
    ).toThrow(/does not end/);
  });

  it('are an address if they are not arrays', () => {
    expect(stacksOf([[7n]]).stack(9)).toBe(0);
  });
});

describe('zip archives', () => {
  const one = (): Uint8Array => zipSync({ 'a.trace/b': new Uint8Array(100_000).fill(7) });

  it('are not unpacked beyond a limit, whatever size they state', () => {
    const entry = listZip(one()).get('a.trace/b')!;
    expect(() => unzip(entry, new UnwrapMeter({ maxBytes: 50_000 }))).toThrow(
      expect.objectContaining({ failure: 'too-large' }),
    );
    expect(unzip(entry, new UnwrapMeter({ maxBytes: 100_000 }))).toHaveLength(100_000);
  });

  it('are refused with a wrong checksum', () => {
    const entry = listZip(one()).get('a.trace/b')!;
    expect(() => unzip({ ...entry, crc: 1 }, new UnwrapMeter({ maxBytes: 1e6 }))).toThrow(
      /b in the archive is damaged/,
    );
    expect(() => unzip({ ...entry, packed: new Uint8Array(9).fill(255) }, new UnwrapMeter({ maxBytes: 1e6 }))).toThrow(
      /is damaged/,
    );
  });

  it('are refused with a damaged directory', () => {
    const bytes = one();
    new DataView(bytes.buffer).setUint32(bytes.length - 22 + 16, 2 ** 31, true);
    expect(() => listZip(bytes)).toThrow(/directory of the zip archive is damaged/);
    expect(() => listZip(bytes.subarray(0, 30))).toThrow(/is truncated/);
  });
});

needing(corpus, () => {
  const rows = corpusRows('instruments').filter(({ path }) => path.endsWith('.zip'));
  describe('trace bundle corpus', () => {
    it.each(rows)('$path: has the times of speedscope between samples, and the weights of Instruments', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const { profiles } = JSON.parse(readExpected(row, 'speedscope.json')!) as {
        profiles: { totalWeight: number; folded: Record<string, number> }[];
      };
      const { samples } = profile;
      const sums = new Map<string, number>();
      samples.stack.forEach((stack, at) => {
        const since = at === 0 ? 0 : samples.time![at]! - samples.time![at - 1]!;
        const names = namesRootFirst(profile, stack).join(';');
        sums.set(names, (sums.get(names) ?? 0) + since);
      });
      const ours = Object.fromEntries([...sums].filter(([, time]) => time > 0));
      for (const { folded, totalWeight } of profiles) {
        const theirs = Object.entries(folded).map(([stack, time]) => [
          stack.replaceAll(/0x[0-9a-f]{16,}/g, '[unknown]'),
          time,
        ]);
        expect(ours).toEqual(Object.fromEntries(theirs));
        expect(samples.time!.at(-1)).toBe(totalWeight);
      }
      expect(rollUp(profile, 0).sum).toBe(samples.length * 1_000_000);
    });
  });
});
