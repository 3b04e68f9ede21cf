import type { Command } from 'commander';
import { countsGoroutines } from '#core/analyze/goroutine-waits.ts';
import { goroutineGroups, type GoroutineGroup } from '#core/analyze/tables/goroutines.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { countText, createFormatter } from '#core/units/format.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { inputError } from '../errors.ts';
import { reportView } from '../input/apply-transforms.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { rowLimitOf, rowsOption } from '../option-values.ts';
import { printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';

const english = createFormatter('en');

export const goroutinesCommand: CliCommand = {
  configure(command: Command): void {
    command.argument('<in>', 'profile or dump of goroutines; - is stdin').addOption(rowsOption('number', 'stacks'));
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ViewOptions & { number?: number }>();
    const { profile, selection, applied } = await readView(command);
    if (!countsGoroutines(profile)) {
      throw inputError(
        `${command.args[0]!} has no goroutines; record them: flamebench record pprof URL --kind goroutine`,
      );
    }
    reportView(applied, buildStackView(profile, selection, applied.resolved));
    const groups = goroutineGroups(profile, selection, applied.resolved);
    const shown = groups.slice(0, rowLimitOf(options.number, options));
    const isGrowth = options.base !== undefined || options.diffBase !== undefined;
    if (options.json === true) {
      const listed = shown.map(({ own, count, ...group }) => ({ count, function: own, ...group, func: undefined }));
      print(jsonText({ isGrowth, groups: listed }));
      return ExitCode.ok;
    }
    if (options.csv === true) {
      const rows = shown.map(({ count, own, states, longestWaitNs, createdBy, frames }) => ({
        count,
        function: own,
        states: states.map((state) => `${state.count} ${state.text}`).join('; '),
        'longest wait (ns)': longestWaitNs,
        'created by': createdBy,
        stack: frames.join(';'),
      }));
      printCsv(['count', 'function', 'states', 'longest wait (ns)', 'created by', 'stack'], rows);
      return ExitCode.ok;
    }
    const all = groups.reduce((sum, { count }) => sum + count, 0);
    const head = isGrowth
      ? `${signed(all)} goroutines; stacks that grew most first`
      : `${countText(all, 'goroutine')} in ${countText(groups.length, 'stack')}`;
    const rest = groups.length - shown.length;
    print(
      [
        head,
        '',
        ...shown.flatMap((group) => [...groupLines(group, isGrowth).map(escapeControls), '']),
        ...(rest > 0 ? [`and ${countText(rest, 'more stack')} (-n 0 shows all)`] : []),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    return ExitCode.ok;
  },
};

const signed = (count: number): string => `${count > 0 ? '+' : ''}${english.number(count)}`;

function groupLines({ count, states, longestWaitNs, createdBy, frames }: GoroutineGroup, isGrowth: boolean): string[] {
  const number = (value: number): string => (isGrowth ? signed(value) : english.number(value));
  const minutes = Math.round((longestWaitNs ?? 0) / 60e9);
  const facts = [
    ...states.map((state) => (states.length === 1 ? state.text : `${number(state.count)} ${state.text}`)),
    ...(minutes > 0 ? [`longest wait ${english.number(minutes)} min`] : []),
  ];
  return [
    [number(count), facts.join(', ')].filter((part) => part !== '').join('  '),
    ...(frames.length === 0 ? ['    (no stack)'] : frames.map((name) => `    ${name}`)),
    ...(createdBy === null ? [] : [`    created by ${createdBy}`]),
  ];
}
