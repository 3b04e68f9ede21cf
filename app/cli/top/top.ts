import { Option, type Command } from 'commander';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { applyTransforms, reportTransforms } from '../input/apply-transforms.ts';
import { chooseThreads } from '../input/choose-threads.ts';
import { chooseTime, reportTime, TIME_OPTION } from '../input/choose-time.ts';
import { chooseValueType } from '../input/choose-value-type.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { collect, rowCount } from '../option-values.ts';
import { addInputOptions, type InputOptions } from '../input/input-options.ts';
import { readInput } from '../input/read-input.ts';
import { findInput } from '../library/find-input.ts';
import { print, say, terminalWidth } from '../output/terminal.ts';
import { betterLines } from '../record/report.ts';
import { computeTop } from './report.ts';
import { topAsJson, topAsTable } from './print.ts';
import { addTransformOptions, givenTransforms } from '../input/transform-options.ts';

interface TopOptions extends InputOptions {
  readonly sort: 'self' | 'total';
  readonly cum?: true;
  readonly number?: number;
  readonly type?: string;
  readonly thread?: readonly string[];
  readonly time?: string;
  readonly json?: true;
}

const DEFAULT_TABLE_ROWS = 20;

export const topCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'file, or a library capture by id or prefix of its name; - is stdin')
      .addOption(new Option('--sort <column>', 'column to sort by').choices(['self', 'total']).default('self'))
      .option('--cum', 'the same as --sort total')
      .option(
        '-n, --number <rows>',
        `rows to print, 0 for all (default: ${DEFAULT_TABLE_ROWS}, all with --json)`,
        rowCount,
      )
      .option('--type <type>', 'value type, as type or type/unit; default: the profile’s own')
      .option('--thread <id-or-name>', 'only this thread (repeatable)', collect)
      .option(...TIME_OPTION)
      .option('--json', 'print JSON');
    addInputOptions(command);
    addTransformOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<TopOptions>();
    const { path, document, mayReadHere } = await findInput(command.args[0]!, options.library);
    const profile = await readInput(path, options, mayReadHere);
    const selection: Selection = {
      valueType: chooseValueType(profile, options.type),
      threads: chooseThreads(profile, options.thread ?? []),
      timeRange: chooseTime(profile, options.time),
    };
    const sort = options.cum === true ? 'total' : options.sort;
    const rows = options.number ?? (options.json === true ? 0 : DEFAULT_TABLE_ROWS);
    const applied = await applyTransforms(profile, await givenTransforms(command, profile));
    const { view, report } = computeTop(
      profile,
      selection,
      applied,
      sort,
      rows === 0 ? Infinity : rows,
      document?.lostSamples ?? 0,
    );
    reportTransforms(applied, view);
    reportTime(view);
    if (document !== null) for (const line of betterLines(document)) say(line.trim());
    print(options.json === true ? topAsJson(report) : topAsTable(report, terminalWidth()));
    return ExitCode.ok;
  },
};
