import type { Command } from 'commander';
import { openExperiments, type Experiments } from '#app/engine/experiments/experiments.ts';
import { findNamed } from '#app/engine/library/find-named.ts';
import { exportBundle } from '#app/engine/experiments/export-bundle.ts';
import { importBundle } from '#app/engine/experiments/import-bundle.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { Library } from '#app/engine/library/library.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { CliError, inputError, usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { withLibrary } from '../library/open-library.ts';
import { SIDES } from '#core/contract/side.ts';
import { declareRunOptions, type RunOptions } from './run-options.ts';
import { describeExperiment, describeImport, listExperiments } from './print.ts';
import { csvOption, printCsv, refuseCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { FORCE_OPTION, outputOption, writeOutput } from '../output/output-file.ts';
import { asLines, print, warn } from '../output/terminal.ts';

interface Options {
  readonly library?: string;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
  readonly csv?: true;
}

interface ExperimentStores {
  readonly library: Library;
  readonly experiments: Experiments;
}

export const experimentCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]', 'list (the default), run, show, export or import')
      .argument(
        '[what...]',
        'experiment id or a unique prefix of it; for import: the file (- is stdin); for run: see below',
      )
      .addOption(
        outputOption(
          'for run: report to write at the end, report.html; for export: the file to write (default: named after the experiment; - is stdout)',
        ),
      )
      .option(...FORCE_OPTION)
      .option(...LIBRARY_OPTION)
      .option('--json', 'print JSON')
      .addOption(csvOption())
      .addHelpText(
        'after',
        `
An experiment defines which captures are compared, and how. Its exported file includes the captures. run loads two sides of a server in turn and makes one.

  flamebench experiment run http://127.0.0.1:8080/ -o report.html -- ./server-old -- ./server-new
  flamebench experiment run --before-url http://127.0.0.1:8080/ --after-url http://127.0.0.1:8081/
  flamebench experiment                                    lists the library’s experiments
  flamebench experiment show experiment-…                  what it compares, and what that shows
  flamebench experiment export experiment-… -o pair.flamebench-experiment
  flamebench experiment import pair.flamebench-experiment  prints its id in this library
  flamebench diff experiment-…                             compares the functions of its sides
  flamebench load diff experiment-…                        compares its load tests`,
      );
    declareRunOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const [action = 'list', what, ...others] = command.args;
    const options = command.opts<Options>();
    if (action === 'run') return runIn(command.args.slice(1), command.opts<RunOptions>());
    const run = ACTIONS.get(action);
    if (run === undefined) {
      throw usageError(`unknown action '${action}'`, `use run, ${[...ACTIONS.keys()].join(', ')}`);
    }
    if (action !== 'list' && what === undefined) {
      throw usageError(
        `experiment ${action} needs ${action === 'import' ? 'a file' : 'an experiment id'}`,
        action === 'import' ? 'name a file written by experiment export' : 'flamebench experiment lists them',
      );
    }
    if (action === 'export' || action === 'import') refuseCsv(options.csv, `experiment ${action}`, 'list and show');
    if (others.length > 0) throw usageError(`experiment ${action}: unexpected argument '${others[0]!}'`);
    if (action === 'list' && what !== undefined) throw usageError(`experiment list: unexpected argument '${what}'`);
    await withLibrary(options.library, async (library) =>
      run({ library, experiments: await openExperiments(library) }, what ?? '', options),
    );
    return ExitCode.ok;
  },
};

async function runIn(words: readonly string[], options: RunOptions): Promise<ExitCode> {
  if (options.csv === true) refuseCsv(true, 'experiment run', 'load diff');
  return withLibrary(options.library, async (library) => {
    const { runSides } = await import('./run.ts');
    return runSides({ library, experiments: await openExperiments(library) }, words, options);
  });
}

const ACTIONS: ReadonlyMap<string, (place: ExperimentStores, what: string, options: Options) => Promise<void>> =
  new Map([
    ['list', list],
    ['show', show],
    ['export', writeBundle],
    ['import', readBundle],
  ]);

async function list({ experiments }: ExperimentStores, _none: string, { json, csv }: Options): Promise<void> {
  const found = await experiments.list();
  if (csv === true) {
    const rows = found.experiments.map(({ experiment: { id, name, before, after }, missing }) => ({
      id,
      name,
      before: before.captures.length,
      after: after.captures.length,
      missing: missing.length,
    }));
    printCsv(['id', 'name', 'before', 'after', 'missing'], rows);
  } else print(json === true ? jsonText(found) : listExperiments(found.experiments));
  for (const { id, message, remedy } of found.damaged) {
    warn(`${id} can't be read: ${message}. ${remedy}`);
  }
}

async function show(
  { experiments, library }: ExperimentStores,
  word: string,
  { json, csv, library: folder }: Options,
): Promise<void> {
  const state = await experiments.get((await findNamed(library, word, ['experiment'])).id);
  if (csv === true) {
    const gone = new Map(state.missing.map((capture) => [capture.id, capture.why]));
    const rows = SIDES.flatMap((side) =>
      state.experiment[side].captures.map((capture) => ({
        side,
        id: capture.id,
        name: capture.name,
        requests: capture.requests,
        missing: gone.get(capture.id) ?? null,
      })),
    );
    printCsv(['side', 'id', 'name', 'requests', 'missing'], rows);
  } else {
    const { id: own, loads } = state.experiment;
    const shown = await import('./conclusion.ts');
    const found = loads === undefined ? null : await shown.findings(library, own, loads, folder);
    const lines = found === null ? [] : ['', ...shown.findingLines(found)];
    if (json !== true) print(describeExperiment(state) + asLines(lines));
    else print(jsonText({ ...state, ...(found && { conclusion: found.sentences, ...shown.changesOf(found) }) }));
  }
}

async function writeBundle(
  { library, experiments }: ExperimentStores,
  word: string,
  { output, force, json }: Options,
): Promise<void> {
  const { id } = await findNamed(library, word, ['experiment']);
  const { fileName, missing, chunks } = await exportBundle(library, experiments, id);
  const path = output ?? fileName;
  if (path === STDIO && json === true) throw usageError('--json and -o - both write to stdout', 'name a file');
  await writeOutput(path, { force }, async (file) => {
    for await (const chunk of chunks) file.write(chunk);
  });
  if (missing > 0) {
    const few = missing === 1 ? '1 capture is' : `${missing} captures are`;
    warn(`${few} missing from the library, so also from the file`);
  }
  if (json === true) print(jsonText({ file: path, missing }));
  else if (path !== STDIO) print(`${path}\n`);
}

async function readBundle(
  { library, experiments }: ExperimentStores,
  path: string,
  { json, library: folder }: Options,
): Promise<void> {
  try {
    const imported = await importBundle(library, experiments, fileSource(path).chunks());
    print(json === true ? jsonText(imported) : describeImport(imported, folder));
  } catch (error) {
    const failure = toCliError(error);
    if (!(failure instanceof CliError) || failure.exitCode !== ExitCode.usage) throw failure;
    throw inputError(failure.message, failure.remedy);
  }
}
