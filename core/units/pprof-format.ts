/**
 * Formats numbers as `go tool pprof` prints them (internal/measurement of github.com/google/pprof), so that its columns
 * can be compared digit by digit. Everything else uses format.ts.
 */

interface ScaledUnit {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly factor: number;
}

interface UnitFamily {
  readonly units: readonly ScaledUnit[];
  readonly base: ScaledUnit;
}

const family = (base: ScaledUnit, ...units: [name: string, factor: number, ...aliases: string[]][]): UnitFamily => ({
  units: units.map(([name, factor, ...aliases]) => ({ name, factor, aliases })),
  base,
});

const FAMILIES: readonly UnitFamily[] = [
  family(
    { name: 'B', aliases: [], factor: 1 },
    ['B', 1, 'b', 'byte'],
    ['kB', 2 ** 10, 'kb', 'kbyte', 'kilobyte'],
    ['MB', 2 ** 20, 'mb', 'mbyte', 'megabyte'],
    ['GB', 2 ** 30, 'gb', 'gbyte', 'gigabyte'],
    ['TB', 2 ** 40, 'tb', 'tbyte', 'terabyte'],
    ['PB', 2 ** 50, 'pb', 'pbyte', 'petabyte'],
  ),
  family(
    { name: 's', aliases: [], factor: 1e9 },
    ['ns', 1, 'ns', 'nanosecond'],
    ['us', 1e3, 'μs', 'us', 'microsecond'],
    ['ms', 1e6, 'ms', 'millisecond'],
    ['s', 1e9, 's', 'sec', 'second'],
    ['hrs', 3600e9, 'hour', 'hr'],
  ),
];

const UNITLESS: ReadonlySet<string> = new Set(['count', 'sample', 'unit', 'minimum', 'auto']);

const isAuto = (unit: string): boolean => unit === 'minimum' || unit === 'auto';

interface ScaledValue {
  readonly value: number;
  /** Empty if pprof prints none. */
  readonly unit: string;
}

/** Converts a value to another unit; `auto` selects the largest unit in which it is at least 1. */
export function scaleValue(value: number, from: string, to: string): ScaledValue {
  if (value < 0) {
    const positive = scaleValue(-value, from, to);
    return { value: -positive.value, unit: positive.unit };
  }
  for (const { units, base } of FAMILIES) {
    const source = findUnit(units, from);
    if (source === undefined) continue;
    const inBase = value * source.factor;
    const target = isAuto(to) ? largestUnit(units, inBase) : findUnit(units, to);
    const { factor, name } = target ?? base;
    return { value: inBase / factor, unit: name };
  }
  return { value, unit: UNITLESS.has(to) ? '' : to };
}

function findUnit(units: readonly ScaledUnit[], wanted: string): ScaledUnit | undefined {
  const lower = wanted.toLowerCase();
  const alias = lower.length > 2 && lower.endsWith('s') ? lower.slice(0, -1) : lower;
  return units.find(({ aliases }) => aliases.includes(alias));
}

const largestUnit = (units: readonly ScaledUnit[], value: number): ScaledUnit | undefined =>
  units.findLast(({ factor }) => value / factor >= 1);

/** Returns `1.12kB`, `30ms`, `96.3%`, `0`; at most two decimals; pprof has `96.3percent`. `to` is a unit or `auto`. */
export function pprofValue(value: number, from: string, to = 'auto'): string {
  const scaled = scaleValue(value, from, to);
  const text = fixedHalfEven(scaled.value, 2).replace(/\.00$/, '');
  return text === '0' || text === '-0' ? '0' : text + (scaled.unit === 'percent' ? '%' : scaled.unit);
}

/** Returns the absolute value as a share of `total`, six columns wide: ` 54.06%`, `  100%`, ` 0.05%`, `    0%`. */
export function pprofShare(value: number, total: number): string {
  const ratio = total === 0 ? 0 : Math.abs(value / total) * 100;
  if (ratio >= 99.95 && ratio <= 100.05) return '  100%';
  return `${(ratio >= 1 ? fixedHalfEven(ratio, 2) : twoDigits(ratio)).padStart(5)}%`;
}

/**
 * Returns the unit in which pprof prints all weights of a table: that of the smallest weight, or a larger one in which
 * the smallest is still at least 0.01. `smallest` is the smallest self weight other than 0 (for rows without one, their
 * total); 0 if there is none.
 */
export function pprofTableUnit(smallest: number, largest: number, unit: string): string {
  const least = smallest === 0 ? largest : smallest;
  const leastUnit = scaleValue(least, unit, 'auto').unit;
  const larger = leastUnit !== scaleValue(largest, unit, 'auto').unit && least * 100 < largest;
  return (larger ? scaleValue(100 * least, unit, 'auto').unit : leastUnit) || unit;
}

/** Like Go's `%.2g`: two significant digits, without trailing zeros. */
function twoDigits(value: number): string {
  if (value === 0) return '0';
  const places = 1 - Math.floor(Math.log10(value));
  const [plain, rounded] = [fixedHalfEven(value, Math.min(places, 60)), Number(value.toExponential(1))];
  if (rounded < 1e-4) return rounded.toExponential().replace(/e-(\d)$/, 'e-0$1');
  return plain.replace(/\.?0+$/, '');
}

/** Like Go's `%.Nf`: rounds half to even, where JavaScript rounds half up. */
function fixedHalfEven(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const exact = Math.abs(value).toFixed(Math.min(100, digits + 30));
  const cut = exact.length - (Math.min(100, digits + 30) - digits);
  if (!/^50*$/.test(exact.slice(cut))) return text;
  const below = exact.slice(0, cut);
  return Number(below.at(-1)) % 2 === 0 ? `${value < 0 ? '-' : ''}${below}` : text;
}
