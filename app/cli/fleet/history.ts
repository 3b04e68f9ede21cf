import type { Command } from 'commander';
import { resolveFunctionName } from '#app/engine/fleet/find-function.ts';
import { historyOf, type HistoryRow } from '#app/engine/fleet/history.ts';
import { chooseFleetType } from '#app/engine/fleet/read-fleet.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import { firstGrewText } from '#core/fleet/first-grew.ts';
import { formatShare } from '#core/units/format.ts';
import { printCsv } from '../output/csv-rows.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { jsonText } from '../output/json-text.ts';
import { print, showProgress, terminalWidth } from '../output/terminal.ts';
import { isoTime, shown } from './list.ts';
import { withFleet } from './with-fleet.ts';

interface HistoryFlags {
  readonly sort: Metric;
  readonly replicates: 'hosts' | 'minutes';
  readonly json?: true;
  readonly csv?: true;
}

type ShownRow = Omit<HistoryRow, 'first'> & { readonly first: string };

/** Prints a function's share by release, each judged against the release before. */
export const history = (command: Command): Promise<void> =>
  withFleet<HistoryFlags, void>(command, async ({ fleet, filter, flags }) => {
    const type = await chooseFleetType(fleet, [filter], flags.type);
    const name = await resolveFunctionName(fleet, [filter], type, command.args[0]!);
    const found = await historyOf(fleet, filter, type, name, flags.sort, flags.replicates, (number, of) =>
      showProgress(`comparing release ${number} of ${of}`),
    ).finally(() => showProgress(''));
    const rows = found.map((row) => ({ ...row, first: isoTime(row.first) }));
    const grew = rows.find(({ verdict }) => verdict === 'grew') ?? null;
    if (flags.json === true) {
      const releases = rows.map((row) => ({ ...row, text: undefined }));
      return print(
        jsonText({ function: name, valueType: type, metric: flags.sort, firstGrew: grew?.release ?? null, releases }),
      );
    }
    if (flags.csv === true) {
      const notes = [`${name}, ${type.type} in ${type.unit}, verdicts of ${flags.sort} against the release before`];
      return printCsv(['release', 'first', 'hosts', 'captures', 'self', 'total', 'verdict', 'p'], rows, notes);
    }
    const answer = firstGrewText(grew === null ? null : shown(grew.release), flags.sort);
    print(`${shown(name)}: share of ${type.type} by release\n\n${historyTable(rows)}\n${answer}\n`);
  });

function historyTable(rows: readonly ShownRow[]): string {
  const share = (of: (row: ShownRow) => number | null) => ({
    cells: rows.map((row) => (of(row) === null ? '–' : formatShare(of(row)!, 1))),
    align: 'right' as const,
  });
  const number = (of: (row: ShownRow) => number) => ({
    cells: rows.map((row) => String(of(row))),
    align: 'right' as const,
  });
  const table = fitTable(
    [
      shortened(
        'RELEASE',
        rows.map(({ release }) => shown(release) || '(none)'),
      ),
      { title: 'FIRST', cells: rows.map(({ first }) => first), leaves: 1 },
      { title: 'HOSTS', ...number(({ hosts }) => hosts) },
      { title: 'CAPTURES', ...number(({ captures }) => captures), leaves: 2 },
      { title: 'SELF', ...share(({ self }) => self) },
      { title: 'TOTAL', ...share(({ total }) => total) },
      { title: 'VERDICT', cells: rows.map(({ text }) => text) },
    ],
    terminalWidth(),
  );
  return [...table, ''].join('\n');
}
