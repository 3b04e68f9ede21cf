import type { Command } from 'commander';
import { join } from 'node:path';
import type { TrashedItem } from '#core/contract/trash-methods.ts';
import { findNamed } from '#app/engine/library/find-named.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { adoptLibrary } from '#app/engine/library/library-marker.ts';
import type { Library } from '#app/engine/library/library.ts';
import { deleteItems, itemNamed, listTrash, restoreItem } from '#app/engine/library/trash.ts';
import { MAX_TAG_LENGTH, MAX_TAGS } from '#core/contract/limits.ts';
import { captureMatcher } from '#core/contract/match-capture.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { usageError } from '../errors.ts';
import { forEachWord } from '../for-each-word.ts';
import { findCapture } from '../library/find-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { withLibrary } from '../library/open-library.ts';
import { csvOption, printCsv, refuseCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print, printTable, terminalWidth } from '../output/terminal.ts';
import { captureText, capturesAsCsv, listCaptures, listTrashed, oneLine, type StatedFacts } from './print.ts';

interface Options {
  readonly library?: string;
  readonly json?: true;
  readonly csv?: true;
}

type Action = (library: Library, words: readonly string[], options: Options) => Promise<void>;

export const capturesCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]', 'list (the default), show, rename, tag, delete, trash or adopt')
      .argument('[words...]', 'its arguments, see below')
      .option(...LIBRARY_OPTION)
      .option('--json', 'print JSON')
      .addOption(csvOption())
      .addHelpText(
        'after',
        `
CAPTURE is an id, a name, or a unique prefix of either.

  flamebench captures                          lists captures, newest first, a load test’s or an experiment’s as one row, and unreadable folders
  flamebench captures list WORD…               each with all words in name, tags, host, process, container, command, load test or experiment
  flamebench captures show CAPTURE             prints its details
  flamebench captures rename CAPTURE NAME
  flamebench captures tag CAPTURE [TAG…]       sets its tags, or removes them all
  flamebench captures delete CAPTURE…          moves captures, experiments and broken folders to the trash
  flamebench captures trash [list]             lists the trash, with its size
  flamebench captures trash restore ID…
  flamebench captures trash empty [ID…]        permanently deletes all of it, or the given ids
  flamebench captures adopt                    makes a folder with captures and other content a library`,
      );
  },

  async run(command: Command): Promise<ExitCode> {
    const [action = 'list', ...words] = command.args;
    const options = command.opts<Options>();
    const run = ACTIONS.get(action);
    if (run === undefined) throw usageError(`unknown action '${action}'`, `use ${[...ACTIONS.keys()].join(', ')}`);
    const asked = action === 'trash' ? `trash ${words[0] ?? 'list'}` : action;
    if (asked !== 'list' && asked !== 'trash list') refuseCsv(options.csv, `captures ${asked}`, 'list and trash list');
    await withLibrary(options.library, (library) => run(library, words, options));
    return ExitCode.ok;
  },
};

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['list', list],
  ['show', show],
  ['rename', rename],
  ['tag', tag],
  ['delete', remove],
  ['trash', trash],
  ['adopt', adopt],
]);

async function list(library: Library, words: readonly string[], { json, csv }: Options): Promise<void> {
  const { captures: all, damaged } = await library.list();
  const matches = captureMatcher(words.join(' '));
  const captures = all.filter((capture) => capture.origin !== 'sample' && matches(capture));
  // A damaged capture has no fields to search.
  const broken = words.length > 0 ? [] : [...damaged, ...(await (await openExperiments(library)).list()).damaged];
  if (json === true) print(jsonText({ captures, broken }));
  else if (csv === true) printTable(capturesAsCsv(captures, broken));
  else print(listCaptures(captures, broken, Date.now(), terminalWidth(), words.length === 0));
}

async function show(library: Library, words: readonly string[], { json }: Options): Promise<void> {
  const [word, ...others] = words;
  refuseWords('captures show', others);
  const document = await findCapture(library, required('captures show', word, 'a capture'));
  if (json === true) print(jsonText(document));
  else print(captureText(document, library.path, await statedFacts(document, library.path)));
}

/** Returns what a fetched profile states about itself; null if it is unreadable or not from pprof or Node. */
async function statedFacts({ id, collector, primaryFile }: CaptureDocument, root: string): Promise<StatedFacts | null> {
  if (collector?.id !== 'pprof' && collector?.id !== 'node') return null;
  try {
    return (await importProfile(fileSource(join(root, id, primaryFile)))).metadata;
  } catch (error) {
    if (error instanceof ImportFailure || error instanceof EngineFailure) return null;
    throw error;
  }
}

