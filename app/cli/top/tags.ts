import type { Command } from 'commander';
import { labelBreakdown } from '#core/analyze/reading/labels.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { pprofShare, pprofValue } from '#core/units/pprof-format.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportTransforms } from '../input/apply-transforms.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { escapeControls } from '../output/escape-controls.ts';
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
    reportTransforms(applied, buildStackView(profile, selection, applied.resolved));
    const { type, unit } = profile.valueTypes[selection.valueType]!;
    if (options.json === true) {
      print(jsonText({ valueType: { type, unit }, whole, labels: keys }));
      return ExitCode.ok;
    }
    if (keys.length === 0) warn('no sample in this view has labels');
    const lines = keys.flatMap(({ key, total, values }) => {
      const weights = values.map(({ weight }) => `${pprofValue(weight, unit)} (${pprofShare(weight, whole)})`);
      const width = Math.max(0, ...weights.map(({ length }) => length));
      return [
        `${escapeControls(key)}: Total ${pprofValue(total, unit)} of ${pprofValue(whole, unit)} (${pprofShare(total, whole)})`,
        ...values.map(({ text }, row) => `  ${weights[row]!.padStart(width)}: ${escapeControls(text)}`),
        '',
      ];
    });
    print(lines.map((line) => `${line}\n`).join(''));
    return ExitCode.ok;
  },
};
