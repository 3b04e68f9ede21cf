import type { DeepReadonly } from '#core/contract/deep-readonly.ts';
import type * as contract from '#core/contract/fleet/replicate.ts';
import { EngineFailure } from '../failure.ts';
import { UNREADABLE_INPUT } from '../files/file-source.ts';
import type { Bound, FleetStore } from './store.ts';

/** Which captures of a fleet. Values of one field are alternatives; fields and labels must all hold. */
export type FleetFilter = DeepReadonly<contract.FleetFilter>;

const COLUMNS = { service: 'service', release: 'release', commit: 'commit_id', host: 'host' } as const;

/** Values that a statement refers to as `$1`, `$2`…. */
export class Parameters {
  readonly values: Bound[] = [];

  /** Returns the text that stands for the value. */
  add(value: Bound): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Returns the condition on rows of `captures AS c`. Only names of columns and parameters are in its text. */
export function whereOf(filter: FleetFilter, parameters: Parameters): string {
  const conditions: string[] = [];
  for (const [field, column] of Object.entries(COLUMNS) as [keyof typeof COLUMNS, string][]) {
    const values = filter[field].map((value) => parameters.add(value));
    if (values.length > 0) conditions.push(`c.${column} IN (${values.join(', ')})`);
  }
  const ids = filter.capture.map((id) => `starts_with(c.id, ${parameters.add(id)})`);
  if (ids.length > 0) conditions.push(`(${ids.join(' OR ')})`);
  for (const [key, value] of filter.labels) {
    // Of a key that a map lacks, ClickHouse returns an empty text.
    const name = parameters.add(key);
    conditions.push(`map_contains(c.labels, ${name}) AND c.labels[${name}] = ${parameters.add(value)}`);
  }
  if (filter.since !== null) conditions.push(`c.time >= ${parameters.add(filter.since)}`);
  if (filter.until !== null) conditions.push(`c.time < ${parameters.add(filter.until)}`);
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

/** Like {@link whereOf}, for captures that any of the filters selects. */
export const whereAnyOf = (filters: readonly FleetFilter[], parameters: Parameters): string =>
  `(${filters.map((filter) => `(${whereOf(filter, parameters)})`).join(' OR ')})`;

const NAMED = ['service', 'release', 'commit', 'host', 'capture'] as const;

/** Describes which captures a filter selects: `release 1.4.2, host web-1`; `all captures` without a condition. */
export function describeFilter({ labels, since, until, ...fields }: FleetFilter): string {
  const named = NAMED.flatMap((field) =>
    fields[field].length === 0 ? [] : [`${field} ${fields[field].join(' or ')}`],
  );
  const times = [
    ...(since === null ? [] : [`since ${new Date(since).toISOString()}`]),
    ...(until === null ? [] : [`until ${new Date(until).toISOString()}`]),
  ];
  const parts = [...named, ...labels.map(([key, value]) => `${key}=${value}`), ...times];
  return parts.length === 0 ? 'all captures' : parts.join(', ');
}

export const nothingSelected = (fleet: FleetStore, filters: readonly FleetFilter[]): EngineFailure =>
  new EngineFailure(
    UNREADABLE_INPUT,
    `${fleet.name} has no captures of: ${filters.map(describeFilter).join('; ')}`,
    'flamebench fleet list shows what it has',
  );
