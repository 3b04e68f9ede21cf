import { diagnostic, type Diagnostic } from '../model/diagnostics.ts';
import { malformed, type ImportFailure } from '../model/failure.ts';
import type { Profile, ProfileMetadata, ValueType } from '../model/profile.ts';
import { convertUnit, findUnit } from '../units/units.ts';

/** Beyond what a 64-bit counter holds; in nanoseconds 292 years. */
const MAX = 2 ** 63;
/** Beyond any sum of such numbers: 30 million years of nanoseconds. */
const MAX_SUM = 1e24;
/** The last moment of JavaScript's dates, in nanoseconds since 1970. */
const MAX_WALL_NS = 8_640_000_000_000_000n * 1_000_000n;

/**
 * Judges the numbers of a profile that an importer made, whatever its format. Throws an ImportFailure (`malformed`) if
 * weights add up to more than {@link MAX_SUM}. Weights beyond 2^63 (292 years), and negative ones unless `isDifference`
 * allows them, give the warning `impossible-numbers`, which lowers the grade; so do times, durations and rates that
 * can't be, which become unknown. Negative weights that are allowed are mentioned.
 */
export function judgeNumbers(profile: Profile, isDifference: boolean): Profile {
  const { samples, metadata } = profile;
  /** Numbers of samples, in the column that has most. */
  let [negative, excessive] = [0, 0];
  for (const [column, weights] of samples.weights.entries()) {
    const type = profile.valueTypes.find((one) => one.column === column);
    const scale =
      type === undefined || findUnit(type.unit)?.dimension !== 'time' ? 1 : convertUnit(1, type.unit, 'nanoseconds');
    let [sum, below, beyond] = [0, 0, 0];
    for (let row = 0; row < weights.length; row++) {
      const weight = weights[row]!;
      sum += Math.abs(weight);
      if (weight < 0) below += 1;
      if (Math.abs(weight) * scale > MAX) beyond += 1;
    }
    if (!(sum * scale <= MAX_SUM)) throw excessiveSum(sum, type);
    negative = Math.max(negative, below);
    excessive = Math.max(excessive, beyond);
  }
  const time = samples.time === null ? null : judgeTimes(samples.time);
  const facts = judgeFacts(metadata);
  const found = [
    negative === 0
      ? null
      : isDifference
        ? differenceOf(negative)
        : impossible(negative, 'Samples have negative weights, which this format never has.'),
    excessive === 0 ? null : impossible(excessive, 'Samples weigh more than 2^63, or 292 years.'),
    time === null || time.count === 0
      ? null
      : impossible(time.count, 'Samples have times beyond 292 years; they are shown without a time.'),
    facts.names.length === 0
      ? null
      : impossible(facts.names.length, `The file states an impossible ${facts.names.join(' and ')}; it is ignored.`),
  ];
  // Native files have those of their first import.
  const known = new Set(profile.diagnostics.map(({ code }) => code));
  return {
    ...profile,
    samples: time === null || time.count === 0 ? samples : { ...samples, time: time.times },
    metadata: facts.metadata,
    diagnostics: [
      ...profile.diagnostics,
      ...found.filter((one) => one !== null && !known.has(one.code)),
    ] as Diagnostic[],
  };
}

const excessiveSum = (sum: number, type: ValueType | undefined): ImportFailure =>
  malformed(
    `the weights ${type === undefined ? '' : `of ${type.type.slice(0, 80)} `}add up to ${sum.toPrecision(3)} ${type?.unit.slice(0, 80) ?? ''}, which can’t be; the file is damaged, record again`,
  );

function judgeTimes(given: Float64Array): { times: Float64Array; count: number } {
  let count = 0;
  for (const time of given) if (Math.abs(time) > MAX) count += 1;
  return { times: count === 0 ? given : given.map((time) => (Math.abs(time) > MAX ? Number.NaN : time)), count };
}

/** Returns the facts without those that can't be, and the names of the latter. */
function judgeFacts(metadata: ProfileMetadata): { metadata: ProfileMetadata; names: string[] } {
  const { durationNs, rateHz, period, startTime, cpuCount } = metadata;
  const isAmount = (value: number | undefined | null): boolean =>
    value === null || value === undefined || (value >= 0 && value <= MAX);
  const wrong: Partial<Record<keyof ProfileMetadata, string>> = {
    ...(isAmount(durationNs) ? {} : { durationNs: 'duration' }),
    ...(isAmount(rateHz) ? {} : { rateHz: 'sampling rate' }),
    ...(isAmount(period?.value) ? {} : { period: 'period' }),
    ...(isAmount(cpuCount) ? {} : { cpuCount: 'number of CPUs' }),
    ...(startTime === null || (startTime >= 0n && startTime <= MAX_WALL_NS) ? {} : { startTime: 'start' }),
  };
  const unknown = Object.fromEntries(Object.keys(wrong).map((name) => [name, null]));
  return { metadata: { ...metadata, ...unknown }, names: Object.values(wrong) };
}

const impossible = (count: number, message: string): Diagnostic =>
  diagnostic('impossible-numbers', message, { count, remedy: 'Check the tool that wrote the file, or record again.' });

const differenceOf = (count: number): Diagnostic =>
  diagnostic(
    'negative-weights',
    'Samples have negative weights: the profile is a difference, or counts what was released.',
    { severity: 'info', count },
  );
