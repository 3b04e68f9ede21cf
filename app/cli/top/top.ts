import { Option, type Command } from 'commander';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportTransforms } from '../input/apply-transforms.ts';
import { reportTime } from '../input/choose-time.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { rowCount } from '../option-values.ts';
import type { Paints } from '../output/colour.ts';
import { print, printTable, say, terminalWidth } from '../output/terminal.ts';
import { topAsCsv, topAsJson, topAsTable } from './print.ts';
import { computeTop } from './report.ts';

interface TopFlags extends ViewOptions {
  readonly sort: 'self' | 'total';
  readonly cum?: true;
  readonly number?: number;
}

const DEFAULT_TABLE_ROWS = 20;

const TITLES: Paints = [[/^ +flat .*$/, 'bold']];

export const topCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'file, or a library capture by id or prefix of its name; - is stdin')
      .addOption(new Option('--sort <column>', 'column to sort by').choices(['self', 'total']).default('self'))
      .option('--cum', 'the same as --sort total')
      .option(
        '-n, --number <rows>',
        `rows to print, 0 for all (default: ${DEFAULT_TABLE_ROWS}, all with --json, --csv)`,
        rowCount,
      );
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<TopFlags>();
    const read = await readView(command);
    const { document } = read.found;
    const sort = options.cum === true ? 'total' : options.sort;
    const rows = options.number ?? (options.json === true || options.csv === true ? 0 : DEFAULT_TABLE_ROWS);
    const { view, report } = computeTop(read, {
      sort,
      rowLimit: rows === 0 ? Infinity : rows,
      lost: document?.lostSamples ?? 0,
      isRegrouped: options.granularity !== undefined,
      hasBase: (options.base ?? options.diffBase) !== undefined,
    });
    reportTransforms(read.applied, view);
    reportTime(view);
    if (document !== null) {
      const { betterLines } = await import('../record/report.ts');
      for (const line of betterLines(document)) say(line.trim());
    }
    if (options.csv === true) printTable(topAsCsv(report));
    else if (options.json === true) print(topAsJson(report));
    else print(topAsTable(report, terminalWidth()), TITLES);
    return ExitCode.ok;
  },
};
