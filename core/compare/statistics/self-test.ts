import type { Comparison } from '../comparison.ts';
import { judgeMetrics, type MeasuredMetrics, type MeasuredPair } from './judge-metrics.ts';
import { LEAST_POOLED_SAMPLES } from './judge.ts';
import { LEAST_REPLICATES, type SideMeasures } from '../measure/measures.ts';

export interface SelfTestOptions {
  /** What is added to a function's weight: 0.1 is 10 %. */
  readonly slowdown: number;
  /** Functions that are slowed down, each by itself; null: the heaviest. */
  readonly functions: readonly number[] | null;
  /** All captures are of one program: differences between the sides are chance, too. False: each side is brought to a common mean first. */
  readonly isOneProgram: boolean;
}

/** What a comparison of the user's own captures with themselves calls, and what of a known slowdown it finds. */
export interface SelfTestReport {
  /** Captures that were split, and those of other hosts that were not. */
  readonly captures: number;
  readonly leftOut: number;
  /** Captures of each half. */
  readonly perSide: number;
  /** Ways in which they were split, and how many there are. */
  readonly partitions: number;
  readonly possible: number;
  readonly slowdown: number;
  /** Partitions in which a function is called grew or shrank, though nothing differs. */
  readonly falseAlarms: number;
  /** Functions that were, most often first. */
  readonly alarming: readonly AlarmingFunction[];
  /** By function that was slowed down, heaviest first. */
  readonly power: readonly FoundSlowdown[];
}

export interface AlarmingFunction {
  /** → functions of the comparison */
  readonly func: number;
  /** Partitions in which its self or total was called grew or shrank. */
  readonly partitions: number;
}

export interface FoundSlowdown {
  /** → functions of the comparison */
  readonly func: number;
  /** Of everything, by self; by total where it has no self. */
  readonly share: number;
  /** Partitions in which it was called grew. */
  readonly found: number;
}

/** Partitions that are tried; with fewer captures there are fewer. */
const MOST_PARTITIONS = 100;
/** Functions that are slowed down at most, and the share from which the heaviest are chosen. */
const MOST_FUNCTIONS = 10;
const LEAST_SHARE = 0.01;
/** False alarms that are named. */
const MOST_ALARMING = 10;

/** Captures that a self-test takes: two halves that can call something. */
export const LEAST_SELF_TEST_CAPTURES = 2 * LEAST_REPLICATES;

/** How many captures could be split: those of the host that has most of them. */
export const selfTestCaptures = ({ metrics }: Pick<Comparison, 'metrics'>): number => usableCaptures(metrics).length;

/**
 * Splits the captures of both sides at random into A and A, and counts what the comparison calls; then does so with one function slowed down
 * in one half, for each function. Null with fewer than {@link LEAST_SELF_TEST_CAPTURES} captures of one host. The same captures give the
 * same report.
 */
export function selfTest(
  { metrics, normalised }: Pick<Comparison, 'metrics' | 'normalised'>,
  { slowdown, functions, isOneProgram }: SelfTestOptions,
): SelfTestReport | null {
  const used = usableCaptures(metrics);
  if (used.length < LEAST_SELF_TEST_CAPTURES) return null;
  const whole = poolPair(metrics.whole, [0], used, isOneProgram);
  const everything = meanOf(whole, 0);
  const asked = new Set(functions);
  const rows = [...Array(metrics.self.before.rows).keys()].filter(
    (row) => asked.has(row) || samplesOf(metrics.total, row, used) >= LEAST_POOLED_SAMPLES,
  );
  const pool = {
    self: poolPair(metrics.self, rows, used, isOneProgram),
    total: poolPair(metrics.total, rows, used, isOneProgram),
    whole,
  };
  const shares = rows.map((_, row) => (meanOf(pool.self, row) || meanOf(pool.total, row)) / everything);
  const slowed = [...rows.keys()]
    .filter((row) => (functions === null ? meanOf(pool.self, row) >= LEAST_SHARE * everything : asked.has(rows[row]!)))
    .sort((a, b) => shares[b]! - shares[a]! || a - b)
    .slice(0, MOST_FUNCTIONS);
  const perSide = used.length >> 1;
  const { partitions, possible } = drawPartitions(used.length, perSide, seedOf(whole));
  const alarms = new Map<number, number>();
  const found = new Map<number, number>(slowed.map((row) => [row, 0]));
  let falseAlarms = 0;
  for (const { before, after } of partitions) {
    const called = judgeMetrics(splitPool(pool, before, after));
    const alarming = rows.flatMap((_, row) => (isCalled(called, row) ? [row] : []));
    if (alarming.length > 0) falseAlarms += 1;
    for (const row of alarming) alarms.set(row, (alarms.get(row) ?? 0) + 1);
    for (const row of slowed) {
      const { self, total } = judgeMetrics(
        slowDown(splitPool(pool, before, after), row, 1 + slowdown, normalised.kind === 'share'),
      );
      if (self[row]!.verdict === 'grew' || total[row]!.verdict === 'grew') found.set(row, found.get(row)! + 1);
    }
  }
  return {
    captures: used.length,
    leftOut: metrics.self.before.captures.length + metrics.self.after.captures.length - used.length,
    perSide,
    partitions: partitions.length,
    possible,
    slowdown,
    falseAlarms,
    alarming: [...alarms]
      .sort(([a, times], [b, others]) => others - times || a - b)
      .slice(0, MOST_ALARMING)
      .map(([row, times]) => ({ func: rows[row]!, partitions: times })),
    power: slowed.map((row) => ({ func: rows[row]!, share: shares[row]!, found: found.get(row)! })),
  };
}

