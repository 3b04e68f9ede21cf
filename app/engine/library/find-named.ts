import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrashedItem } from '#core/contract/trash-methods.ts';
import { EngineFailure } from '../failure.ts';
import { shownWord } from '../files/classify-word.ts';
import { isCaptureId } from './captures/files.ts';
import { readDocument } from './captures/store.ts';
import { isIdOf, readFolderDocument } from './document-folders.ts';
import { EXPERIMENTS } from './experiment-document.ts';
import type { Library } from './library.types.ts';
import { LOAD_TESTS } from './load-document.ts';
import { isSampleId } from './sample-captures.ts';

/** What a library holds and a word can name. */
export type NamedKind = TrashedItem['kind'];

interface KindOfNamed {
  /** The library's folder with the folders of this kind. */
  readonly parent: string;
  /** Returns the name in the document of a folder. */
  readonly nameIn: (folder: string) => Promise<string>;
  /** The command that lists them. */
  readonly list: string;
}

export const NAMED_KINDS: Readonly<Record<NamedKind, KindOfNamed>> = {
  capture: {
    parent: '.',
    nameIn: async (folder) => readDocument(folder).name,
    list: 'flamebench captures',
  },
  experiment: {
    parent: EXPERIMENTS.parent,
    nameIn: async (folder) => (await readFolderDocument(EXPERIMENTS, folder)).name,
    list: 'flamebench experiment',
  },
  'load test': {
    parent: LOAD_TESTS.parent,
    nameIn: async (folder) => (await readFolderDocument(LOAD_TESTS, folder)).name,
    list: 'flamebench load',
  },
};

/** Returns the kind of what has this ID, or one that begins with it. */
export const kindOfId = (id: string): NamedKind =>
  isIdOf(EXPERIMENTS, id) ? 'experiment' : isIdOf(LOAD_TESTS, id) ? 'load test' : 'capture';

interface Named {
  readonly kind: NamedKind;
  readonly id: string;
  readonly name: string;
}

/**
 * Returns what a word of a command line names in a library, among these kinds: by its ID, its name, or a prefix of
 * either that only one has. An experiment is named by its ID alone, since its captures have its name. Throws an
 * `EngineFailure` if it names none or several; `typed` is the word in that, as the user typed it.
 */
export async function findNamed(
  library: Library,
  word: string,
  kinds: readonly NamedKind[],
  typed = word,
): Promise<Named> {
  const named = onlyNamed(await matchNamed(library, word, kinds), typed);
  if (named === null) throw await unknown(library, word, kinds, typed);
  return named;
}

/** Returns the ID of the experiment that a word names; null if it names none. */
export async function experimentNamed(library: Library, word: string): Promise<string | null> {
  return onlyNamed(await matchNamed(library, word, ['experiment']), word)?.id ?? null;
}

/** Returns what a word names, if it is one thing; null if it names none. Throws an `EngineFailure` if it names several. */
export function onlyNamed(found: readonly Named[], typed: string): Named | null {
  if (found.length > 1) throw ambiguous(typed, found);
  return found[0] ?? null;
}

/**
 * Returns all that the word can mean: what has this ID, else those whose ID begins with it if it looks like the
 * beginning of one, else those with that name, else those whose name or ID begins with it. Only the last two read all
 * documents. Bundled samples are used only if nothing else matches. Throws if the capture with that ID is unreadable.
 */
export async function matchNamed(
  library: Library,
  word: string,
  kinds: readonly NamedKind[],
): Promise<readonly Named[]> {
  if (word === '') return [];
  const byId = kinds.includes(kindOfId(word)) ? await withId(library, word) : [];
  if (byId.length > 0) return byId;
  const all = (await Promise.all(kinds.map((kind) => allOf(library, kind)))).flat();
  const exact = all.filter(({ name }) => name === word);
  const found = exact.length > 0 ? exact : all.filter(({ id, name }) => name.startsWith(word) || id.startsWith(word));
  const own = found.filter(({ id }) => !isSampleId(id));
  return own.length > 0 ? own : found;
}

