import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { LIVE_WORD, SIDE_WORD, VIEW_WORD } from './comparison-words.ts';
import { liveFromWord, type LiveWish } from './live/live-word.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { EngineFailure, withRemedy } from './failure.ts';
import { isProfileFolder } from './files/folder-source.ts';
import { documentBeside } from './library/document-beside.ts';
import { findNamed } from './library/find-named.ts';
import type { Library } from './library/library.ts';

/** A regular file, by absolute path. */
interface RequestedFile {
  readonly path: string;
  readonly fileName: string;
  readonly size: number;
}

/** A file, or a capture of the library. */
export type NamedInput =
  | ({ readonly kind: 'file' } & RequestedFile)
  | { readonly kind: 'capture'; readonly id: string };

/** The inputs of a comparison, at least one per side. */
type NamedComparison = Readonly<Record<Side, readonly NamedInput[]>>;

/** A resolved request to open files. */
export interface OpenRequest {
  readonly files: readonly RequestedFile[];
  /** IDs of the library's captures. */
  readonly captures: readonly string[];
  /** IDs of the library's experiments. */
  readonly experiments: readonly string[];
  readonly comparisons: readonly NamedComparison[];
  /** The view for the files and captures, as `viewToWord` wrote it; null for their own. */
  readonly view: string | null;
  /** The process to watch; null for none. */
  readonly live: LiveWish | null;
  /** True opens the guided comparison of the bundled samples. */
  readonly guide: boolean;
  /** One line with its remedy for each word that could not be resolved. */
  readonly problems: readonly string[];
}

export const NOTHING_TO_OPEN: OpenRequest = {
  files: [],
  captures: [],
  experiments: [],
  comparisons: [],
  view: null,
  live: null,
  guide: false,
  problems: [],
};

/** Returns the paths of all files of a request. */
export function filePaths({ files, comparisons }: OpenRequest): string[] {
  const compared = comparisons.flatMap(({ before, after }) => [...before, ...after]);
  return [...files, ...compared.flatMap((input) => (input.kind === 'file' ? [input] : []))].map(({ path }) => path);
}

/**
 * Resolves words of a command line, or paths from the system: each is a file, or else the ID of a capture or an
 * experiment, one of `comparisonWords`, `view=` and the view in which the others open, or `live=` and what to watch.
 */
export async function resolveOpenRequest(
  words: readonly string[],
  cwd: string,
  library: Library,
): Promise<OpenRequest> {
  const found: { [K in 'files' | 'captures' | 'experiments' | 'problems']: OpenRequest[K][number][] } = {
    files: [],
    captures: [],
    experiments: [],
    problems: [],
  };
  const sides: Record<Side, NamedInput[]> = { before: [], after: [] };
  let view: string | null = null;
  let live: LiveWish | null = null;
  for (const word of words) {
    const isFile = await isThere(stat(resolve(cwd, word)));
    const given = isFile ? undefined : VIEW_WORD.exec(word)?.[1];
    const watched = isFile ? undefined : LIVE_WORD.exec(word)?.[1];
    if (given !== undefined) {
      view = given;
      continue;
    }
    if (watched !== undefined) {
      live = liveFromWord(watched);
      if (live === null) found.problems.push(`${word.slice(0, 40)} names no process to watch; use flamebench live`);
      continue;
    }
    const asked = isFile ? null : SIDE_WORD.exec(word);
    const [, side, inner] = asked ?? [];
    const input = await findInput(inner ?? word, cwd, library);
    if (input.kind === 'problem') found.problems.push(input.text);
    else if (side === 'before' || side === 'after') {
      if (input.kind !== 'experiment') sides[side].push(input);
      else found.problems.push(`${input.id} is an experiment, which already has both sides; name it alone`);
    } else if (input.kind === 'file') found.files.push(input);
    else if (input.kind === 'capture') found.captures.push(input.id);
    else found.experiments.push(input.id);
  }
  const isAsked = sides.before.length + sides.after.length > 0;
  const empty = SIDES.find((side) => sides[side].length === 0);
  if (isAsked && empty !== undefined && found.problems.length === 0) {
    found.problems.push(`the ${empty} side is empty; name at least one capture a side`);
  }
  return { ...NOTHING_TO_OPEN, ...found, view, live, comparisons: isAsked && empty === undefined ? [sides] : [] };
}

type Found =
  | NamedInput
  | { readonly kind: 'experiment'; readonly id: string }
  | { readonly kind: 'problem'; readonly text: string };

async function findInput(word: string, cwd: string, library: Library): Promise<Found> {
  const path = resolve(cwd, word);
  const found = word === '' ? null : await stat(path).catch(() => null);
  if (found?.isFile() === true) return fileOrCapture(path, found.size, library);
  if (found !== null) {
    const what = found.isDirectory() ? 'a folder' : 'not a regular file';
    const remedy = isProfileFolder(path) ? 'drop it on the window, or compress it to a zip archive' : 'name a file';
    return { kind: 'problem', text: `${word} is ${what}; ${remedy}` };
  }
  try {
    // Other programs turn an ID into a path that ends in it.
    const { kind, id } = await findNamed(library, basename(word), ['capture', 'experiment'], word);
    return kind === 'capture' ? { kind, id } : { kind: 'experiment', id };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return { kind: 'problem', text: withRemedy(error.message, error.remedy) };
  }
}

/**
 * Returns the capture if the file is the primary file of one in this library. For a capture of another library, returns
 * the file under the capture's name.
 */
async function fileOrCapture(path: string, size: number, library: Library): Promise<NamedInput> {
  const fileName = basename(path);
  const document = documentBeside(path);
  if (document === null || document.primaryFile !== fileName) return { kind: 'file', path, fileName, size };
  const folder = dirname(path);
  const id = basename(folder);
  const isOwn = dirname(folder) === library.path && (await isThere(library.get(id)));
  return isOwn ? { kind: 'capture', id } : { kind: 'file', path, fileName: document.name, size };
}

const isThere = (found: Promise<unknown>): Promise<boolean> =>
  found.then(
    () => true,
    () => false,
  );

/** Requests that wait for a window. */
export interface PendingRequests {
  readonly get: () => OpenRequest;
  readonly add: (request: OpenRequest) => void;
  /** Called after a window has opened the result of `get`. */
  readonly forget: () => void;
}

export function createPendingRequests(first: OpenRequest): PendingRequests {
  let waiting = [first];
  let told: readonly OpenRequest[] = [];
  return {
    get: () => {
      told = waiting;
      return {
        files: waiting.flatMap(({ files }) => files),
        captures: waiting.flatMap(({ captures }) => captures),
        experiments: waiting.flatMap(({ experiments }) => experiments),
        comparisons: waiting.flatMap(({ comparisons }) => comparisons),
        view: waiting.reduce<string | null>((last, { view }) => view ?? last, null),
        live: waiting.reduce<LiveWish | null>((last, { live }) => live ?? last, null),
        guide: waiting.some(({ guide }) => guide),
        problems: waiting.flatMap(({ problems }) => problems),
      };
    },
    add: (request) => {
      waiting = [...waiting, request];
    },
    forget: () => {
      waiting = waiting.filter((request) => !told.includes(request));
    },
  };
}
