import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { NOTE_COLOURS, writtenNoteSchema, type Note, type NoteAnchor } from '#core/contract/notes.ts';
import { MAX_NOTE_AUTHOR, MAX_NOTE_TEXT } from '#core/contract/limits.ts';
import { orderNotes } from '#core/notes/order-notes.ts';
import { searchNotes } from '#core/notes/search-notes.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { openSettingsFile } from '#app/engine/config/user-config.ts';
import { findNamed } from '#app/engine/library/find-named.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import type { Library } from '#app/engine/library/library.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { withLibrary } from '../library/open-library.ts';
import { refuseOptions } from '../option-values.ts';
import { csvOption, printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';
import { aboutText, noteLines } from './print.ts';

interface Options {
  readonly library?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly function?: string;
  readonly module?: string;
  readonly path?: string;
  readonly delta?: true;
  readonly time?: string;
  readonly colour?: string;
  readonly author?: string;
  readonly search?: string;
}

/** The capture or experiment that has the notes. */
interface Owner {
  readonly id: string;
  readonly library: Library;
  readonly isExperiment: boolean;
  readonly notes: Pick<Library, 'notes' | 'editNotes'>;
}

interface Action {
  readonly run: (owner: Owner, words: readonly string[], options: Options) => Promise<void>;
  /** Options that not every action takes. */
  readonly options: readonly string[];
}

export const notesCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<what>', 'a capture or an experiment')
      .argument('[action]', 'list (the default), add, edit or delete')
      .argument('[words...]', 'its arguments, see below')
      .option('--function <name>', 'for add: the note is on this function')
      .option('--module <name>', 'for add: the module of the function')
      .option(
        '--path <functions>',
        'for add: the note is on the frame at the end of this call path, root first: main;serve;parse',
      )
      .option('--delta', 'for add, on an experiment: the note is on the change of the function or frame')
      .option(
        '--time <start..end>',
        'for add, on a capture: the note is on this time range, in seconds after the first sample',
      )
      .option('--colour <colour>', `for add and edit: ${NOTE_COLOURS.join(', ')}`)
      .option('--author <name>', 'for add and edit; add takes the name in the settings by default')
      .option('--search <words>', 'for list: only notes with all of these words')
      .option(...LIBRARY_OPTION)
      .option('--json', 'print JSON')
      .addOption(csvOption())
      .addHelpText(
        'after',
        `
WHAT is an id of a capture or an experiment, a capture's name, or a unique prefix of either. TEXT is Markdown; - reads it from stdin.
NOTE is a number of the list, an id, or a unique prefix of it.

  flamebench notes WHAT                                    lists its notes
  flamebench notes WHAT add TEXT                           a note on the whole
  flamebench notes WHAT add TEXT --function json.Marshal
  flamebench notes WHAT add TEXT --time 12.5..14
  flamebench notes WHAT edit NOTE TEXT
  flamebench notes WHAT delete NOTE…`,
      );
  },

  async run(command: Command): Promise<ExitCode> {
    const [what = '', action = 'list', ...words] = command.args;
    const options = command.opts<Options>();
    const asked = ACTIONS.get(action);
    if (asked === undefined) throw usageError(`unknown action '${action}'`, `use ${[...ACTIONS.keys()].join(', ')}`);
    for (const name of new Set([...ACTIONS.values()].flatMap((one) => one.options))) {
      const takers = [...ACTIONS].filter(([, one]) => one.options.includes(name)).map(([taker]) => taker);
      if (!takers.includes(action)) refuseOptions(command, `notes ${action}`, [name], `it is for ${takers.join(', ')}`);
    }
    await withLibrary(options.library, async (library) => asked.run(await ownerOf(library, what), words, options));
    return ExitCode.ok;
  },
};

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['list', { run: list, options: ['csv', 'search'] }],
  ['add', { run: add, options: ['function', 'module', 'path', 'time', 'delta', 'colour', 'author'] }],
  ['edit', { run: edit, options: ['colour', 'author'] }],
  ['delete', { run: remove, options: [] }],
]);

async function ownerOf(library: Library, what: string): Promise<Owner> {
  const { kind, id } = await findNamed(library, what, ['capture', 'experiment']);
  const isExperiment = kind === 'experiment';
  return { id, library, isExperiment, notes: isExperiment ? await openExperiments(library) : library };
}

async function list(
  { id, notes }: Owner,
  words: readonly string[],
  { json, csv, search = '' }: Options,
): Promise<void> {
  if (words.length > 0) throw usageError(`notes list takes no '${words[0]}'`);
  const all = orderNotes(await notes.notes(id));
  const found = searchNotes(all, search);
  const numbered = found.map((note) => ({ number: all.indexOf(note) + 1, ...note }));
  if (csv === true) {
    const rows = numbered.map((note) => ({ ...note, about: aboutText(note.anchor), created: timeText(note.created) }));
    printCsv(['number', 'id', 'about', 'colour', 'author', 'created', 'text'], rows);
  } else print(json === true ? jsonText({ notes: numbered }) : noteLines(numbered));
}

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

