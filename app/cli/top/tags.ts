import type { Command } from 'commander';
import { labelBreakdown } from '#core/analyze/reading/labels.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { pprofShare, pprofValue } from '#core/units/pprof-format.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportView } from '../input/apply-transforms.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print, warn } from '../output/terminal.ts';

export const tagsCommand: CliCommand = {
  configure(command: Command): void {
    command.argument('<in>', 'profile to read; - is stdin');
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ViewOptions>();
    const { profile, selection, applied, whole } = await readView(command);
    const keys = labelBreakdown(profile, selection, applied.resolved);
    reportView(applied, buildStackView(profile, selection, applied.resolved));
    const { type, unit } = profile.valueTypes[selection.valueType]!;
    if (options.json === true) {
      print(jsonText({ valueType: { type, unit }, whole, labels: keys }));
      return ExitCode.ok;
    }
    if (options.csv === true) {
      const rows = keys.flatMap(({ key, values }) => values.map(({ text, weight }) => ({ key, value: text, weight })));
      printCsv(['key', 'value', 'weight'], rows, [`${type} (${unit})`]);
      return ExitCode.ok;
    }
    if (keys.length === 0) warn('no sample in this view has labels');
    // No shares of a total of 0, as in pprof: with --base, weights may cancel out.
    const share = (weight: number): string => (whole > 0 ? ` (${pprofShare(weight, whole)})` : '');
    const lines = keys.flatMap(({ key, total, values }) => {
      const head = `${escapeControls(key)}:`;
      const weights = values.map(({ weight }) => `${pprofValue(weight, unit)}${share(weight)}:`);
      // Columns are one wider than their longest cell, as in pprof.
      const [keyWidth, width] = [[head], weights].map((cells) => 1 + Math.max(0, ...cells.map(({ length }) => length)));
      return [
        ` ${head} Total ${pprofValue(total, unit)} of ${pprofValue(whole, unit)}${share(total)}`,
        ...values.map(
          ({ text }, row) => `${''.padStart(keyWidth!)}${weights[row]!.padStart(width!)} ${escapeControls(text)}`,
        ),
        '',
      ];
    });
    print(lines.map((line) => `${line}\n`).join(''));
    return ExitCode.ok;
  },
};
