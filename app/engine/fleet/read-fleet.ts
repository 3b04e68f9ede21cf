import type { FleetFrame, FleetStack } from '#core/fleet/capture-rows.ts';
import type { WeighedFleetCapture } from '#core/fleet/merge-captures.ts';
import type { MergedSample } from '#core/fleet/merged-profile.ts';
import type { FleetType } from '#core/contract/fleet/replicate.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { EngineFailure } from '../failure.ts';
import type { FleetStore, FleetRow } from './store.ts';
import { nothingSelected, Parameters, whereAnyOf, whereOf, type FleetFilter } from './select.ts';

export type { FleetType };

/**
 * What captures are merged to: one replicate for each host, with those of unknown hosts each on its own; for each minute
 * in which captures started; or one for all.
 */
export type Replicates = 'hosts' | 'minutes' | 'captures' | 'all';

export const MINUTE_MS = 60_000;

const KEYS: Readonly<Record<Replicates, string>> = {
  hosts: "coalesce('h' || c.host, 'c' || c.id)",
  minutes: `'m' || CAST(floor(c.time / ${MINUTE_MS}) AS BIGINT)`,
  captures: "'c' || c.id",
  all: "''",
};

/** A replicate before it is a profile. */
export interface FleetGroup {
  /** The host, the minute since 1970, or the id of the one capture if its host is unknown or captures are kept apart; empty if all are merged. */
  readonly key: string;
  readonly captures: readonly WeighedFleetCapture[];
  readonly samples: readonly MergedSample[];
}

/** Captures as the engine merged them. */
export interface FleetPart {
  readonly groups: readonly FleetGroup[];
  readonly frames: readonly FleetFrame[];
  readonly stacks: readonly FleetStack[];
  /** Captures that lack the value type. */
  readonly without: number;
}

/** Returns the value types of the selected captures, first the one that most of them have as theirs. */
export async function fleetTypes(fleet: FleetStore, filters: readonly FleetFilter[]): Promise<FleetType[]> {
  const parameters = new Parameters();
  const where = whereAnyOf(filters, parameters);
  const rows = await fleet.query(
    `SELECT t.type AS type, t.unit AS unit, count(*) AS captures,
       sum(CASE WHEN c.event = t.type AND c.unit = t.unit THEN 1 ELSE 0 END) AS own
     FROM captures AS c JOIN totals AS t ON t.capture = c.capture
     WHERE ${where} GROUP BY t.type, t.unit ORDER BY own DESC, captures DESC, type, unit`,
    parameters.values,
  );
  return rows.map((row) => ({ type: textOf(row, 'type'), unit: textOf(row, 'unit') }));
}

/**
 * Returns the value type of `wanted` (`type` or `type/unit`), by default the one that most of the captures have as
 * theirs. Throws a failure if no capture is selected, and one that lists the types if none is of that name.
 */
export async function chooseFleetType(
  fleet: FleetStore,
  filters: readonly FleetFilter[],
  wanted: string | undefined,
): Promise<FleetType> {
  const types = await fleetTypes(fleet, filters);
  const found = types.find(({ type, unit }) => wanted === undefined || wanted === `${type}/${unit}` || wanted === type);
  if (found !== undefined) return found;
  if (types.length === 0) throw nothingSelected(fleet, filters);
  throw new EngineFailure(
    'usage',
    `no selected capture has the value type ${wanted}`,
    `they have ${types.map(({ type, unit }) => `${type}/${unit}`).join(', ')}`,
  );
}

