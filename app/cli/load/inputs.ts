import { basename } from 'node:path';
import type { Experiment } from '#core/contract/experiment.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { isFileWord, STDIO } from '#app/engine/files/classify-word.ts';
import { openLoadTests, type LoadTests } from '#app/engine/loads/load-tests.ts';
import { findNamed } from '#app/engine/library/find-named.ts';
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
  if (isFileWord(word)) return foundIn(await readResultFile(word));
  const test = await withLoadTests(folder, async (tests, library) =>
    tests.get((await findNamed(library, word, ['load test'])).id),
  );
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
export const loadsOfExperiment = (id: string, folder: string | undefined): Promise<NonNullable<Experiment['loads']>> =>
  withLibrary(folder, async (library) => {
    const { loads } = (await (await openExperiments(library)).get(id)).experiment;
    if (loads !== undefined) return loads;
    throw usageError(`${id} has captures, but no load tests`, `flamebench diff ${id} compares its captures`);
  });

/** Runs an action on the load tests of a command's library. */
export const withLoadTests = <T>(
  folder: string | undefined,
  action: (tests: LoadTests, library: Library) => Promise<T>,
): Promise<T> => withLibrary(folder, async (library) => action(await openLoadTests(library), library));