type Judged = ReturnType<typeof judgeMetrics>;

const isCalled = ({ self, total }: Judged, row: number): boolean =>
  [self[row]!, total[row]!].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank');

/** Of both sides in a row, places of the captures of the host that has most; hosts are no replicates of each other. */
function usableCaptures({ self: { before, after } }: MeasuredMetrics): number[] {
  const captures = [...before.captures, ...after.captures];
  const known = new Set(captures.flatMap(({ host }) => host ?? []));
  if (known.size < 2) return [...captures.keys()];
  const byHost = Map.groupBy(captures.keys(), (place) => captures[place]!.host);
  return [...byHost.values()].reduce((most, places) => (places.length > most.length ? places : most));
}

/** Tables of row × captures, of whatever a side tells of its rows. */
function mapTables<T>(tables: T, change: (table: Float64Array) => Float64Array): T {
  if (tables instanceof Float64Array) return change(tables) as T;
  if (typeof tables !== 'object' || tables === null) return tables;
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, mapTables(table, change)])) as T;
}

/** The rows of both sides as one side. Where the sides may differ, each is scaled to the mean of both; a row that one of them lacks is zero. */
function poolPair(
  { before, after }: MeasuredPair,
  rows: readonly number[],
  used: readonly number[],
  isOneProgram: boolean,
): SideMeasures {
  const scales = rows.map((row) => {
    if (isOneProgram) return [1, 1] as const;
    const [one, other] = [meanOf(before, row), meanOf(after, row)];
    const middle = (one + other) / 2;
    return one === 0 || other === 0 ? ([0, 0] as const) : ([middle / one, middle / other] as const);
  });
  const scaled = [before, after].map((side, place) => {
    const by = (power: number): ((table: Float64Array) => Float64Array) => {
      const captures = side.captures.length;
      return (table) =>
        Float64Array.from({ length: rows.length * captures }, (_, at) => {
          const row = Math.floor(at / captures);
          return table[rows[row]! * captures + (at % captures)]! * scales[row]![place]! ** power;
        });
    };
    const isKept = by(0);
    const { rows: _, captures, value, samples, ...variances } = side;
    return {
      rows: rows.length,
      captures,
      value: by(1)(value),
      // 0 ** 0 is 1: rows that are left out have no samples either.
      samples: isKept(samples).map((count, at) => (scales[Math.floor(at / captures.length)]![place] === 0 ? 0 : count)),
      ...mapTables(variances, by(2)),
    };
  }) as [SideMeasures, SideMeasures];
  return pick(joinSides(...scaled), used);
}

/** The captures of one side behind those of the other. */
function joinSides(one: SideMeasures, other: SideMeasures): SideMeasures {
  const [first, second] = [one.captures.length, other.captures.length];
  const all = first + second;
  const join = (a: unknown, b: unknown): unknown => {
    if (a instanceof Float64Array && b instanceof Float64Array) {
      return Float64Array.from({ length: one.rows * all }, (_, at) => {
        const [row, capture] = [Math.floor(at / all), at % all];
        return capture < first ? a[row * first + capture]! : b[row * second + capture - first]!;
      });
    }
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return null;
    return Object.fromEntries(Object.keys(a).map((name) => [name, join(a[name as never], b[name as never])]));
  };
  const { rows, captures, ...tables } = one;
  const { rows: _rows, captures: others, ...otherTables } = other;
  return { rows, captures: [...captures, ...others], ...(join(tables, otherTables) as typeof tables) };
}