/** Reads captures, merged by the engine by replicate, thread name and stack. `withThreads` keeps threads apart. */
export async function readFleetPart(
  fleet: FleetStore,
  filter: FleetFilter,
  { type, unit }: FleetType,
  { replicates, withThreads }: { readonly replicates: Replicates; readonly withThreads: boolean },
): Promise<FleetPart> {
  const ask = (write: (where: string, ofType: (table: string) => string) => string): Promise<FleetRow[]> => {
    const parameters = new Parameters();
    const ofType = (table: string): string =>
      `${table}.type = ${parameters.add(type)} AND ${table}.unit = ${parameters.add(unit)}`;
    return fleet.query(write(whereOf(filter, parameters), ofType), parameters.values);
  };
  const key = KEYS[replicates];
  const thread = withThreads ? 's.thread' : "''";
  const captures = await ask(
    (where, ofType) =>
      `SELECT ${key} AS replicate, c.*, t.weight AS weight, t.samples AS samples, t.period AS period
       FROM captures AS c LEFT JOIN totals AS t ON t.capture = c.capture AND ${ofType('t')}
       WHERE ${where} ORDER BY c.time, c.id`,
  );
  const samples = await ask(
    (where, ofType) =>
      `SELECT ${key} AS replicate, ${thread} AS thread, s.stack AS stack, sum(s.weight) AS weight, sum(s.samples) AS samples
       FROM samples AS s JOIN captures AS c ON c.capture = s.capture WHERE ${where} AND ${ofType('s')}
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );
  // By their ids, because the table of samples is by far the largest, and is read once this way.
  const stacks = await fleet.query(
    'SELECT k.stack AS id, k.frames AS frames FROM stacks AS k WHERE k.stack IN (SELECT unnest($1)) ORDER BY 1',
    [distinct(samples.map((row) => row['stack'] as bigint))],
  );
  const frames = await fleet.query(
    'SELECT f.* FROM frames AS f WHERE f.frame IN (SELECT unnest($1)) ORDER BY f.frame',
    [distinct(stacks.flatMap((row) => row['frames'] as bigint[]))],
  );
  const groups = new Map<string, MutableGroup>();
  let without = 0;
  for (const row of captures) {
    if (row['weight'] === null) without++;
    else groupOf(groups, row).captures.push(captureOf(row));
  }
  for (const row of samples) {
    groupOf(groups, row).samples.push({
      thread: textOf(row, 'thread'),
      stack: row['stack'] as bigint,
      weight: Number(row['weight']),
      samples: Number(row['samples']),
    });
  }
  return {
    groups: [...groups.values()],
    frames: frames.map(frameOf),
    stacks: stacks.map((row) => ({ id: row['id'] as bigint, frames: row['frames'] as bigint[] })),
    without,
  };
}

const distinct = (ids: readonly bigint[]): bigint[] => [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1));

type MutableGroup = { readonly key: string; captures: WeighedFleetCapture[]; samples: MergedSample[] };

function groupOf(groups: Map<string, MutableGroup>, row: FleetRow): MutableGroup {
  const key = textOf(row, 'replicate');
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made: MutableGroup = { key: key.slice(1), captures: [], samples: [] };
  groups.set(key, made);
  return made;
}

const KINDS: ReadonlySet<number> = new Set(Object.values(FunctionKind));

function frameOf(row: FleetRow): FleetFrame {
  const [line, kind] = [Number(row['line']), Number(row['kind'])];
  return {
    id: row['frame'] as bigint,
    func: textOf(row, 'function'),
    module: textOf(row, 'module'),
    file: textOf(row, 'file'),
    // Another program may have written the table.
    line: line < 2 ** 31 ? line : 0,
    kind: KINDS.has(kind) ? (kind as FunctionKind) : FunctionKind.unknown,
  };
}

export function captureOf(row: FleetRow): WeighedFleetCapture {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    time: Number(row['time']),
    host: textOrNull(row, 'host'),
    service: textOf(row, 'service'),
    release: textOf(row, 'release'),
    commit: textOf(row, 'commit_id'),
    labels: new Map(labelPairs(row)),
    event: textOf(row, 'event'),
    unit: textOf(row, 'unit'),
    format: textOf(row, 'format'),
    program: textOrNull(row, 'program'),
    buildId: textOrNull(row, 'build_id'),
    kernel: textOrNull(row, 'kernel'),
    cpus: numberOrNull(row, 'cpus'),
    rateHz: numberOrNull(row, 'rate_hz'),
    seconds: numberOrNull(row, 'seconds'),
    isSpan: row['is_span'] === true,
    cpuSeconds: numberOrNull(row, 'cpu_seconds'),
    requests: numberOrNull(row, 'requests'),
    quality: textOf(row, 'quality'),
    weight: Number(row['weight']),
    samples: Number(row['samples']),
    period: numberOrNull(row, 'period'),
  };
}

export const labelPairs = (row: FleetRow): [key: string, value: string][] =>
  (row['labels'] as { key: string; value: string }[]).map(({ key, value }) => [key, value]);

const textOf = (row: FleetRow, column: string): string => String(row[column]);
const textOrNull = (row: FleetRow, column: string): string | null => (row[column] as string | null) ?? null;

/** Returns null also for NaN and infinity, which nothing here is. */
const numberOrNull = (row: FleetRow, column: string): number | null => {
  const value = row[column];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
