import type { ExperimentSide } from '#core/contract/experiment.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import { andText } from '#core/load/load-text.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { isIdOf } from '#app/engine/library/document-folders.ts';
import { experimentNamed, orNull } from '#app/engine/library/find-named.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { LOAD_TESTS } from '#app/engine/library/load-document.ts';
import { makeTempFolder } from '#collectors/effects/remove.ts';
import type { DiffInput, DiffInputs, InputFinder } from './input-types.ts';
import { inputError, usageError } from '../errors.ts';
import { openCapture, findCapture } from '../library/find-input.ts';
import { openCliLibrary } from '../library/open-library.ts';
import { warn } from '../output/terminal.ts';

/** Finds captures and experiments of the library. Separate from files, because it takes longer to load. */
export async function openLibraryFinder(path: string | undefined): Promise<InputFinder> {
  const library = await openCliLibrary(path);
  return {
    async inputs(word) {
      if ((await experimentNamed(library, word)) !== null) {
        throw usageError(`${word} is an experiment, which already has both sides`, 'name it alone');
      }
      const ofLoad = await capturesOfLoad(library, word);
      const ids = ofLoad ?? [(await findCapture(library, word)).id];
      return Promise.all(ids.map((id) => captureInput(library, id)));
    },
    async experiment(word) {
      const id = await experimentNamed(library, word);
      return id === null ? null : experimentInputs(library, id);
    },
  };
}

/**
 * Returns the captures of one step of the load test with this ID, `load-…` or `load-…@50`; null: it is none. Throws a
 * usage error if it has captures at several steps and the word names none of them: they are no replicates.
 */
async function capturesOfLoad(library: Library, word: string): Promise<string[] | null> {
  const [, test = word, step] = /^(.+)@(\d{1,7})$/s.exec(word) ?? [];
  if (!isIdOf(LOAD_TESTS, test)) return null;
  const own = (await library.list()).captures.filter(({ load }) => load?.test === test);
  if (own.length === 0) return null;
  const steps = [...new Set(own.map(({ load }) => load!.concurrency))].sort((a, b) => a - b);
  const at = step === undefined && steps.length === 1 ? steps[0]! : Number(step);
  const ids = own.filter(({ load }) => load!.concurrency === at).map(({ id }) => id);
  const components = await componentsOf(library, test, ids);
  if (components.length > 1) {
    throw usageError(
      `${test} has captures of ${andText(components)}, which are not replicates of one another`,
      `name those of one; flamebench captures list ${test} lists them`,
    );
  }
  if (ids.length > 0) return ids.reverse();
  throw usageError(`${test} has captures at ${steps.join(', ')} connections`, `name one: ${test}@${steps[0]}`);
}

/** Returns the names of the components of captures; empty if the load test is gone. */
async function componentsOf(library: Library, test: string, ids: readonly string[]): Promise<string[]> {
  const found = await orNull((await openLoadTests(library)).get(test));
  const names = (found?.runs ?? []).flatMap(({ captures = [], result: { server = [] } }) =>
    captures.flatMap(({ id, pid }) => (ids.includes(id) ? server.filter((use) => use.pid === pid) : [])),
  );
  return [...new Set(names.map(({ name }) => name))];
}

/**
 * Imports an exported experiment into a temporary library that is deleted when the process exits, leaving the user's
 * own library unchanged.
 */
export async function bundleInputs(path: string): Promise<DiffInputs> {
  const folder = await makeTempFolder('flamebench-diff-');
  process.once('exit', () => folder.removeSync());
  const library = await openLibrary(folder.path);
  const imported = await importBundle(library, await openExperiments(library), fileSource(path).chunks()).catch(
    (error: unknown) => {
      throw error instanceof EngineFailure ? inputError(`${path}: ${error.message}`, error.remedy) : error;
    },
  );
  return experimentInputs(library, imported.experiment.id);
}

async function captureInput(library: Library, id: string, requests: number | null = null): Promise<DiffInput> {
  const document = await library.get(id);
  const mayReadHere = (await library.mayReadHere(document)) !== null;
  return { name: document.name, path: (await openCapture(library, document)).path, document, mayReadHere, requests };
}

async function experimentInputs(library: Library, id: string): Promise<DiffInputs> {
  const experiments = await openExperiments(library);
  const { experiment, missing } = await experiments.get(id);
  for (const { name, why } of missing) {
    warn(`the capture ${name} is left out: it is ${why}`);
  }
  const inputs = async ({ captures }: ExperimentSide): Promise<DiffInput[]> => {
    const found: DiffInput[] = [];
    for (const capture of captures) {
      if (missing.some((one) => one.id === capture.id)) continue;
      found.push(await captureInput(library, capture.id, capture.requests));
    }
    return found;
  };
  return {
    before: await inputs(experiment.before),
    after: await inputs(experiment.after),
    experiment,
    notes: () => experiments.notes(id),
  };
}
