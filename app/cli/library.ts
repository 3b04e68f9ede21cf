import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { isExperimentId } from '#app/engine/experiments/experiment-document.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { ExitCode, type CliCommand } from './command.ts';
import { toCliError } from './engine-errors.ts';
import { usageError } from './errors.ts';
import { jsonText } from './output/json-text.ts';
import { print, warn } from './output/terminal.ts';

interface Options {
  readonly library?: string;
  readonly json?: true;
}

export const libraryCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]', 'list (the default) or delete')
      .argument('[ids...]', 'of delete: ids as list prints them, of captures, experiments and broken folders')
      .option('--library <folder>', 'another library than the default one')
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `
  flamebench library                              captures, newest first, and folders that can't be read
  flamebench library delete 20261121-104501-…     moves it to .trash inside the library`,
      );
  },

  async run(command: Command): Promise<ExitCode> {
    const [action = 'list', ...ids] = command.processedArgs.flat() as string[];
    const options = command.opts<Options>();
    if (action !== 'list' && action !== 'delete') {
      throw usageError(`library can't ${action}`, 'it takes list or delete');
    }
    if (action === 'list' && ids.length > 0) throw usageError(`library list takes no '${ids[0]}'`);
    if (action === 'delete' && ids.length === 0) {
      throw usageError('library delete wants an id', 'flamebench library lists them');
    }
    try {
      const library = await openLibrary(
        options.library === undefined ? defaultLibraryPath() : resolve(options.library),
      );
      try {
        if (action === 'list') await list(library, options);
        else await remove(library, ids, options);
      } finally {
        library.close();
      }
    } catch (error) {
      throw toCliError(error);
    }
    return ExitCode.ok;
  },
};

async function list(library: Library, { json }: Options): Promise<void> {
  const { captures, damaged } = await library.list();
  const experiments = (await (await openExperiments(library)).list()).damaged;
  const broken = [...damaged, ...experiments];
  if (json === true) {
    print(jsonText({ captures, broken }));
    return;
  }
  print([...captures.map(lineOf), ...broken.map(brokenLine)].join('') || 'No captures.\n');
}

const lineOf = ({ id, name, state }: CaptureDocument): string => `${id}  ${state.padEnd(9)}  ${oneLine(name)}\n`;

const brokenLine = ({ id, message, remedy }: DamagedCapture): string =>
  `${oneLine(id)}  ${'broken'.padEnd(9)}  ${oneLine(message)}. ${oneLine(remedy)}\n`;

/** A line break in a name is shown, not made. */
const oneLine = (text: string): string => text.replaceAll('\n', '\\n');

/** Goes on after one that can't be deleted, and fails in the end. */
async function remove(library: Library, ids: readonly string[], { json }: Options): Promise<void> {
  const deleted: string[] = [];
  const failures: Error[] = [];
  for (const id of ids) {
    try {
      if (isExperimentId(id)) await (await openExperiments(library)).trash(id);
      else await library.trash(id);
      deleted.push(id);
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  if (json === true) print(jsonText({ deleted }));
  else print(deleted.map((id) => `${oneLine(id)} moved to .trash\n`).join(''));
  const [first, ...others] = failures;
  for (const error of others) warn(error.message);
  if (first !== undefined) throw first;
}
