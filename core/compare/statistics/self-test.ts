import { isChange } from './judge.ts';
import type { Normalisation } from '../../contract/normalisation.ts';
import { judgeBySize, type SizedMetrics } from './judge-by-size.ts';
import type { JudgedMetrics, MeasuredMetrics, MeasuredPair } from './judge-metrics.ts';
import { designComparison, LEAST_REPLICATES, type SideMeasures } from '../measure/measures.ts';
import { mapTables, pickCaptures } from '../measure/pick-captures.ts';

export interface SelfTestOptions {
  /** Added to a function's weight: 0.1 is 10 %. */
  readonly slowdown: number;
  /** Functions to slow down, one at a time; null: the heaviest. */
  readonly functions: readonly number[] | null;
  /**
   * All captures are of one program, so that differences between the sides are chance, too. False: each side is first
   * scaled to a common mean.
   */
  readonly isOneProgram: boolean;
}

/** What a comparison of the user's own captures with themselves reports, and how often it finds a known slowdown. */
export interface SelfTestReport {
  /** Number of captures that were split, and of those on other hosts that were not. */
  readonly captures: number;
  readonly leftOut: number;
  /** Captures per half. */
  readonly perSide: number;
  /** Number of ways in which they were split, and the number of possible ways. */
  readonly partitions: number;
  readonly possible: number;
  readonly slowdown: number;
  /** Number of partitions in which some function is reported as grew or shrank although nothing differs. */
  readonly falseAlarms: number;
  /** The functions reported, most frequent first. */
  readonly alarming: readonly AlarmingFunction[];
  /** By function that was slowed down, heaviest first. */
  readonly power: readonly FoundSlowdown[];
}

interface AlarmingFunction {
  /** → functions of the comparison */
  readonly func: number;
  /** Number of partitions in which its self or total was reported as grew or shrank. */
  readonly partitions: number;
}

interface FoundSlowdown {
  /** → functions of the comparison */
  readonly func: number;
  /** Share of the whole by self; by total if it has no self. */
  readonly share: number;
  /** Number of partitions in which it was reported as grew. */
  readonly found: number;
}

/** Maximum number of partitions that are tried. */
const MOST_PARTITIONS = 100;
/** Maximum number of functions that are slowed down, and the minimum share for the automatic choice. */
const MOST_FUNCTIONS = 10;
const LEAST_SHARE = 0.01;
/** Maximum number of falsely reported functions that are named. */
const MOST_ALARMING = 10;

/** Minimum number of captures for a self-test: two halves that can have a verdict. */
export const LEAST_SELF_TEST_CAPTURES = 2 * LEAST_REPLICATES;

/** Returns the number of captures that can be split: those of the host with the most captures. */
export const selfTestCaptures = ({ metrics }: Pick<SizedMetrics, 'metrics'>): number => usableCaptures(metrics).length;

/**
 * Splits the captures of both sides at random into A and A and counts what the comparison reports; then repeats this
 * for each function, with the function slowed down in one half. Null with fewer than {@link LEAST_SELF_TEST_CAPTURES}
 * captures of one host. The same captures always give the same report.
 */
