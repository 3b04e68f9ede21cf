/** The quantity that a unit measures; values convert only within a dimension. */
export type Dimension = 'time' | 'memory' | 'count' | 'frequency';

export interface Unit {
  /** As in value types: pprof's vocabulary, plural. */
  readonly name: string;
  readonly symbol: string;
  /** The symbol after 1: `1 sample`; else equal to `symbol`. */
  readonly singular: string;
  readonly dimension: Dimension;
  /** Size in the dimension's base unit (nanosecond, byte, 1, hertz). */
  readonly inBase: number;
  /** Other spellings that inputs use. Compared in lower case. */
  readonly aliases: readonly string[];
}

const KIB = 1024;

/** pprof's `kilobytes` and `kB` are 1024 bytes (internal/measurement), so all spellings of a step use 1024. */
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
  { ...unit('samples', 'samples', 'count', 1, ['sample']), singular: 'sample' },
  unit('hertz', 'Hz', 'frequency', 1, []),
  unit('kilohertz', 'kHz', 'frequency', 1e3, []),
  unit('megahertz', 'MHz', 'frequency', 1e6, []),
  unit('gigahertz', 'GHz', 'frequency', 1e9, []),
];

function unit(name: string, symbol: string, dimension: Dimension, inBase: number, aliases: readonly string[]): Unit {
  return { name, symbol, singular: symbol, dimension, inBase, aliases };
}

const byName: ReadonlyMap<string, Unit> = new Map(
  units.flatMap((row) => [row.name, row.symbol.toLowerCase(), ...row.aliases].map((spelling) => [spelling, row])),
);

/** Returns null for a unit that only the program that wrote it knows (`objects`, `GCU`). */
export function findUnit(name: string): Unit | null {
  return byName.get(name.toLowerCase()) ?? null;
}

/** Converts the value to another unit of the same dimension; throws a RangeError if they do not convert. */
export function convertUnit(value: number, from: string, to: string): number {
  if (from === to) return value;
  const source = findUnit(from);
  const goal = findUnit(to);
  if (source === null || goal === null || source.dimension !== goal.dimension) {
    throw new RangeError(`${from} can't be converted to ${to}`);
  }
  // Uses a single factor, so that an integer ratio stays exact.
  return source.inBase >= goal.inBase ? value * (source.inBase / goal.inBase) : value / (goal.inBase / source.inBase);
}
