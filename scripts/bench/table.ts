/** One measurement. */
export interface BenchRow {
  readonly what: string;
  /** The median if there were several runs. */
  readonly found: string;
  /** The required value; null if there is none. */
  readonly limit: string | null;
  /** Null if there is no limit, or if the tool for comparison is absent. */
  readonly holds: boolean | null;
  /** How it was measured, or which tool is absent. */
  readonly note: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns a row for a duration with an upper limit, both in seconds. */
export function secondsRow(what: string, seconds: number, limit: number | null, note: string): BenchRow {
  return {
    what,
    found: `${seconds.toFixed(2)} s`,
    limit: limit === null ? null : `≤ ${limit.toFixed(2)} s`,
    holds: limit === null ? null : seconds <= limit,
    note,
  };
}

/** Returns a row for a duration with an upper limit, both in milliseconds. */
export function msRow(what: string, ms: number, limit: number | null, note: string): BenchRow {
  return numberRow(what, ms, limit, 'ms', note);
}

/** Returns a row for memory with an upper limit, both in megabytes (10^6 bytes). */
export function memoryRow(what: string, megabytes: number, limit: number | null, note: string): BenchRow {
  return numberRow(what, megabytes, limit, 'MB', note);
}

export function numberRow(what: string, value: number, limit: number | null, unit: string, note: string): BenchRow {
  return {
    what,
    found: `${value.toFixed(0)} ${unit}`,
    limit: limit === null ? null : `≤ ${limit} ${unit}`,
    holds: limit === null ? null : value <= limit,
    note,
  };
}

/** Returns a row for what could not be measured. */
export function absentRow(what: string, reason: string): BenchRow {
  return { what, found: '–', limit: null, holds: null, note: reason };
}

/** Returns the rows as text in aligned columns. */
export function benchTable(rows: readonly BenchRow[]): string {
  const verdict = ({ holds }: BenchRow): string => (holds === null ? '' : holds ? 'ok' : 'OVER');
  const cells = rows.map((row) => [row.what, row.found, row.limit ?? '', verdict(row), row.note]);
  const all = [['what', 'found', 'limit', '', 'how'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((cell) => cell[column]?.length ?? 0)));
  return all
    .map((cell) =>
      cell
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