async function add(owner: Owner, words: readonly string[], options: Options): Promise<void> {
  const now = Date.now();
  const note = checked({
    // Without a dash, which would begin an option on a command line.
    id: randomBytes(9).toString('hex'),
    anchor: options.time === undefined ? anchorOf(owner, options) : await rangeAnchor(owner, options),
    text: await textFrom('notes add', words),
    author: options.author ?? (await settingsAuthor()),
    created: now,
    edited: null,
    colour: options.colour ?? 'none',
  });
  await owner.notes.editNotes(owner.id, { put: [note], remove: [] });
  print(options.json === true ? jsonText(note) : `${note.id} added\n`);
}

async function edit(owner: Owner, [word, ...words]: readonly string[], options: Options): Promise<void> {
  const [note] = notesNamed(orderNotes(await owner.notes.notes(owner.id)), word === undefined ? [] : [word], 'edit');
  const { colour, author } = options;
  const isText = words.length > 0 || (colour === undefined && author === undefined);
  const changed = checked({
    ...note!,
    ...(isText ? { text: await textFrom('notes edit', words) } : {}),
    ...(colour === undefined ? {} : { colour }),
    ...(author === undefined ? {} : { author }),
    edited: Date.now(),
  });
  await owner.notes.editNotes(owner.id, { put: [changed], remove: [] });
  print(options.json === true ? jsonText(changed) : `${changed.id} changed\n`);
}

async function remove(owner: Owner, words: readonly string[], { json }: Options): Promise<void> {
  const deleted = notesNamed(orderNotes(await owner.notes.notes(owner.id)), words, 'delete').map(({ id }) => id);
  await owner.notes.editNotes(owner.id, { put: [], remove: deleted });
  print(json === true ? jsonText({ deleted }) : deleted.map((id) => `${id} deleted\n`).join(''));
}

/** Returns the notes that the words name; throws for a word that matches none or several. */
function notesNamed(notes: readonly Note[], words: readonly string[], action: string): Note[] {
  if (words.length === 0) throw usageError(`notes ${action} needs a note`, 'flamebench notes WHAT lists them');
  return words.map((word) => {
    const numbered = /^\d{1,6}$/.test(word) ? notes[Number(word) - 1] : undefined;
    const exact = notes.find(({ id }) => id === word) ?? numbered;
    const begun = exact === undefined ? notes.filter(({ id }) => id.startsWith(word)) : [exact];
    const [found, ...others] = begun;
    if (found !== undefined && others.length === 0) return found;
    throw usageError(
      `${begun.length === 0 ? 'no note' : 'several notes'} '${word}'`,
      'flamebench notes WHAT lists them',
    );
  });
}

function anchorOf({ isExperiment }: Owner, { function: name, module = '', path, delta }: Options): NoteAnchor {
  if (name !== undefined && path !== undefined) throw usageError('--function and --path exclude each other');
  if (delta === true && !isExperiment)
    throw usageError('--delta is for experiments', 'name one: flamebench experiment lists them');
  if (name === undefined && path === undefined) {
    if (delta === true) throw usageError('--delta needs --function or --path');
    if (module !== '') throw usageError('--module needs --function or --path');
    return { kind: 'whole' };
  }
  const of: Extract<NoteAnchor, { kind: 'delta' }>['of'] =
    path === undefined
      ? { kind: 'function', func: { name: name!, module } }
      : { kind: 'path', direction: 'top-down', path: path.split(';').map((one) => ({ name: one, module })) };
  return delta === true ? { kind: 'delta', of } : of;
}

/**
 * Converts a range, given relative to the first sample as everywhere on the command line, to the profile's own times.
 */
async function rangeAnchor({ id, isExperiment, library }: Owner, options: Options): Promise<NoteAnchor> {
  const { function: name, path, delta, time } = options;
  if (name !== undefined || path !== undefined || delta === true)
    throw usageError('--time excludes --function, --path and --delta');
  if (isExperiment) throw usageError('--time is for captures', 'note one of the experiment’s captures');
  const { importInput } = await import('../input/read-input.ts');
  const { chooseTime } = await import('../input/choose-time.ts');
  const file = await library.openFile(id);
  return { kind: 'range', ...chooseTime(await importInput(file.path, {}, false), time)! };
}

async function settingsAuthor(): Promise<string> {
  const settings = await openSettingsFile(defaultConfigPath());
  await settings.close();
  return settings.get().noteAuthor;
}

async function textFrom(what: string, words: readonly string[]): Promise<string> {
  const [word, ...others] = words;
  if (word === undefined) throw usageError(`${what} needs a text`, 'quote it, or - reads it from stdin');
  if (others.length > 0) throw usageError(`${what} takes one text, not '${others[0]}' too`, 'quote the text');
  const text = word === STDIO ? await stdinText() : word;
  if (text.trim() === '') throw usageError(`${what} needs a text that is not blank`);
  return text;
}

/** Reads until the end, or until the text is longer than the library accepts. */
async function stdinText(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > MAX_NOTE_TEXT) break;
  }
  return text;
}

/** Throws if the library would reject the note. */
function checked(note: unknown): Note {
  const parsed = writtenNoteSchema.safeParse(note);
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? 'note');
  const limits: Readonly<Record<string, string>> = {
    colour: `use ${NOTE_COLOURS.join(', ')}`,
    text: `a note has at most ${MAX_NOTE_TEXT} characters`,
    author: `an author has at most ${MAX_NOTE_AUTHOR} characters`,
    anchor: 'name at most 4,096 functions of at most 10,000 characters',
  };
  throw usageError(`invalid ${field}`, limits[field] ?? 'flamebench notes --help');
}
