import { launchedCommand } from '#core/contract/launched-command.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ClaimHandle, ExplanationContext } from '#core/explain/explanation.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import type { DiffInput, DiffInputs } from '../diff/input-types.ts';
import { libraryWords } from '../library/library-option.ts';

/** Longest name in a command that is meant to be pasted. */
const LONGEST_PATTERN = 500;

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
    commands: commandsOf(all.map(({ document }) => document)),
    evidenceOf: (handle) => {
      const [capture] = sides[handle.side ?? 'after'].length > 0 ? sides[handle.side ?? 'after'] : before;
      return capture === undefined || capture.path === STDIO ? null : peek(wordOf(capture), handle, library);
    },
    open: isPiped
      ? []
      : [
          ['flamebench', 'diff', ...words, '--open', ...libraryWords(library)],
          ['flamebench', 'report', '--compare', ...words, '-o', 'finding.html', ...libraryWords(library)],
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
    commands: commandsOf([document]),
    evidenceOf: (handle) => (isPiped ? null : peek(word, handle, library)),
    open: isPiped
      ? []
      : [
          ['flamebench', 'open', word, ...libraryWords(library)],
          ['flamebench', 'report', word, '-o', 'finding.html', ...libraryWords(library)],
        ],
  };
}

/** A capture of the library by its ID, else the file. */
const wordOf = ({ path, document, mayReadHere }: DiffInput): string =>
  mayReadHere === undefined || document === null ? path : document.id;

/** Returns the command that shows the function with its callers and callees; null if its name is no pattern to paste. */
function peek(word: string, { function: name }: ClaimHandle, library: string | undefined): readonly string[] | null {
  if (name === '' || name.length > LONGEST_PATTERN || name.includes('\0')) return null;
  const pattern = `^${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`;
  return ['flamebench', 'peek', word, pattern, ...libraryWords(library)];
}

/** Returns the recorded commands, each once: what ran, else the tool's command. */
function commandsOf(documents: readonly (CaptureDocument | null)[]): string[][] {
  const found = new Map<string, string[]>();
  for (const document of documents) {
    if (document === null) continue;
    const launched = launchedCommand(document);
    const argv = redactArgv(launched.length > 0 ? launched : (document.collector?.commands[0] ?? []));
    if (argv.length > 0) found.set(JSON.stringify(argv), argv);
  }
  return [...found.values()];
}
