import type { LoadTest } from '#core/contract/load/load-test.ts';
import { reportLoadOf, type ReportLoad } from '#core/contract/report/load.ts';
import { hopRows, MAX_HOPS } from '#core/load/hops.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { matchNamed, onlyNamed } from '#app/engine/library/find-named.ts';
import { isFileWord } from '#app/engine/files/classify-word.ts';
import { usageError } from '../errors.ts';
import { findExperimentId } from '../library/find-input.ts';
import { withLoadTests } from '../load/inputs.ts';
import type { ReportRequest } from './options.ts';

/** Returns the load tests that the words name by id or name, or as an experiment without captures; null if none of them names one. */
export async function loadTestsOf(
  words: readonly string[],
  { before, after, isComparison, hops, library }: ReportRequest,
): Promise<ReportLoad[] | null> {
  const all = [...words, ...before, ...after];
  const file = all.find((word) => isFileWord(word));
  if (file !== undefined && hops !== true) return null;
  if (file !== undefined) {
    throw usageError(`${file} is a file`, '--hops is for load tests of the library: keep it with load read --keep');
  }
  const [only] = all;
  const ofExperiment = all.length === 1 ? await unprofiledLoads(only!, library) : null;
  if (ofExperiment !== null) return ofExperiment;
  const found = await withLoadTests(library, (tests, opened) =>
    Promise.all(
      all.map(async (word) => {
        const named = await matchNamed(opened, word, ['load test']);
        // The beginning of a name may be that of a capture.
        const isLoad = named.some(({ id, name }) => name === word || id.startsWith(word));
        return isLoad ? tests.get(onlyNamed(named, word)!.id) : null;
      }),
    ),
  );
  if (hops !== true && found.every((test) => test === null)) return null;
  const other = all[found.indexOf(null)];
  if (other !== undefined) {
    throw usageError(
      `${other} is not a load test`,
      'a report is of load tests or of captures; captures recorded under load bring theirs along',
    );
  }
  if (hops === true) return hopsOf(found.map((test) => test!));
  if (found.length !== (isComparison ? 2 : 1)) {
    throw usageError(`${found.length} load tests`, 'name one, or two with --compare');
  }
  if (new Set(found.map((test) => test!.probe === undefined)).size > 1) {
    throw usageError(`${all.join(' and ')} are a sweep and probes`, 'compare two of one kind');
  }
  return found.map((test, place) => reportLoadOf(isComparison ? (place === 0 ? 'before' : 'after') : 'only', test!));
}

/** Returns the load tests of both sides of an experiment of which a side has no capture; null if the word names no such one. */
async function unprofiledLoads(word: string, library: string | undefined): Promise<ReportLoad[] | null> {
  const id = await findExperimentId(word, library);
  if (id === null) return null;
  return withLoadTests(library, async (tests, opened) => {
    const { experiment } = await (await openExperiments(opened)).get(id);
    const { loads, before, after } = experiment;
    if (loads === undefined || (before.captures.length > 0 && after.captures.length > 0)) return null;
    return [reportLoadOf('before', await tests.get(loads.before)), reportLoadOf('after', await tests.get(loads.after))];
  });
}

function hopsOf(tests: readonly LoadTest[]): ReportLoad[] {
  if (tests.length < 2 || tests.length > MAX_HOPS) throw usageError(`--hops wants 2 to ${MAX_HOPS} load tests`);
  const probes = tests.find(({ probe }) => probe !== undefined);
  if (probes !== undefined) throw usageError(`${probes.name} has probes, not runs`, 'name sweeps');
  if (hopRows(tests.map(sweepOfTest)).every(({ added }) => added === null)) {
    throw usageError('the load tests have no concurrency in common');
  }
  return tests.map((test) => reportLoadOf('hop', test));
}