async function rename(library: Library, words: readonly string[], { json }: Options): Promise<void> {
  const [word, name, ...others] = words;
  refuseWords('captures rename', others);
  const { id } = await findCapture(library, required('captures rename', word, 'a capture'));
  const document = await library.rename(id, required('captures rename', name, 'a name'));
  print(json === true ? jsonText(document) : `${id} is now ${oneLine(document.name)}\n`);
}

async function tag(library: Library, [word, ...tags]: readonly string[], { json }: Options): Promise<void> {
  const { id } = await findCapture(library, required('captures tag', word, 'a capture'));
  const wrong = tags.find((one) => one.trim() === '' || one.length > MAX_TAG_LENGTH || one.includes(','));
  if (wrong !== undefined || tags.length > MAX_TAGS) {
    throw usageError(
      `captures tag takes at most ${MAX_TAGS} tags of 1 to ${MAX_TAG_LENGTH} characters, without commas`,
      'give them as separate words: prod release=7',
    );
  }
  const document = await library.tag(id, tags);
  const now = document.tags.length === 0 ? 'has no tags' : `has the tags ${document.tags.map(oneLine).join(', ')}`;
  print(json === true ? jsonText(document) : `${id} ${now}\n`);
}

async function remove(library: Library, words: readonly string[], { json }: Options): Promise<void> {
  required('captures delete', words[0], 'a capture');
  const experiments = await openExperiments(library);
  const deleted = await forEachWord(words, async (word) => {
    // A damaged folder is identified by its folder name only.
    const isBroken = (await library.list()).damaged.some((one) => one.id === word);
    const broken = { kind: 'capture', id: word };
    const { kind, id } = isBroken ? broken : await findNamed(library, word, ['capture', 'experiment']);
    await (kind === 'experiment' ? experiments : library).trash(id);
    return id;
  });
  if (json === true) print(jsonText({ deleted: deleted.done }));
  else print(deleted.done.map((id) => `${oneLine(id)} moved to the trash\n`).join(''));
  deleted.throwFirst();
}

async function trash(library: Library, words: readonly string[], options: Options): Promise<void> {
  const [action = 'list', ...entries] = words;
  const { items, others } = await listTrash(library.path);
  if (action === 'list') {
    refuseWords('captures trash list', entries);
    if (options.csv === true) {
      const rows = items.map(({ entry, trashedAt, sizeBytes, kind, name }) => ({
        ID: entry,
        Trashed: trashedAt === null ? '' : new Date(trashedAt).toISOString(),
        'Size (bytes)': sizeBytes,
        Kind: kind,
        Name: name,
      }));
      printCsv(['ID', 'Trashed', 'Size (bytes)', 'Kind', 'Name'], rows);
    } else if (options.json === true) print(jsonText({ trash: items, others }));
    else print(listTrashed(items, others, Date.now(), terminalWidth()));
  } else if (action === 'restore') {
    required('captures trash restore', entries[0], 'an id');
    await restore(library, items, entries, options);
  } else if (action === 'empty') {
    await empty(library, entries.length === 0 ? items : entries.map((entry) => itemNamed(items, entry)), options);
  } else {
    throw usageError(`unknown action 'trash ${action}'`, 'use list, restore or empty');
  }
}

async function restore(
  library: Library,
  items: readonly TrashedItem[],
  entries: readonly string[],
  { json }: Options,
): Promise<void> {
  const restored = await forEachWord(entries, async (entry) => {
    const item = itemNamed(items, entry);
    await restoreItem(library.path, item);
    return item.id;
  });
  await library.touch();
  if (json === true) print(jsonText({ restored: restored.done }));
  else print(restored.done.map((id) => `${oneLine(id)} restored\n`).join(''));
  restored.throwFirst();
}

async function empty(library: Library, items: readonly TrashedItem[], { json }: Options): Promise<void> {
  await deleteItems(library.path, items);
  const deleted = items.map(({ entry }) => entry);
  print(json === true ? jsonText({ deleted }) : `${deleted.length} permanently deleted\n`);
}

async function adopt(library: Library, words: readonly string[], { json }: Options): Promise<void> {
  refuseWords('captures adopt', words);
  await adoptLibrary(library.path);
  print(json === true ? jsonText({ library: library.path }) : `${oneLine(library.path)} is a library now\n`);
}

function refuseWords(what: string, words: readonly string[]): void {
  if (words.length > 0) throw usageError(`${what} takes no '${words[0]}'`);
}

function required(what: string, word: string | undefined, wanted: string): string {
  if (word === undefined) throw usageError(`${what} wants ${wanted}`, 'flamebench captures lists them');
  return word;
}
