import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ClaimHandle, ExplanationContext } from '#core/explain/explanation.ts';
import { recordedCommands } from '#core/explain/recorded-commands.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import type { DiffInput, DiffInputs } from '../diff/input-types.ts';
import { libraryWords } from '../library/library-option.ts';

/** Longest name in a command that is meant to be pasted. */
const LONGEST_PATTERN = 500;
/** The report that begins with the same text. */
const AS_FINDING = ['--template', 'finding', '-o', 'finding.html'];

/** Returns what shows a comparison: its captures as this command line names them. */
export function comparisonContext(
  { before, after, experiment }: DiffInputs,
  library: string | undefined,
): ExplanationContext {
  const sides = { before, after };
  const all = [...before, ...after];
  const isPiped = all.some(({ path }) => path === STDIO);
  const words =
    experiment === null ? ['--before', ...before.map(wordOf), '--after', ...after.map(wordOf)] : [experiment.id];
  return {
    commands: recordedCommands(all.map(({ document }) => document)),
    evidenceOf: (handle) => {
      const [capture] = sides[handle.side ?? 'after'].length > 0 ? sides[handle.side ?? 'after'] : before;
      return capture === undefined || capture.path === STDIO ? null : evidence(wordOf(capture), handle, library);
    },
    open: isPiped
      ? []
      : [
          ['flamebench', 'diff', ...words, '--open', ...libraryWords(library)],
          ['flamebench', 'report', '--compare', ...words, ...AS_FINDING, ...libraryWords(library)],
        ],
  };
}

export function captureContext(
  word: string,
  document: CaptureDocument | null,
  library: string | undefined,
): ExplanationContext {
  const isPiped = word === STDIO;
  return {
    commands: recordedCommands([document]),
    evidenceOf: (handle) => (isPiped ? null : evidence(word, handle, library)),
    open: isPiped
      ? []
      : [
          ['flamebench', 'open', word, ...libraryWords(library)],
          ['flamebench', 'report', word, ...AS_FINDING, ...libraryWords(library)],
        ],
  };
}

/** A capture of the library by its ID, else the file. */
const wordOf = ({ path, document, mayReadHere }: DiffInput): string =>
  mayReadHere === undefined || document === null ? path : document.id;

/** Returns the commands that show the function; null if its name is no pattern to paste. */
function evidence(
  word: string,
  { function: name }: ClaimHandle,
  library: string | undefined,
): ReturnType<ExplanationContext['evidenceOf']> {
  if (name === '' || name.length > LONGEST_PATTERN || name.includes('\0')) return null;
  const pattern = `^${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`;
  return {
    shown: ['flamebench', 'peek', word, pattern, ...libraryWords(library)],
    opened: ['flamebench', 'open', word, '--search', pattern, ...libraryWords(library)],
  };
}
