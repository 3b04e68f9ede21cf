/** What a unit measures; values convert within a dimension only. */
export type Dimension = 'time' | 'memory' | 'count' | 'frequency';

export interface Unit {
  /** As value types name it: pprof's vocabulary, plural. */
  readonly name: string;
  readonly symbol: string;
  readonly dimension: Dimension;
  /** How many of the dimension's base unit (nanosecond, byte, 1, hertz) one of it is. */
  readonly inBase: number;
  /** Other spellings that inputs use. Compared in lower case. */
  readonly aliases: readonly string[];
}

const KIB = 1024;

/** pprof's `kilobytes` and `kB` are 1024 bytes (internal/measurement), so all spellings of a step mean the 1024-step. */
export const units: readonly Unit[] = [
  unit('nanoseconds', 'ns', 'time', 1, ['nanosecond', 'nsec']),
  unit('microseconds', 'µs', 'time', 1e3, ['microsecond', 'us', 'μs', 'usec']),
  unit('milliseconds', 'ms', 'time', 1e6, ['millisecond', 'msec']),
  unit('seconds', 's', 'time', 1e9, ['second', 'sec']),
  unit('minutes', 'min', 'time', 60e9, ['minute']),
  unit('hours', 'h', 'time', 3600e9, ['hour', 'hrs']),
  unit('days', 'd', 'time', 86400e9, ['day']),
  unit('bytes', 'B', 'memory', 1, ['byte']),
  unit('kibibytes', 'KiB', 'memory', KIB, ['kibibyte', 'kilobytes', 'kilobyte', 'kb']),
  unit('mebibytes', 'MiB', 'memory', KIB ** 2, ['mebibyte', 'megabytes', 'megabyte', 'mb']),
  unit('gibibytes', 'GiB', 'memory', KIB ** 3, ['gibibyte', 'gigabytes', 'gigabyte', 'gb']),
  unit('tebibytes', 'TiB', 'memory', KIB ** 4, ['tebibyte', 'terabytes', 'terabyte', 'tb']),
  unit('pebibytes', 'PiB', 'memory', KIB ** 5, ['pebibyte', 'petabytes', 'petabyte', 'pb']),
  unit('count', '', 'count', 1, ['counts', '']),
  unit('samples', 'samples', 'count', 1, ['sample']),
  unit('hertz', 'Hz', 'frequency', 1, []),
  unit('kilohertz', 'kHz', 'frequency', 1e3, []),
  unit('megahertz', 'MHz', 'frequency', 1e6, []),
  unit('gigahertz', 'GHz', 'frequency', 1e9, []),
];

function unit(name: string, symbol: string, dimension: Dimension, inBase: number, aliases: readonly string[]): Unit {
  return { name, symbol, dimension, inBase, aliases };
}

const byName: ReadonlyMap<string, Unit> = new Map(
  units.flatMap((row) => [row.name, row.symbol.toLowerCase(), ...row.aliases].map((spelling) => [spelling, row])),
);

/** Null for a unit that only the program which wrote it knows (`objects`, `GCU`). */
export function findUnit(name: string): Unit | null {
  return byName.get(name.toLowerCase()) ?? null;
}

/** The value in another unit of the same dimension; a RangeError where there is no way from one to the other. */
export function convertUnit(value: number, from: string, to: string): number {
  if (from === to) return value;
  const source = findUnit(from);
  const goal = findUnit(to);
  if (source === null || goal === null || source.dimension !== goal.dimension) {
    throw new RangeError(`${from} can't be converted to ${to}`);
  }
  // One factor, so that a whole ratio stays exact.
  return source.inBase >= goal.inBase ? value * (source.inBase / goal.inBase) : value / (goal.inBase / source.inBase);
}
