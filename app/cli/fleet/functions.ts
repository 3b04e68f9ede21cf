import type { Command } from 'commander';
import { searchFunctions } from '#app/engine/fleet/find-function.ts';
import { chooseFleetType } from '#app/engine/fleet/read-fleet.ts';
import { countText, formatValue } from '#core/units/format.ts';
import { rowLimitOf } from '../option-values.ts';
import { printCsv } from '../output/csv-rows.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { jsonText } from '../output/json-text.ts';
import { print, terminalWidth } from '../output/terminal.ts';
import { usageError } from '../errors.ts';
import { shown } from './list.ts';
import { withFleet } from './with-fleet.ts';

interface SearchFlags {
  readonly number?: number;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints the functions whose names contain a text. */
export const search = (command: Command): Promise<void> =>
  withFleet<SearchFlags, void>(command, async ({ fleet, filter, flags }) => {
    const text = command.args[0]!;
    if (text === '')
      throw usageError('the text is empty', 'name a part of the function; flamebench fleet top lists all');
    const type = await chooseFleetType(fleet, [filter], flags.type);
    const all = await searchFunctions(fleet, [filter], type, text);
    const rows = all.slice(0, rowLimitOf(flags.number, flags));
    if (flags.json === true) return print(jsonText({ valueType: type, functions: rows }));
    if (flags.csv === true) {
      return printCsv(['name', 'module', 'captures', 'hosts', 'releases', 'self', 'total'], rows, [
        `${type.type} in ${type.unit}`,
      ]);
    }
    if (rows.length === 0) return print(`No function contains ${shown(text)}.\n`);
    const number = (cells: readonly (number | string)[]) => ({ cells: cells.map(String), align: 'right' as const });
    const table = fitTable(
      [
        { title: 'SELF', ...number(rows.map(({ self }) => formatValue(self, type.unit))) },
        { title: 'TOTAL', ...number(rows.map(({ total }) => formatValue(total, type.unit))) },
        { title: 'CAPTURES', ...number(rows.map(({ captures }) => captures)), leaves: 1 },
        { title: 'HOSTS', ...number(rows.map(({ hosts }) => hosts)) },
        { title: 'RELEASES', ...number(rows.map(({ releases }) => releases)) },
        { title: 'MODULE', cells: rows.map(({ module }) => shown(module)), leaves: 2 },
        shortened(
          'FUNCTION',
          rows.map(({ name }) => shown(name)),
        ),
      ],
      terminalWidth(),
    );
    const left = all.length - rows.length;
    print([...table, ...(left > 0 ? [`and ${countText(left, 'more function')} (-n 0 shows all)`] : []), ''].join('\n'));
  });