function meanOf({ value, captures }: SideMeasures, row: number): number {
  const first = row * captures.length;
  let sum = 0;
  for (let at = first; at < first + captures.length; at++) sum += value[at]!;
  return sum / captures.length;
}

function samplesOf({ before, after }: MeasuredPair, row: number, used: readonly number[]): number {
  const first = before.captures.length;
  return used.reduce(
    (sum, place) =>
      sum +
      (place < first
        ? before.samples[row * first + place]!
        : after.samples[row * after.captures.length + place - first]!),
    0,
  );
}

function splitPool(
  { self, total, whole }: Readonly<Record<keyof MeasuredMetrics, SideMeasures>>,
  before: readonly number[],
  after: readonly number[],
): MeasuredMetrics {
  const split = (pool: SideMeasures): MeasuredPair => ({ before: pick(pool, before), after: pick(pool, after) });
  return { self: split(self), total: split(total), whole: split(whole) };
}

function pick({ rows, captures, ...tables }: SideMeasures, chosen: readonly number[]): SideMeasures {
  const pickOf = (table: Float64Array): Float64Array =>
    Float64Array.from(
      { length: rows * chosen.length },
      (_, at) => table[Math.floor(at / chosen.length) * captures.length + chosen[at % chosen.length]!]!,
    );
  return { rows, captures: chosen.map((place) => captures[place]!), ...mapTables(tables, pickOf) };
}

/**
 * The after half with one function's weight multiplied, and everything's grown by as much; of shares, everything stays 1 and all others
 * shrink.
 */
function slowDown(metrics: MeasuredMetrics, row: number, factor: number, isShare: boolean): MeasuredMetrics {
  const { self, total, whole } = metrics;
  const captures = self.after.captures.length;
  const added = Array.from(
    { length: captures },
    (_, place) => total.after.value[row * captures + place]! * (factor - 1),
  );
  // As many more samples; what they vary grows as they do.
  const grow = (side: SideMeasures): SideMeasures => {
    const { rows, captures: own, ...tables } = side;
    const grown = (table: Float64Array): Float64Array =>
      table.map((value, at) => (Math.floor(at / captures) === row ? value * factor : value));
    return divideShares({ rows, captures: own, ...mapTables(tables, grown) });
  };
  const divideShares = (side: SideMeasures): SideMeasures => {
    if (!isShare) return side;
    const divided = side.value.map((value, at) => value / (1 + added[at % captures]!));
    return { ...side, value: divided };
  };
  const wholeAfter = isShare ? whole.after.value : whole.after.value.map((value, place) => value + added[place]!);
  return {
    self: { before: self.before, after: grow(self.after) },
    total: { before: total.before, after: grow(total.after) },
    whole: { before: whole.before, after: { ...whole.after, value: wholeAfter } },
  };
}

interface Partition {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Draws that give up on finding another partition. */
const MOST_DRAWS = 20 * MOST_PARTITIONS;

/** Distinct ways to split captures into two halves, whichever is called before; of an odd number, one is left out each time. */
function drawPartitions(
  captures: number,
  perSide: number,
  seed: number,
): { partitions: Partition[]; possible: number } {
  const halves = binomial(2 * perSide, perSide) / 2;
  const possible = halves * (captures === 2 * perSide ? 1 : captures);
  const random = randomFrom(seed);
  const found = new Map<string, Partition>();
  for (let draw = 0; draw < MOST_DRAWS && found.size < Math.min(MOST_PARTITIONS, possible); draw++) {
    const order = shuffled(captures, random);
    const before = order.slice(0, perSide).sort((a, b) => a - b);
    const after = order.slice(perSide, 2 * perSide).sort((a, b) => a - b);
    const key = [before.join(), after.join()].sort().join(';');
    if (!found.has(key)) found.set(key, { before, after });
  }
  return { partitions: [...found.values()], possible };
}

function binomial(all: number, chosen: number): number {
  let ways = 1;
  for (let place = 1; place <= chosen; place++) ways = (ways * (all - chosen + place)) / place;
  return Math.round(ways);
}

function shuffled(length: number, random: () => number): number[] {
  const order = [...Array(length).keys()];
  for (let place = length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1));
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}

/** From the captures' weights, whichever side they are on. */
function seedOf({ value }: SideMeasures): number {
  let hash = 2_166_136_261;
  for (const byte of new Uint8Array(Float64Array.from(value).sort().buffer)) hash = Math.imul(hash ^ byte, 16_777_619);
  return hash >>> 0;
}

/** mulberry32 (T. Ettinger, public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
