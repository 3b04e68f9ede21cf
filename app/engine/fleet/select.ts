/** Which captures of a fleet. Values of one field are alternatives; fields and labels must all hold. */
export interface FleetFilter {
  readonly service: readonly string[];
  readonly release: readonly string[];
  readonly commit: readonly string[];
  readonly host: readonly string[];
  readonly labels: readonly (readonly [key: string, value: string])[];
  /** Unix milliseconds; `until` is exclusive. */
  readonly since: number | null;
  readonly until: number | null;
}

const COLUMNS = { service: 'service', release: 'release', commit: 'commit_id', host: 'host' } as const;

type Bound = string | number | bigint;

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
  for (const [key, value] of filter.labels) {
    conditions.push(`c.labels[${parameters.add(key)}] = ${parameters.add(value)}`);
  }
  if (filter.since !== null) conditions.push(`c.time >= ${parameters.add(filter.since)}`);
  if (filter.until !== null) conditions.push(`c.time < ${parameters.add(filter.until)}`);
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

/** Like {@link whereOf}, for captures that any of the filters selects. */
export const whereAnyOf = (filters: readonly FleetFilter[], parameters: Parameters): string =>
  `(${filters.map((filter) => `(${whereOf(filter, parameters)})`).join(' OR ')})`;
