import type { DiffInput, DiffInputs, InputFinder } from './input-types.ts';
import { realpathSync } from 'node:fs';
import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import type { Side } from '#core/contract/side.ts';
import { comparisonWords } from '#app/engine/comparison-words.ts';
import { isFileWord, shownInput, STDIO } from '#app/engine/files/classify-word.ts';
import { attempt } from '#app/engine/files/file-source.ts';
import type { DiffRequest } from './options.ts';
import { usageError } from '../errors.ts';
import { captureBeside } from '../library/capture-beside.ts';

/** Resolves the inputs of a comparison. With only `before` and an empty `after`, one file may contain both sides. */
export async function findDiffInputs(request: DiffRequest): Promise<DiffInputs> {
  const { words, before, after } = request;
  const asked = splitWords(words, before.length, after.length);
  const all = [...asked.before, ...before, ...asked.after, ...after];
  if (all.filter((word) => word === STDIO).length > 1) {
    throw usageError('only one input can be the standard input', 'name files for the others');
  }
  const finder = await openFinder(request.library, all);
  const single = asked.before.length === 1 && asked.after.length === 0 && before.length === 0 && after.length === 0;
  const experiment = single ? await finder.experiment(asked.before[0]!) : null;
  if (experiment !== null) return experiment;
  const find = async (side: Side, ofSide: readonly string[]): Promise<DiffInput[]> => {
    const found: DiffInput[] = [];
    for (const word of ofSide) found.push(...(await finder.inputs(word)));
    refuseTwice(side, found);
    return found;
  };
  return {
    before: await find('before', [...asked.before, ...before]),
    after: await find('after', [...asked.after, ...after]),
    experiment: null,
  };
}

/**
 * Resolves the inputs of a self-test: an experiment, two sides given by options, or any number of captures of one
 * program, which are split in half.
 */
export async function findSelfTestInputs(
  request: DiffRequest,
): Promise<DiffInputs & { readonly isOneProgram: boolean }> {
  const { words, before, after } = request;
  if (before.length > 0 && after.length > 0) return { ...(await findDiffInputs(request)), isOneProgram: false };
  const list = [...words, ...before, ...after];
  const finder = await openFinder(request.library, list);
  const experiment = list.length === 1 ? await finder.experiment(list[0]!) : null;
  if (experiment !== null) return { ...experiment, isOneProgram: false };
  const found: DiffInput[] = [];
  for (const word of list) found.push(...(await finder.inputs(word)));
  refuseTwice(null, found);
  if (found.length < 2)
    throw usageError('nothing to split', 'give captures of one program, --before F… --after F…, or an experiment');
  const half = found.length >> 1;
  return { before: found.slice(0, half), after: found.slice(half), experiment: null, isOneProgram: true };
}

/** Returns both sides of the experiment that a word names; null if it names a capture or another file. */
export const findExperiment = async (word: string, library: string | undefined): Promise<DiffInputs | null> =>
  (await openFinder(library, [word])).experiment(word);

/** Returns the words for the workbench: an experiment alone, or words for both sides. */
export function namedWords({ words, before, after }: DiffRequest): string[] {
  const asked = splitWords(words, before.length, after.length);
  const sides = { before: [...asked.before, ...before], after: [...asked.after, ...after] };
  if ([...sides.before, ...sides.after].includes(STDIO)) {
    throw usageError('--open needs files or captures that stay there', 'name files instead of -');
  }
  return sides.after.length === 0 ? sides.before : comparisonWords(sides);
}

/** Splits the words: the first is *before*, the second *after*; one may be missing if options name that side. */
function splitWords(words: readonly string[], before: number, after: number): { before: string[]; after: string[] } {
  const [first, second, ...others] = words;
  if (others.length > 0) {
    throw usageError(`${words.length} inputs, with no sides given`, 'give BEFORE AFTER, or --before F… --after F…');
  }
  if (first === undefined && (before === 0 || after === 0)) {
    throw usageError(
      `the ${before === 0 ? 'before' : 'after'} side is empty`,
      'give BEFORE AFTER, or --before F… --after F…',
    );
  }
  if (second === undefined && first !== undefined && before > 0 && after === 0) {
    throw usageError(
      'the after side is empty',
      'give BEFORE AFTER first, then --before F…, or name both sides by options',
    );
  }
  return { before: first === undefined ? [] : [first], after: second === undefined ? [] : [second] };
}

/**
 * Throws if a side contains a capture twice. A replicate must be another run; a repeated one would make differences
 * look certain.
 */
function refuseTwice(side: Side | null, inputs: readonly DiffInput[]): void {
  const seen = new Set<string>();
  for (const { name, path } of inputs) {
    const real = path === STDIO ? path : attempt(path, () => realpathSync(path));
    if (seen.has(real)) {
      throw usageError(
        side === null ? `${name} is named twice` : `${name} is twice on the ${side} side`,
        'a replicate is a separate run; name each capture once',
      );
    }
    seen.add(real);
  }
}

/** Opens a finder that looks for files first; the library is opened only if a word is not a file. */
async function openFinder(library: string | undefined, words: readonly string[]): Promise<InputFinder> {
  const captures = words.every(isFileWord) ? null : await (await import('./library.ts')).openLibraryFinder(library);
  const names = nameFiles(words.filter((word) => word !== STDIO && isFileWord(word)));
  const file = async (word: string): Promise<DiffInput> => {
    if (word === STDIO) return { name: shownInput(word), path: word, document: null, requests: null };
    const document = await captureBeside(word);
    return { name: document?.name ?? names.get(word)!, path: word, document, requests: null };
  };
  return {
    async inputs(word) {
      if (word.endsWith(EXPERIMENT_FILE_ENDING) && isFileWord(word)) {
        throw usageError(`${word} is an exported experiment, which already has both sides`, 'name it alone');
      }
      return captures === null || isFileWord(word) ? [await file(word)] : captures.inputs(word);
    },
    async experiment(word) {
      if (!isFileWord(word)) return captures === null ? null : captures.experiment(word);
      return word.endsWith(EXPERIMENT_FILE_ENDING) ? (await import('./library.ts')).bundleInputs(word) : null;
    },
  };
}

/**
 * Names files by the shortest ends of their paths that distinguish them, because files of a library have the same name
 * in every folder.
 */
export function nameFiles(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const most = Math.max(0, ...paths.map((path) => path.split('/').length));
  for (let depth = 1; depth <= most; depth++) {
    for (const path of paths) {
      const name = path.split('/').slice(-depth).join('/');
      const others = paths.filter((other) => other !== path && other.split('/').slice(-depth).join('/') === name);
      if (!names.has(path) && (others.length === 0 || depth === most)) names.set(path, name);
    }
  }
  return names;
}
