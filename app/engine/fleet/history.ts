import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { rankFunctions } from '#core/compare/rank-functions.ts';
import type { Judgement, Metric } from '#core/compare/statistics/judge.ts';
import { judgementText, maybeReason, runCounts } from '#core/compare/verdict-words.ts';
import { EngineFailure } from '../failure.ts';
import { comparedSides } from './compared-sides.ts';
import type { FleetStore } from './store.ts';
import { carriersOf } from './find-function.ts';
import { listReleases } from './list-fleet.ts';
import type { FleetType, Replicates } from './read-fleet.ts';
import type { FleetFilter } from './select.ts';
import { readFleetSides } from './sides.ts';

/** A release with what the function weighs in it. */
export interface HistoryRow {
  readonly release: string;
  /** Unix milliseconds of its first capture. */
  readonly first: number;
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

/** Returns a function's share by release, each judged against the release before. */
export async function historyOf(
  fleet: FleetStore,
  filter: FleetFilter,
  type: FleetType,
  name: string,
  metric: Metric,
  replicates: Replicates,
  onRelease: (number: number, of: number) => void = () => undefined,
): Promise<HistoryRow[]> {
  const listed = await listReleases(fleet, filter);
  const services = new Set(listed.map(({ service }) => service));
  if (services.size > 1) {
    const names = [...services].slice(0, MOST_NAMED).map((one) => one || '(none)');
    throw new EngineFailure(
      'usage',
      `releases of ${services.size} services: ${names.join(', ')}${services.size > MOST_NAMED ? ', …' : ''}`,
      'select one service (--service NAME)',
    );
  }
  if (listed.length < 2) {
    throw new EngineFailure('usage', 'a history needs captures of two releases', 'fleet push takes --release');
  }
  const rows: HistoryRow[] = [];
  for (const [place, { release, first, captures }] of listed.entries()) {
    onRelease(place + 1, listed.length);
    const own = { ...filter, release: [release] };
    const before = listed[place - 1];
    const judged =
      before === undefined
        ? null
        : await judge(fleet, { ...filter, release: [before.release] }, own, type, name, metric, replicates);
    const { hosts, self, total } = await meanShares(fleet, own, type, name);
    rows.push({
      release,
      first,
      hosts,
      captures,
      self,
      total,
      verdict: judged?.judgement.withheld ?? judged?.judgement.verdict ?? null,
      p: judged?.judgement.p ?? null,
      text: judged === null ? '' : judgementText(judged.judgement, judged.reason),
    });
  }
  return rows;
}

const MOST_NAMED = 10;

/** Compares two releases; null if neither has the function. */
async function judge(
  fleet: FleetStore,
  before: FleetFilter,
  after: FleetFilter,
  type: FleetType,
  name: string,
  metric: Metric,
  replicates: Replicates,
): Promise<{ readonly judgement: Judgement; readonly reason: string | null } | null> {
  const read = await readFleetSides(fleet, { before, after }, type, { replicates, withThreads: false });
  const sides = comparedSides(read, type);
  const comparison = await compareFunctions(sides.before, sides.after, {
    normalisation: 'share',
    patterns: patternsHere,
  });
  // Of several functions of one name, the one that changed most certainly.
  const row = rankFunctions(comparison, metric).find((one) => one.name === name);
  const reason = maybeReason(comparison.design, runCounts(comparison.design));
  return row === undefined ? null : { judgement: row[metric], reason };
}

/** Returns the mean over hosts of the function's share. Captures of unknown hosts count as a host each. */
async function meanShares(fleet: FleetStore, filter: FleetFilter, type: FleetType, name: string) {
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
