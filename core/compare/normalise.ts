import { convertUnit, findUnit } from '../units/units.ts';
import { CompareRefusal } from '../model/failure.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { Normalisation } from '../contract/normalisation.ts';
import type { Side } from '../contract/side.ts';
import { replicatesOf, type CaptureFactor, type WeighedCapture } from './measure/capture-facts.ts';
import { compareFacts, type RateEffect } from './compare-facts.ts';
import { isOfOneMoment, isOnCpuTime, isSampleCount } from './measure/value-types.ts';

export interface Normalised {
  readonly kind: Normalisation;
  /** Chosen by the data, not by the user. */
  readonly isDefault: boolean;
  /** `value = weight ÷ seconds`, for display. */
  readonly formula: string;
  /** The divisor of each capture with its unit: `before 1: 30.1 s`. */
  readonly divisors: readonly string[];
  /**
   * Unit of the values: the value type's unit with the suffix `/second`, `/CPU-second`, `/request` or `/run`; or
   * `share`, of 1.
   */
  readonly unit: string;
  readonly before: readonly CaptureFactor[];
  readonly after: readonly CaptureFactor[];
  /** Values are divided by the size factors of their captures, too. */
  readonly isRelative?: true;
  readonly warnings: readonly CompareWarning[];
}

/** The divisor of a weight. Null if the capture does not state it. */
const DIVISORS: Readonly<Record<Normalisation, (capture: WeighedCapture) => number | null>> = {
  raw: () => 1,
  share: ({ total }) => total,
  'per-second': ({ facts }) => facts.durationSeconds,
  'per-cpu-second': ({ facts }) => facts.cpuSeconds,
  'per-request': ({ facts }) => facts.requests,
};

/** What a value is, for display. */
export const FORMULAS: Readonly<Record<Normalisation, string>> = {
  raw: 'weight',
  share: 'weight ÷ total weight of the capture',
  'per-second': 'weight ÷ seconds of the capture',
  'per-cpu-second': 'weight ÷ CPU seconds of the target during the capture (user + system)',
  'per-request': 'weight ÷ requests served during the capture',
};

const MEANS = "each side is the mean of its captures' values; delta = after − before";
const MEANS_OF_RUNS = `captures of one run of the load are one; ${MEANS}`;

const DIVISOR_UNITS: Readonly<Record<Normalisation, string>> = {
  raw: '',
  share: '',
  'per-second': '/second',
  'per-cpu-second': '/CPU-second',
  'per-request': '/request',
};

/** The unit's suffix and the formula if every capture counts as one request: a whole run. */
const PER_RUN = '/run';
const FORMULA_OF_RUNS = 'weight of the run';

const MISSING: Readonly<Record<Normalisation, string>> = {
  raw: '',
  share: '',
  'per-second': 'its duration is unknown',
  'per-cpu-second': 'the CPU time of its target was not recorded, or not for this time range',
  'per-request': 'its number of requests is unknown, or not known for this time range',
};

/**
 * Determines how captures' weights become comparable values. `asked` null selects the default: raw for what exists at
 * one moment; otherwise per request if all captures state their requests, otherwise per second, otherwise share.
 * Throws a CompareRefusal if the result would be meaningless.
 */
export function normalise(
  before: readonly WeighedCapture[],
  after: readonly WeighedCapture[],
  asked: Normalisation | null = null,
): Normalised {
  if (before.length === 0 || after.length === 0) {
    throw new CompareRefusal(`the ${before.length === 0 ? 'before' : 'after'} side has no capture; add one`);
  }
  const all = [...before, ...after];
  const facts = compareFacts(before, after);
  const kind = asked ?? defaultKind(all, facts.rates);
  refuseMeaningless(kind, all, facts.rates);
  const unit = before[0]!.valueType.unit;
  const isOfRuns = kind === 'per-request' && all.every(({ facts: { requests } }) => requests === 1);
  const isByRun = [before, after].some((side) => replicatesOf(side.map((one) => one.facts)).length < side.length);
  const toFactor = (capture: WeighedCapture): CaptureFactor => factorOf(capture, kind, unit);
  return {
    kind,
    isDefault: asked === null,
    formula: `value = ${isOfRuns ? FORMULA_OF_RUNS : FORMULAS[kind]}; ${isByRun ? MEANS_OF_RUNS : MEANS}`,
    divisors:
      kind === 'raw' || isOfRuns ? [] : [...describeAll('before', before, kind), ...describeAll('after', after, kind)],
    unit: kind === 'share' ? 'share' : unit + (isOfRuns ? PER_RUN : DIVISOR_UNITS[kind]),
    before: before.map(toFactor),
    after: after.map(toFactor),
    warnings: [
      ...(kind === 'share'
        ? [{ code: 'shares-move-together', message: 'Shares: a change in one function moves all others.' }]
        : []),
      ...facts.warnings
        .filter(({ kinds }) => kinds.includes(kind))
        .map(({ code, message }): CompareWarning => ({ code, message })),
    ],
  };
}

const knows = (captures: readonly WeighedCapture[], kind: Normalisation): boolean =>
  captures.every((capture) => (DIVISORS[kind](capture) ?? 0) > 0);

function defaultKind(all: readonly WeighedCapture[], rates: RateEffect): Normalisation {
  if (rates === 'counts-differ' || !comparesAbsolutely(all)) return 'share';
  if (all.every(({ valueType }) => isOfOneMoment(valueType))) return 'raw';
  if (knows(all, 'per-request')) return 'per-request';
  if (knows(all, 'per-second')) return 'per-second';
  return all.every(hasShares) ? 'share' : 'raw';
}

