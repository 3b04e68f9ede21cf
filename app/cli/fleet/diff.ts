import type { Command } from 'commander';
import { carriersOf, resolveFunctionName, type Carrier } from '#app/engine/fleet/find-function.ts';
import { chooseFleetType, type FleetType, type Replicates } from '#app/engine/fleet/read-fleet.ts';
import type { FleetStore } from '#app/engine/fleet/store.ts';
import { isOfOneMoment } from '#core/compare/measure/value-types.ts';
import { formatShare } from '#core/units/format.ts';
import { reportSides } from '../diff/diff.ts';
import { readDiffRequest } from '../diff/options.ts';
import { ExitCode } from '../command.ts';
import { usageError } from '../errors.ts';
import { rowLimitOf, takesOnly } from '../option-values.ts';
import { printCsv } from '../output/csv-rows.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { jsonText } from '../output/json-text.ts';
import { print, terminalWidth } from '../output/terminal.ts';
import { SHORT_ID, isoTime, shown } from './list.ts';
import { readSide } from './options.ts';
import type { SideFilters } from '#app/engine/fleet/sides.ts';
import { readDiffSides } from './sides.ts';
import { withFleet } from './with-fleet.ts';
import { SIDES, type Side } from '#core/contract/side.ts';

interface DiffFlags {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly captures?: string;
  readonly replicates: Replicates;
  readonly json?: true;
  readonly csv?: true;
  readonly top?: number;
}

/** What the list of captures takes: the captures, and how it is printed. */
const LISTING_OPTIONS =
  'captures before after in login service release commit host label id since until type top json csv'.split(' ');

export const diff = (command: Command): Promise<ExitCode> =>
  withFleet<DiffFlags, ExitCode>(command, async ({ fleet, filter, flags }) => {
    if (flags.captures !== undefined) takesOnly(command, '--captures', LISTING_OPTIONS);
    const sides: SideFilters = {
      before: readSide('--before', flags.before ?? [], filter),
      after: readSide('--after', flags.after ?? [], filter),
    };
    const type = await chooseFleetType(fleet, [sides.before, sides.after], flags.type);
    if (flags.captures !== undefined) {
      await printCarriers(fleet, sides, type, flags.captures, flags);
      return ExitCode.ok;
    }
    const request = { ...readDiffRequest(command), before: [], after: [], types: NO_TYPES };
    if (request.normalisation === 'raw' && !isOfOneMoment({ ...type, event: -1, column: 0 })) {
      throw usageError(
        '--normalize raw compares sums that depend on how many captures were pushed',
        'use share, per-second, per-cpu-second or per-request',
      );
    }
    return reportSides(request, await readDiffSides(fleet, sides, type, flags.replicates));
  });

const NO_TYPES = { before: undefined, after: undefined };

/** A capture of a side by a function's share. */
interface CarrierRow extends Carrier {
  readonly side: Side;
}

/** Prints which captures carry a function's delta: those of both sides, by its share. */
async function printCarriers(
  fleet: FleetStore,
  sides: SideFilters,
  type: FleetType,
  wanted: string,
  flags: DiffFlags,
): Promise<void> {
  const name = await resolveFunctionName(fleet, [sides.before, sides.after], type, wanted);
  const rows: CarrierRow[] = [];
  for (const side of SIDES) {
    for (const one of await carriersOf(fleet, sides[side], type, name)) rows.push({ side, ...one });
  }
  rows.sort((a, b) => b.total / b.whole - a.total / a.whole);
  const printed = rows.slice(0, rowLimitOf(flags.top, flags));
  if (flags.json === true) {
    print(jsonText({ function: name, valueType: type, captures: printed.map(plainRow) }));
  } else if (flags.csv === true) {
    const notes = [`${name}, ${type.type} in ${type.unit}`];
    printCsv(['side', 'host', 'release', 'time', 'id', 'name', 'self', 'total', 'whole'], printed.map(plainRow), notes);
  } else {
    print(`${shown(name)}: captures by share of ${type.type}\n\n${carrierTable(printed)}`);
    if (rows.length > printed.length) print(`and ${rows.length - printed.length} more captures (-n 0 shows all)\n`);
  }
}

const plainRow = ({ time, ...row }: CarrierRow) => ({ ...row, time: isoTime(time) });

function carrierTable(rows: readonly CarrierRow[]): string {
  const share = (of: (row: CarrierRow) => number) => ({
    cells: rows.map((row) => formatShare(of(row), row.whole)),
    align: 'right' as const,
  });
  const table = fitTable(
    [
      { title: 'SELF', ...share(({ self }) => self) },
      { title: 'TOTAL', ...share(({ total }) => total) },
      { title: 'SIDE', cells: rows.map(({ side }) => side) },
      { title: 'HOST', cells: rows.map(({ host }) => shown(host ?? '–')) },
      { title: 'RELEASE', cells: rows.map(({ release }) => shown(release)), leaves: 2 },
      { title: 'ID', cells: rows.map(({ id }) => shown(id.slice(0, SHORT_ID))), leaves: 1 },
      shortened(
        'NAME',
        rows.map((row) => shown(row.name)),
      ),
    ],
    terminalWidth(),
  );
  return [...table, ''].join('\n');
}
