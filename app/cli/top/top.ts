import { Option, type Command } from 'commander';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportView } from '../input/apply-transforms.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { rowLimitOf, rowsOption } from '../option-values.ts';
import type { Paints } from '../output/colour.ts';
import { print, printTable, say, terminalWidth } from '../output/terminal.ts';
import { topAsCsv, topAsJson, topAsTable } from './print.ts';
import { computeTop } from './report.ts';

interface TopFlags extends ViewOptions {
  readonly sort: 'self' | 'total';
  readonly cum?: true;
  readonly number?: number;
}

const TITLES: Paints = [[/^ +flat .*$/, 'bold']];

export const topCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'file, or a library capture by id or prefix of its name; - is stdin')
      .addOption(new Option('--sort <column>', 'column to sort by').choices(['self', 'total']).default('self'))
      .addOption(new Option('--cum', 'the same as --sort total').conflicts('sort'))
      .addOption(rowsOption('number'));
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<TopFlags>();
    const read = await readView(command);
    const { document } = read.found;
    const { view, report } = computeTop(read, {
      sort: options.cum === true ? 'total' : options.sort,
      rowLimit: rowLimitOf(options.number, options),
      lost: document?.lostSamples ?? 0,
      isRegrouped: options.granularity !== undefined,
      hasBase: (options.base ?? options.diffBase) !== undefined,
    });
    reportView(read.applied, view);
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
