import type { Command } from 'commander';
import { listFleetCaptures, listReleases } from '#app/engine/fleet/list-fleet.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { countText } from '#core/units/format.ts';
import { printCsv } from '../output/csv-rows.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { jsonText } from '../output/json-text.ts';
import { print, terminalWidth } from '../output/terminal.ts';
import { withFleet, type OpenedFleet } from './with-fleet.ts';

interface ListFlags {
  readonly captures?: true;
  readonly json?: true;
  readonly csv?: true;
}

/** Characters of an id that a list shows. */
export const SHORT_ID = 12;

export const list = (command: Command): Promise<void> =>
  withFleet<ListFlags, void>(command, (opened) =>
    opened.flags.captures === true ? printCaptures(opened) : printReleases(opened),
  );

async function printReleases({ fleet, filter, flags }: OpenedFleet<ListFlags>): Promise<void> {
  const releases = await listReleases(fleet, filter);
  const rows = releases.map((one) => ({ ...one, first: isoTime(one.first), last: isoTime(one.last) }));
  if (flags.json === true) return print(jsonText({ releases: rows }));
  if (flags.csv === true) {
    return printCsv(['service', 'release', 'hosts', 'captures', 'samples', 'first', 'last'], rows);
  }
  if (rows.length === 0) return print('No captures.\n');
  const number = (cells: readonly number[]) => ({ cells: cells.map(String), align: 'right' as const });
  const table = fitTable(
    [
      { title: 'SERVICE', cells: rows.map(({ service }) => shown(service)), leaves: 3 },
      shortened(
        'RELEASE',
        rows.map(({ release }) => shown(release)),
      ),
      { title: 'HOSTS', ...number(rows.map(({ hosts }) => hosts)) },
      { title: 'CAPTURES', ...number(rows.map(({ captures }) => captures)) },
      { title: 'SAMPLES', ...number(rows.map(({ samples }) => samples)), leaves: 2 },
      { title: 'FIRST', cells: rows.map(({ first }) => first), leaves: 1 },
    ],
    terminalWidth(),
  );
  print([...table, ''].join('\n'));
}

async function printCaptures({ fleet, filter, flags }: OpenedFleet<ListFlags>): Promise<void> {
  const captures = await listFleetCaptures(fleet, filter);
  const rows = captures.map((one) => ({
    ...one,
    time: isoTime(one.time),
    labels: [...one.labels].map(([key, value]) => `${key}=${value}`).join(', '),
  }));
  if (flags.json === true) {
    return print(
      jsonText({
        captures: captures.map((one, place) => ({ ...one, ...rows[place], labels: Object.fromEntries(one.labels) })),
      }),
    );
  }
  if (flags.csv === true) {
    return printCsv(
      ['id', 'time', 'host', 'service', 'release', 'commit', 'labels', 'event', 'samples', 'quality', 'name'],
      rows,
    );
  }
  if (rows.length === 0) return print('No captures.\n');
  const table = fitTable(
    [
      { title: 'ID', cells: rows.map(({ id }) => shown(id.slice(0, SHORT_ID))) },
      { title: 'TIME', cells: rows.map(({ time }) => time), leaves: 3 },
      { title: 'HOST', cells: rows.map(({ host }) => shown(host ?? '–')) },
      { title: 'RELEASE', cells: rows.map(({ release }) => shown(release)) },
      { title: 'SAMPLES', cells: rows.map(({ samples }) => String(samples)), align: 'right', leaves: 1 },
      { title: 'GRADE', cells: rows.map(({ quality }) => shown(quality)), leaves: 2 },
      shortened(
        'NAME',
        rows.map(({ name }) => shown(name)),
      ),
    ],
    terminalWidth(),
  );
  print([...table, countText(rows.length, 'capture'), ''].join('\n'));
}

/** Returns a time in ISO 8601; as a number if no calendar has it. */
export const isoTime = (time: number): string =>
  Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time);

/** Longest name that a table shows; JSON and CSV have all of it. */
const LONGEST = 200;

/** Returns a text on one line, without what a terminal would obey. */
export const shown = (text: string): string => {
  const line = escapeControls(text.slice(0, LONGEST)).replaceAll('\n', ' ');
  return text.length > LONGEST ? `${line}…` : line;
};
