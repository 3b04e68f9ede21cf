import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/import/otlp');

// `two-profiles` was written by opentelemetry-proto 1.45.2 for Python, as protobuf and as JSON.
checkImport({ path: 'otlp/alpha.json', format: 'otlp', isText: true });
checkImport({ path: 'otlp/two-profiles.otlp', format: 'otlp', isText: false });

const read = (content: string | Uint8Array) => importProfile(byteSource(content));

it('reads the same from JSON and from protobuf', async () => {
  const [json, binary] = await Promise.all(
    ['two-profiles.json', 'two-profiles.otlp'].map((name) => read(readFileSync(join(FOLDER, name)))),
  );
  expect(json).toEqual(binary);
  expect(binary!.samples.weights.map((column) => Array.from(column))).toEqual([
    [10e6, 20e6, 30e6, 0],
    [0, 0, 0, 5],
  ]);
});

const file = (profile: object, dictionary: object = { stringTable: [''] }): string =>
  JSON.stringify({ resourceProfiles: [{ scopeProfiles: [{ profiles: [profile] }] }], dictionary });

it.each([
  [file({ samples: [{ stackIndex: 3, values: ['1'] }] }), 'malformed', /stack of samples\[0\] is 3, of 0 rows/],
  [file({ samples: [{ stackIndex: -1, values: ['1'] }] }), 'malformed', /is -1/],
  [file({ samples: [{ values: ['1.5'] }] }), 'malformed', /values is not an integer/],
  [file({ samples: [{}] }), 'malformed', /neither values nor times/],
  [file({ samples: [{ values: [1, 2], timestampsUnixNano: [1] }] }), 'malformed', /2 values and 1 times/],
  [file({ samples: [] }, {}), 'unsupported', /without a dictionary/],
  ['{"resourceProfiles": []}', 'malformed', /there is no profile/],
])('refuses %s', async (content, failure, message) => {
  await expect(read(content)).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
});

it('is refused or read with any byte damaged', async () => {
  const bytes = readFileSync(join(FOLDER, 'two-profiles.otlp'));
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Uint8Array.from(bytes);
    damaged[at]! ^= 1 << (at % 8);
    await importProfile(byteSource(damaged), { format: 'otlp' }).catch((error: unknown) =>
      expect(error, `byte ${at}`).toMatchObject({ name: 'ImportFailure' }),
    );
  }
});