/** Returns false if negative weights outweigh the others, so that shares would have the wrong sign or none. */
const hasShares = ({ total, samples }: WeighedCapture): boolean => total > 0 || samples === 0;

/**
 * Returns whether sums are of the same quantity. Between two events' counts (cycles and branches), only shares are
 * comparable.
 */
function comparesAbsolutely(all: readonly WeighedCapture[]): boolean {
  const [{ valueType: first }] = all as [WeighedCapture];
  const dimension = findUnit(first.unit)?.dimension ?? null;
  return all.every(({ valueType }) => {
    if (isSampleCount(valueType) !== isSampleCount(first)) return false;
    if (isSampleCount(first)) return true;
    if (valueType.type === first.type && valueType.unit === first.unit) return true;
    const other = findUnit(valueType.unit)?.dimension ?? null;
    return other !== null && other === dimension && (dimension !== 'count' || valueType.type === first.type);
  });
}

function refuseMeaningless(kind: Normalisation, all: readonly WeighedCapture[], rates: RateEffect): void {
  const lacking = all.find((capture) => DIVISORS[kind](capture) === null);
  if (lacking !== undefined) {
    throw new CompareRefusal(`${kind} can't be computed for ${lacking.facts.name}: ${MISSING[kind]}; use share`);
  }
  const empty = kind === 'share' ? undefined : all.find((capture) => !(DIVISORS[kind](capture)! > 0));
  if (empty !== undefined) {
    const divisor = DIVISORS[kind](empty)!;
    throw new CompareRefusal(
      `${kind} can't be computed for ${empty.facts.name}: it would divide by ${divisor}; use share`,
    );
  }
  if (kind === 'per-cpu-second' && all.some(({ valueType }) => isOnCpuTime(valueType))) {
    throw new CompareRefusal(
      'per-cpu-second is meaningless for CPU time: CPU time per CPU second is always 1; use share or per-second',
    );
  }
  if (kind === 'share') {
    const unshared = all.find((capture) => !hasShares(capture));
    if (unshared === undefined) return;
    throw new CompareRefusal(
      `share can't be computed for ${unshared.facts.name}: its weights add up to ${unshared.total}, since some are negative; use raw`,
    );
  }
  if (!comparesAbsolutely(all)) {
    const names = [...new Set(all.map(({ valueType: { type, unit } }) => `${type}/${unit}`))].join(' and ');
    throw new CompareRefusal(
      `${kind} values of ${names} measure different things; use share, or choose one value type`,
    );
  }
  if (rates === 'counts-differ') {
    throw new CompareRefusal(
      `${kind} counts of samples taken at different rates measure the rate; use share, or a value type in units of time`,
    );
  }
}

/** Converts units of the same dimension to that of the first capture; in shares, units cancel out. */
function factorOf(capture: WeighedCapture, kind: Normalisation, unit: string): CaptureFactor {
  const exposure = DIVISORS[kind](capture)!;
  const isSame = kind === 'share' || capture.valueType.unit === unit || isSampleCount(capture.valueType);
  const scale = isSame ? 1 : convertUnit(1, capture.valueType.unit, unit);
  return { scale, exposure };
}

function describeAll(side: string, captures: readonly WeighedCapture[], kind: Normalisation): string[] {
  return captures.map((capture, place) => `${side} ${place + 1}: ${describeDivisor(capture, kind)}`);
}

function describeDivisor(capture: WeighedCapture, kind: Normalisation): string {
  const divisor = DIVISORS[kind](capture)!;
  switch (kind) {
    case 'raw':
      return '1';
    case 'share':
      return `${divisor} ${capture.valueType.unit}`;
    case 'per-second':
      return `${divisor} s`;
    case 'per-cpu-second':
      return `${divisor} CPU s`;
    case 'per-request':
      return `${divisor} request${divisor === 1 ? '' : 's'}`;
  }
}

/**
 * Returns whether values are of a unit of work, so that load and machine do not change them as a whole. Values per
 * second, and weights of a recorded time, are not, unless captures are complete runs. Shares are relative anyway.
 */
export function hasUnitOfWork(kind: Normalisation, captures: readonly WeighedCapture[]): boolean {
  if (captures.every(({ facts }) => facts.isWholeRun === true)) return true;
  if (kind === 'raw') {
    return captures.some(
      ({ facts, valueType }) => isOfOneMoment(valueType) || facts.durationSeconds === null || facts.durationIsSpan,
    );
  }
  return kind !== 'per-second';
}

/** Divides values by the size factors of their replicates, of which `replicates` has the captures by index. */
export function divideBySizes(
  normalised: Normalised,
  sizes: Readonly<Record<Side, readonly number[]>>,
  replicates: Readonly<Record<Side, readonly (readonly number[])[]>>,
): Normalised {
  const sizesOf = (side: Side): number[] =>
    normalised[side].map((_, place) => sizes[side][replicates[side].findIndex((places) => places.includes(place))]!);
  const own = { before: sizesOf('before'), after: sizesOf('after') };
  const divide = (side: Side): CaptureFactor[] =>
    normalised[side].map(({ scale, exposure }, place) => ({ scale, exposure: exposure * own[side][place]! }));
  const texts = [...own.before, ...own.after].map((size) => `size ${size.toFixed(2)}`);
  return {
    ...normalised,
    isRelative: true,
    formula: normalised.formula.replace(';', ' ÷ its size factor;'),
    divisors: normalised.divisors.map((divisor, place) => `${divisor} × ${texts[place]!}`),
    before: divide('before'),
    after: divide('after'),
  };
}
