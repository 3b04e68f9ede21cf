import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { byteSource } from '../../support/byte-source.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/fuzz');

/** Formats for which scripts/fuzz.ts found inputs. */
const formats = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).filter((format) => format !== 'documents');
const cases = formats.flatMap((format) => readdirSync(join(FOLDER, format)).map((name) => [format, name] as const));

test('belongs to a format', () => {
  const ids = importers.map(({ id }) => id);
  for (const [format, name] of cases) expect(ids, name).toContain(format);
});

test.each(cases)('%s/%s is read, or refused as expected', async (format, name) => {
  const bytes = readFileSync(join(FOLDER, format, name));
  const outcome = await importProfile(byteSource(bytes), { format }).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ImportFailure);
});
