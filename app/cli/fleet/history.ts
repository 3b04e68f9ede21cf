import type { Command } from 'commander';
import { carriersOf, theFunction } from '#app/engine/fleet/find-function.ts';
import { listReleases } from '#app/engine/fleet/list-fleet.ts';
import type { FleetType } from '#app/engine/fleet/read-fleet.ts';
import type { FleetFile } from '#app/engine/fleet/duckdb.ts';
import type { FleetFilter } from '#app/engine/fleet/select.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import { rankFunctions } from '#core/compare/rank-functions.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { judgementText, maybeReason, runCounts } from '#core/compare/verdict-words.ts';
import { formatShare } from '#core/units/format.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { printCsv } from '../output/csv-rows.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { jsonText } from '../output/json-text.ts';
import { print, showProgress, terminalWidth } from '../output/terminal.ts';
import { isoTime, shown } from './list.ts';
import { readFleetSides } from './sides.ts';
import { typeOf, withFleet } from './with-fleet.ts';

interface HistoryFlags {
  readonly sort: Metric;
  readonly json?: true;
  readonly csv?: true;
}

/** A release with what the function weighs in it. */
interface HistoryRow {
  readonly release: string;
  readonly first: string;
  readonly hosts: number;
  readonly captures: number;
  /** Mean over hosts of the function's share of the host's weight, 0 to 1; null if no capture has weight. */
  readonly self: number | null;
  readonly total: number | null;
  /** Against the release before; null for the first one, and where neither has the function. */
  readonly verdict: string | null;
  readonly p: number | null;
  /** The verdict as a table shows it. */
  readonly text: string;
}

/** Prints a function's share by release, each judged against the release before. */
export const history = (command: Command): Promise<void> =>
  withFleet<HistoryFlags, void>(command, async ({ fleet, filter, flags }) => {
    const type = await typeOf(fleet, [filter], flags.type);
    const name = await theFunction(fleet, [filter], type, command.args[0]!);
    const rows = await historyOf(fleet, filter, type, name, flags.sort);
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
    const answer =
      grew === null ? `No release is known to have made ${flags.sort} grow.` : `First grew in ${shown(grew.release)}.`;
    print(`${shown(name)}: share of ${type.type} by release\n\n${historyTable(rows)}\n${answer}\n`);
  });

async function historyOf(
  fleet: FleetFile,
  filter: FleetFilter,
  type: FleetType,
  name: string,
  metric: Metric,
): Promise<HistoryRow[]> {
  const listed = await listReleases(fleet, filter);
  const services = new Set(listed.map(({ service }) => service));
  if (services.size > 1) {
    throw usageError(
      `releases of ${services.size} services: ${[...services].map((one) => shown(one) || '(none)').join(', ')}`,
      'add --service NAME',
    );
  }
  if (listed.length < 2) throw usageError('a history needs captures of two releases', 'fleet push takes --release');
  const rows: HistoryRow[] = [];
  for (const [place, { release, first, captures }] of listed.entries()) {
    showProgress(`comparing release ${place + 1} of ${listed.length}`);
    const own = { ...filter, release: [release] };
    const before = listed[place - 1];
    const judged =
      before === undefined
        ? null
        : await judge(fleet, { ...filter, release: [before.release] }, own, type, name, metric);
    const { hosts, self, total } = await meanShares(fleet, own, type, name);
    rows.push({
      release,
      first: isoTime(first),
      hosts,
      captures,
      self,
      total,
      verdict: judged?.judgement.withheld ?? judged?.judgement.verdict ?? null,
      p: judged?.judgement.p ?? null,
      text: judged === null ? '' : judgementText(judged.judgement, judged.reason),
    });
  }
  showProgress('');
  return rows;
}

/** Compares two releases, with hosts as replicates; null if neither has the function. */
async function judge(
  fleet: FleetFile,
  before: FleetFilter,
  after: FleetFilter,
  type: FleetType,
  name: string,
  metric: Metric,
): Promise<{ readonly judgement: Judgement; readonly reason: string | null } | null> {
  const sides = await readFleetSides(fleet, { before, after }, type, 'hosts');
  const comparison = await compareFunctions(sides.before, sides.after, {
    normalisation: 'share',
    patterns: createLimitedPatternRunner(() => 'a rule'),
  });
  // Of several functions of one name, the one that changed most certainly.
  const row = rankFunctions(comparison, metric).find((one) => one.name === name);
  const reason = maybeReason(comparison.design, runCounts(comparison.design));
  return row === undefined ? null : { judgement: row[metric], reason };
}

/** Returns the mean over hosts of the function's share. Captures of unknown hosts count as a host each. */
async function meanShares(fleet: FleetFile, filter: FleetFilter, type: FleetType, name: string) {
  const hosts = new Map<string, { self: number; total: number; whole: number }>();
  for (const { id, host, self, total, whole } of await carriersOf(fleet, filter, type, name)) {
    const key = host === null ? `c${id}` : `h${host}`;
    const sum = hosts.get(key) ?? { self: 0, total: 0, whole: 0 };
    hosts.set(key, { self: sum.self + self, total: sum.total + total, whole: sum.whole + whole });
  }
  const mean = (of: 'self' | 'total'): number | null =>
    hosts.size === 0 ? null : [...hosts.values()].reduce((sum, one) => sum + one[of] / one.whole, 0) / hosts.size;
  return { hosts: hosts.size, self: mean('self'), total: mean('total') };
}

function historyTable(rows: readonly HistoryRow[]): string {
  const share = (of: (row: HistoryRow) => number | null) => ({
    cells: rows.map((row) => (of(row) === null ? '–' : formatShare(of(row)!, 1))),
    align: 'right' as const,
  });
  const number = (of: (row: HistoryRow) => number) => ({
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
