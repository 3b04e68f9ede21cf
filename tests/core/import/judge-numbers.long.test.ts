import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exporters } from '#core/export/registry.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { impossibleNumber } from '../../../scripts/fuzz-values.ts';
import { byteSource } from '../../support/byte-source.ts';
import { encodePprof } from '../../support/encode/pprof.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/import');
const VALUES = ['-1', '-2e18', '1e308', '9e18', '-9223372036854775808'];
/** Numbers of a fixture that are replaced, from its beginning. */
const MOST_NUMBERS = 40;

const read = (bytes: Uint8Array | string, format: string): Promise<Profile> =>
  importProfile(byteSource(bytes, 'x'), { format });

const fixtures = importers
  .filter(({ id }) => id !== 'native' && id !== 'report' && existsSync(join(FIXTURES, id)))
  .flatMap(({ id }) =>
    readdirSync(join(FIXTURES, id))
      .filter((name) => !/\.(?:ts|pprof-raw\.txt)$/.test(name))
      .map((name) => [id, name] as const),
  )
  .filter(([id, name]) => {
    const bytes = readFileSync(join(FIXTURES, id, name));
    return bytes.length <= 4000 && !bytes.includes(0);
  });

describe('a text with one number replaced', () => {
  test.each(fixtures)(
    'in %s/%s is refused, or its impossible numbers are told and never good',
    async (format, name) => {
      const text = readFileSync(join(FIXTURES, format, name), 'utf8');
      for (const { index, 0: digits } of [...text.matchAll(/-?\d+(?:\.\d+)?/g)].slice(0, MOST_NUMBERS)) {
        for (const value of VALUES) {
          const damaged = text.slice(0, index) + value + text.slice(index + digits.length);
          const outcome = await read(damaged, format).catch((error: unknown) => error);
          if (outcome instanceof ImportFailure) continue;
          if (outcome instanceof Error) throw outcome;
          const profile = outcome as Profile;
          expect(impossibleNumber(profile), `${digits} at ${index} as ${value}`).toBeNull();
          for (const { write } of exporters) write(profile, {}, () => undefined);
        }
      }
    },
    120_000,
  );
});

describe('impossible numbers', () => {
  const cpuprofile = (delta: string): string =>
    `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":"work","scriptId":"1","url":"a.js","lineNumber":1,"columnNumber":1}}],"startTime":0,"endTime":2000,"samples":[2,2],"timeDeltas":[0,${delta}]}`;

  test('a time between samples of 1e308 µs is refused with its sum', async () => {
    await expect(read(cpuprofile('1e308'), 'cpuprofile')).rejects.toMatchObject({ failure: 'malformed' });
  });

  test('negative bytes of a heap profile are a warning and lower the grade', async () => {
    const text = readFileSync(join(FIXTURES, 'heapprofile/everything.heapprofile'), 'utf8');
    const profile = await read(text.replace(/"selfSize":\s*[1-9]\d*/, '"selfSize":-5'), 'heapprofile');
    expect(profile.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'impossible-numbers', severity: 'warning', count: 1 }),
    );
    expect(captureQuality(profile)).toMatchObject({ grade: expect.toBeOneOf(['limited', 'poor']) as string });
  });

  test('negative weights of a difference are mentioned', async () => {
    const { diagnostics } = await read('main;a 3\nmain;b -2\n', 'folded');
    expect(diagnostics).toMatchObject([{ code: 'negative-weights', severity: 'info', count: 1 }]);
  });

  test('a negative duration of a pprof is unknown, with a warning', async () => {
    const bytes = encodePprof({
      sampleTypes: [['samples', 'count']],
      samples: [{ locations: [], values: [1] }],
      locations: [],
      mappings: [],
      functions: [],
      durationNanos: -2e18,
    });
    const { metadata, diagnostics } = await read(bytes, 'pprof');
    expect(metadata.durationNs).toBeNull();
    expect(diagnostics.map(({ message }) => message)).toContain(
      'The file states an impossible duration; it is ignored.',
    );
  });
});