export function selfTest(
  {
    metrics,
    normalised,
    sizes,
  }: Pick<SizedMetrics, 'metrics' | 'sizes'> & { readonly normalised: { readonly kind: Normalisation } },
  { slowdown, functions, isOneProgram }: SelfTestOptions,
): SelfTestReport | null {
  const hasUnitOfWork = sizes === null;
  const used = usableCaptures(metrics);
  if (used.length < LEAST_SELF_TEST_CAPTURES) return null;
  const whole = poolPair(metrics.whole, [0], used, isOneProgram);
  const everything = meanOf(whole, 0);
  const asked = new Set(functions);
  const { leastSamples } = designComparison(metrics.total.before.captures, metrics.total.after.captures);
  const rows = [...Array(metrics.self.before.rows).keys()].filter(
    (row) => asked.has(row) || samplesOf(metrics.total, row, used) >= leastSamples,
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
    const called = judgeBySize(splitPool(pool, before, after), hasUnitOfWork);
    const alarming = rows.flatMap((_, row) => (isCalled(called, row) ? [row] : []));
    if (alarming.length > 0) falseAlarms += 1;
    for (const row of alarming) alarms.set(row, (alarms.get(row) ?? 0) + 1);
    for (const row of slowed) {
      const { self, total } = judgeBySize(
        slowDown(splitPool(pool, before, after), row, 1 + slowdown, normalised.kind === 'share'),
        hasUnitOfWork,
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

const isCalled = ({ self, total }: JudgedMetrics, row: number): boolean =>
  [self[row]!, total[row]!].some(({ verdict }) => isChange(verdict));

/**
 * Returns the indices, counting both sides consecutively, of the captures of the host with the most captures; different
 * hosts are not replicates of each other.
 */
function usableCaptures({ self: { before, after } }: MeasuredMetrics): number[] {
  const captures = [...before.captures, ...after.captures];
  const known = new Set(captures.flatMap(({ host }) => host ?? []));
  if (known.size < 2) return [...captures.keys()];
  const byHost = Map.groupBy(captures.keys(), (place) => captures[place]!.host);
  return [...byHost.values()].reduce((most, places) => (places.length > most.length ? places : most));
}

/**
 * Combines the used captures' rows of both sides into one side. If the sides may differ, each is scaled to the mean of
 * both; rows that one of them lacks become zero.
 */
function poolPair(
  { before, after }: MeasuredPair,
  rows: readonly number[],
  used: readonly number[],
  isOneProgram: boolean,
): SideMeasures {
  const first = before.captures.length;
  const usedBefore = used.filter((place) => place < first);
  const usedAfter = used.filter((place) => place >= first).map((place) => place - first);
  const isOneSide = usedBefore.length === 0 || usedAfter.length === 0;
  const scales = rows.map((row) => {
    if (isOneProgram || isOneSide) return [1, 1] as const;
    const [one, other] = [meanOf(before, row, usedBefore), meanOf(after, row, usedAfter)];
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
      // 0 ** 0 is 1, so rows that are left out also need their samples removed.
      samples: isKept(samples).map((count, at) => (scales[Math.floor(at / captures.length)]![place] === 0 ? 0 : count)),
      ...mapTables(variances, by(2)),
    };
  }) as [SideMeasures, SideMeasures];
  return pickCaptures(joinSides(...scaled), used);
}

/** Appends the captures of one side to those of the other. */
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

function meanOf({ value, captures }: SideMeasures, row: number, places: Iterable<number> = captures.keys()): number {
  let sum = 0;
  let count = 0;
  for (const place of places) {
    sum += value[row * captures.length + place]!;
    count += 1;
  }
  return sum / count;
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
  const split = (pool: SideMeasures): MeasuredPair => ({
    before: pickCaptures(pool, before),
    after: pickCaptures(pool, after),
  });
  return { self: split(self), total: split(total), whole: split(whole) };
}

/**
 * Multiplies one function's weight in the after half and grows the whole by the same amount; with shares, the whole
 * stays 1 and all others shrink.
 */
function slowDown(metrics: MeasuredMetrics, row: number, factor: number, isShare: boolean): MeasuredMetrics {
  const { self, total, whole } = metrics;
  const captures = self.after.captures.length;
  const added = Array.from(
    { length: captures },
    (_, place) => total.after.value[row * captures + place]! * (factor - 1),
  );
  // Samples grow in proportion, and so does their variation.
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

/** Number of draws after which the search for another partition gives up. */
const MOST_DRAWS = 20 * MOST_PARTITIONS;

/**
 * Draws distinct ways to split captures into two halves, regardless of which half is before; if their number is odd,
 * one is left out each time.
 */
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

/** Derives the seed from the captures' weights, regardless of their side. */
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
