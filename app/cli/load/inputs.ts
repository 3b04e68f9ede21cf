import { basename } from 'node:path';
import { isExperimentId } from '#app/engine/library/experiment-document.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { begunExperiment } from '#app/engine/experiments/begun-experiment.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { classifyWord, shownWord, STDIO } from '#app/engine/files/classify-word.ts';
import { openLoadTests, type LoadTests } from '#app/engine/loads/load-tests.ts';
import type { Library } from '#app/engine/library/library.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { StoredProbe } from '#core/contract/load/probe.ts';
import type { ProbeSide } from '#core/load/describe-probe.ts';
import type { HopRow } from '#core/load/hops.ts';
import { readLoadFile, type LoadFile } from '#core/load/read-load-file.ts';
import { MAX_LOAD_RESULT_BYTES, readableTools } from '#core/load/read-load-results.ts';
import { sweepOf, type LoadSweep } from '#core/load/sweep.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { describeFailure, ImportFailure } from '#core/model/failure.ts';
import { inputError, usageError } from '../errors.ts';
import { withLibrary } from '../library/open-library.ts';

export interface ResultFile {
  /** Without folders and extension. */
  readonly name: string;
  readonly text: string;
  readonly file: LoadFile;
}

/** Reads the results in a file, or a load test saved as JSON; `-` is stdin. `only`: of a HAR file,
 * a part of the address. Throws a `CliError` that names the file. */
export async function readResultFile(path: string, only: string | null = null): Promise<ResultFile> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of fileSource(path).chunks()) {
    size += chunk.length;
    if (size > MAX_LOAD_RESULT_BYTES) {
      throw inputError(
        `${path} is larger than ${MAX_LOAD_RESULT_BYTES >> 20} MiB`,
        'load-test results have fewer bytes',
      );
    }
    parts.push(chunk.slice());
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return {
      name: path === STDIO ? 'stdin' : basename(path).replace(/\.[^.]*$/, ''),
      text,
      file: readLoadFile(text, only),
    };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const remedy = error.failure === 'unrecognized' ? `it reads results of ${readableTools().join(', ')}` : null;
    throw inputError(`${path}: ${describeFailure(error)}`, remedy);
  }
}

/** A load test or a file: exactly one of sweep, probe and hops is not null. */
export interface FoundLoad {
  readonly name: string;
  /** The load test of the library; null for a file. */
  readonly test: LoadTest | null;
  readonly sweep: LoadSweep | null;
  readonly probe: StoredProbe | null;
  readonly hops: readonly HopRow[] | null;
}

/** Returns what a file contains if it exists or the word is a path, else a load test of the library. */
export async function findLoad(word: string, folder: string | undefined): Promise<FoundLoad> {
  if (classifyWord(word) !== 'name') {
    return foundIn(await readResultFile(word));
  }
  const test = await withLoadTests(folder, (tests) => findLoadTest(tests, word));
  const { name, probe = null } = test;
  return { name, test, sweep: probe === null ? sweepOfTest(test) : null, probe, hops: null };
}

export const foundIn = ({ name, file }: Pick<ResultFile, 'name' | 'file'>): FoundLoad => ({
  name,
  test: null,
  sweep: file.kind === 'sweep' ? sweepOfFile(name, file) : null,
  probe: file.kind === 'probe' ? file.probe : null,
  hops: file.kind === 'hops' ? file.rows : null,
});

const sweepOfFile = (name: string, { results, bound }: Extract<LoadFile, { kind: 'sweep' }>): LoadSweep => ({
  ...sweepOf(name, results),
  ...(bound === undefined ? {} : { bound }),
});

/** Returns the sweep; throws a usage error if there is something else. */
export function sweepOnly({ name, sweep, probe }: FoundLoad): LoadSweep {
  if (sweep !== null) return sweep;
  throw usageError(`${name} has ${probe === null ? 'hops' : 'probes'}, not runs`, 'name sweeps');
}

/** Returns a series of probes as a side; throws a usage error without a probe. */
export function probeSideOf({ name, probe }: Pick<FoundLoad, 'name' | 'probe'>, role: ProbeSide['role']): ProbeSide {
  if (probe !== null && probe.samples.length > 0) return { role, name, probe };
  throw usageError(`${name} has no probes`);
}

/** Returns the load tests of an experiment; throws a usage error if it has none. */
export const loadsOfExperiment = (
  word: string,
  folder: string | undefined,
): Promise<NonNullable<Experiment['loads']>> =>
  withLoadTests(folder, async (_, library) => {
    const experiments = await openExperiments(library);
    const { id, loads } = (await experiments.get(await begunExperiment(experiments, word))).experiment;
    if (loads !== undefined) return loads;
    throw usageError(`${id} has captures, but no load tests`, `flamebench diff ${id} compares its captures`);
  });

/** Runs an action on the load tests of a command's library. */
export const withLoadTests = <T>(
  folder: string | undefined,
  action: (tests: LoadTests, library: Library) => Promise<T>,
): Promise<T> => withLibrary(folder, async (library) => action(await openLoadTests(library), library));

/** Returns the load test that a word names: by its ID, its name, or a prefix of either that is unique. */
export async function findLoadTest(tests: LoadTests, word: string): Promise<LoadTest> {
  if (isExperimentId(word))
    throw usageError(`${word} is an experiment`, `flamebench load diff ${word} compares its load tests`);
  const test = loadTestNamed(
    (await tests.list()).tests,
    word,
    ({ id, name }) => word !== '' && (id.startsWith(word) || name.startsWith(word)),
  );
  if (test !== null) return test;
  throw usageError(`${shownWord(word)} is neither a file nor a load test of the library`, 'flamebench load lists them');
}

/**
 * Returns the load test with this ID or name, else the only one that `isBegun` by the word; null: none. Throws a usage
 * error if there are several.
 */
export function loadTestNamed(
  tests: readonly LoadTest[],
  word: string,
  isBegun: (test: LoadTest) => boolean,
): LoadTest | null {
  const exact = tests.filter(({ id, name }) => id === word || name === word);
  const [test = null, ...others] = exact.length > 0 ? exact : tests.filter(isBegun);
  if (test === null || others.length === 0) return test;
  const ids = [test, ...others].slice(0, 5).map(({ id }) => id);
  throw usageError(`${word} could be ${ids.join(', ')}`, 'give the id');
}
