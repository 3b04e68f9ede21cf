import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { findNamed, type NamedKind } from '#app/engine/library/find-named.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

let library: Library;
const ids = { capture: '', experiment: '', test: '' };

beforeEach(async () => {
  library = await openLibrary(join(tempFolder(), 'library'));
  const { id } = await library.importFile('checkout', chunksOf('main 1\n'));
  const side = [{ id, requests: null }];
  const { experiment } = await (await openExperiments(library)).create({ name: 'checkout', before: side, after: side });
  const writer = await (await openLoadTests(library)).create({ name: 'checkout under load', host: null, plan: null });
  await writer.finish('finished');
  Object.assign(ids, { capture: id, experiment: experiment.id, test: writer.id });
});

const named = async (word: string, ...kinds: NamedKind[]): Promise<string> => {
  try {
    return (await findNamed(library, word, kinds)).id;
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return `${error.message}; ${error.remedy}`;
  }
};

test('a word names by id, by name, or by the beginning of either', async () => {
  for (const word of [ids.capture, ids.capture.slice(0, -3), 'checkout', 'check'])
    expect(await named(word, 'capture', 'experiment')).toBe(ids.capture);
  for (const word of [ids.test, ids.test.slice(0, -3), 'checkout under load', 'check'])
    expect(await named(word, 'load test')).toBe(ids.test);
  expect(await named(ids.experiment.slice(0, -3), 'capture', 'experiment')).toBe(ids.experiment);
});

test('says what else a word names, or where to look', async () => {
  const { path } = library;
  expect(await named(ids.test, 'capture')).toBe(
    `${ids.test} is a load test; flamebench load show ${ids.test} prints it`,
  );
  expect(await named(ids.experiment, 'load test')).toBe(
    `${ids.experiment} is an experiment; flamebench summary ${ids.experiment} prints it`,
  );
  expect(await named('check', 'capture', 'load test')).toBe(
    `check could be ${ids.capture} (checkout), ${ids.test} (checkout under load); give the id`,
  );
  expect(await named('none', 'capture', 'experiment')).toBe(
    `none is neither a file, a capture nor an experiment in ${path}; flamebench captures and flamebench experiment list them`,
  );
  const file = import.meta.filename;
  expect(await named(file, 'capture')).toBe(
    `${file} is a file, not a capture in ${path}; flamebench captures lists them`,
  );
  expect(await named('load-20261130-0', 'load test', 'capture')).toBe(
    'No load test "load-20261130-0" in the library; flamebench load lists them',
  );
});