/** A date and more of a generated ID of a capture. */
const BEGINNING = /^\d{8}-[\d-]*[\da-f]*$/;

async function withId(library: Library, word: string): Promise<Named[]> {
  const kind = kindOfId(word);
  if (kind !== 'capture') {
    const ids = (await idsOf(library, kind)).filter((id) => id.startsWith(word));
    return Promise.all((ids.includes(word) ? [word] : ids).map((id) => readNamed(library, kind, id)));
  }
  const exact = await orNull(isCaptureId(word) ? library.get(word) : Promise.resolve(null));
  if (exact !== null) return [{ kind, id: exact.id, name: exact.name }];
  return BEGINNING.test(word) ? (await library.beginning(word)).map(({ id, name }) => ({ kind, id, name })) : [];
}

async function allOf(library: Library, kind: NamedKind): Promise<Named[]> {
  if (kind === 'experiment') return [];
  if (kind === 'capture') return (await library.list()).captures.map(({ id, name }) => ({ kind, id, name }));
  return Promise.all((await idsOf(library, kind)).map((id) => readNamed(library, kind, id)));
}

const idsOf = async (library: Library, kind: NamedKind): Promise<string[]> =>
  (await readdir(join(library.path, NAMED_KINDS[kind].parent)).catch(() => [])).filter((id) => kindOfId(id) === kind);

/** What has an unreadable document has no name, and is named by its ID. */
const readNamed = async (library: Library, kind: NamedKind, id: string): Promise<Named> => {
  const { parent, nameIn } = NAMED_KINDS[kind];
  return { kind, id, name: await nameIn(join(library.path, parent, id)).catch(() => '') };
};

/** Resolves with null for a failure to find something. */
export function orNull<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (error instanceof EngineFailure && error.code === 'not-found') return null;
    throw error;
  });
}

/** How many an error names. */
const MOST_NAMED = 5;

function ambiguous(word: string, found: readonly Named[]): EngineFailure {
  const some = found.slice(0, MOST_NAMED).map(({ id, name }) => (name === '' ? id : `${id} (${name})`));
  const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
  return new EngineFailure('ambiguous', `${word} could be ${some.join(', ')}${more}`, 'give the id');
}

/** The beginning of an ID of an experiment or a load test with its date, which hardly is a name. */
const DATED = /^[a-z]+-\d{8}/;
const listsOf = (kinds: readonly NamedKind[]): string =>
  `${kinds.map((one) => NAMED_KINDS[one].list).join(' and ')} ${kinds.length === 1 ? 'lists' : 'list'} them`;
const withArticle = (kind: NamedKind): string => `${kind === 'experiment' ? 'an' : 'a'} ${kind}`;

async function unknown(library: Library, word: string, kinds: readonly NamedKind[], typed: string) {
  const failure = (message: string, remedy: string) => new EngineFailure('not-found', message, remedy);
  const kind = kindOfId(word);
  const [other] = kind === 'capture' || kinds.includes(kind) ? [] : await withId(library, word);
  const command = kind === 'experiment' ? 'summary' : 'load show';
  if (other !== undefined)
    return failure(`${other.id} is ${withArticle(kind)}`, `flamebench ${command} ${other.id} prints it`);
  const only = kinds.every((one) => one === 'experiment') ? 'experiment' : DATED.test(word) ? kind : null;
  if (only !== null) {
    const shown = JSON.stringify(word.slice(0, 100));
    return failure(`No ${only} ${shown} in the library`, `${NAMED_KINDS[only].list} lists them`);
  }
  if (word !== '' && existsSync(typed))
    return failure(`${typed} is a file, not ${kinds.map(withArticle).join(' or ')} in ${library.path}`, listsOf(kinds));
  const what = ['a file', ...kinds.map(withArticle)];
  return failure(
    `${shownWord(typed)} is neither ${what.slice(0, -1).join(', ')} nor ${what.at(-1)} in ${library.path}`,
    listsOf(kinds),
  );
}
