import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { encodePerfData, encodePerfPipe, u64, USER_MARK } from '../../../support/encode/perf-data.ts';
import { cpuClock, endOfRound, sample, trailer } from '../../../support/perf-data-records.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/import/perf-data');

const read = (bytes: Uint8Array): Promise<Profile> =>
  importProfile(byteSource(bytes, 'perf.data'), { format: 'perf-data' });

describe('refused perf.data', () => {
  const whole = encodePerfData({ attrs: [cpuClock], records: [sample({ chain: [USER_MARK, 1] })] });
  const dataAt = Number(new DataView(whole.buffer).getBigUint64(40, true));
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const copy = Uint8Array.from(whole);
    copy.set(bytes, at);
    return copy;
  };

  it.each<[string, Uint8Array, string, RegExp, number]>([
    ['the first version', new TextEncoder().encode(`PERFFILE${'\0'.repeat(96)}`), 'unsupported', /before 2010/, 0],
    ['a header of unknown size', changed(8, 77), 'malformed', /the header has 77 bytes/, 8],
    ['a truncated header', whole.subarray(0, 90), 'malformed', /ends within its header/, 90],
    ['descriptions of unknown size', changed(16, 7), 'malformed', /description of an event has 7 bytes/, 16],
    ['no event', changed(32, 0), 'malformed', /describes no event/, 32],
    ['events behind the records', changed(24, 0xff, 0xff), 'unsupported', /described after its records/, 24],
    ['ids behind the records', changed(dataAt - 16, 0xff, 0xff), 'malformed', /ids lie outside/, dataAt - 16],
    ['a record without a size', changed(dataAt + 6, 0, 0), 'malformed', /record of 0 bytes/, dataAt],
    ['a call chain beyond its record', changed(dataAt + 56, 9), 'malformed', /shorter than its fields/, dataAt],
    [
      'a cut before the first sample',
      whole.subarray(0, dataAt + 20),
      'malformed',
      /before its first sample/,
      dataAt + 20,
    ],
    [
      'damaged packed records',
      encodePerfData({ attrs: [cpuClock], records: [{ type: 81, fields: [u64(1), u64(2)] }] }),
      'malformed',
      /compressed record is damaged/,
      dataAt,
    ],
    [
      'a stream without events',
      encodePerfPipe({ attrs: [], records: [endOfRound] }),
      'malformed',
      /describes no event/,
      16,
    ],
    [
      'a stream whose samples come first',
      encodePerfPipe({ attrs: [], records: [sample({ chain: [] })] }),
      'malformed',
      /before its event/,
      16,
    ],
  ])('%s', async (_, bytes, failure, message, byte) => {
    await expect(read(bytes)).rejects.toMatchObject({
      failure,
      message: expect.stringMatching(message),
      location: { byte },
    });
  });

  it('never hangs on flipped bytes, and throws only ImportFailures', async () => {
    const files = ['file', 'pipe'].map((name) => readFileSync(join(FIXTURES, `${name}.perf.data`)));
    const change = fc.tuple(fc.nat(2000), fc.nat(255));
    const property = fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, changes) => {
        const damaged = Uint8Array.from(file);
        for (const [at, value] of changes) damaged[at] = value;
        try {
          await read(damaged);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ImportFailure' });
        }
      },
    );
    await fc.assert(property, { numRuns: 2000, seed: 2 });
  });

  it('leaves out records of other and unknown kinds', async () => {
    const records = [
      ...[4, 6, 8, 11, 12, 14, 16, 18, 19, 62].map((type) => ({
        type,
        fields: [u64(0), u64(0), u64(0), ...trailer()],
      })),
      ...[69, 70, 73, 79, 82, 99].map((type) => ({ type, fields: [u64(0), u64(0)] })),
      sample({ chain: [] }),
    ];
    const profile = await read(encodePerfData({ attrs: [cpuClock], records }));
    expect(profile.diagnostics).toMatchObject([
      { code: 'unknown-record', count: 2 },
      { code: 'samples-without-stack' },
    ]);
  });
});
