import { MAX_VITALS, type RunSeries } from '../../contract/load/result.ts';
import { OTHER_SERIES } from '../vitals.ts';

/** Values of a source at one time. */
export interface SeriesReading {
  /** Unix epoch milliseconds of the machine that runs the sweep. */
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Maximum number of series of one source. */
export const MAX_OTHER_SERIES = 40;
/** UTF-16 units of a series' name that are kept; a longer one ends in a digest of the whole. */
const MAX_NAME = 150;

/** A source's series during a run, and how many more it had. */
export interface SeriesOfRun {
  readonly vitals: RunSeries;
  readonly leftOut: number;
  /** Negative values, which are left out. */
  readonly negative: number;
}

/** Returns a source's series between two times, with at most `most` readings; null without a reading. */
export function seriesOfRun(
  name: string,
  readings: readonly SeriesReading[],
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): SeriesOfRun | null {
  const all = readings.filter(({ at }) => at >= from && at <= to);
  const each = Math.max(1, Math.ceil(all.length / Math.min(most, MAX_VITALS)));
  const kept = all.filter((_, place) => place % each === 0);
  const names = [...new Set(kept.flatMap(({ values }) => [...values.keys()]))];
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_OTHER_SERIES);
  let negative = 0;
  const positive = (value: number | undefined): number | null => {
    if (value !== undefined && value < 0) negative += 1;
    return value === undefined || value < 0 ? null : value;
  };
  const vitals = {
    name: name.slice(0, 100),
    pid: null,
    at: kept.map(({ at }) => Math.round(at - from) / 1000),
    series: shown.map((one) => ({
      id: `${OTHER_SERIES}${shortName(one)}`,
      values: kept.map(({ values }) => positive(values.get(one))),
    })),
  };
  return { vitals, leftOut: names.length - shown.length, negative };
}

/** Returns the name, or its beginning and a digest, so that long names that begin alike remain distinct. */
const shortName = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - DIGEST_DIGITS - 1)}…${digestOf(name)}`;

const DIGEST_DIGITS = 16;

/** Returns the 64-bit FNV-1a hash of the text's UTF-16 units, in hexadecimal. */
function digestOf(text: string): string {
  let state = 0xcbf2_9ce4_8422_2325n;
  for (let place = 0; place < text.length; place++) {
    state = BigInt.asUintN(64, (state ^ BigInt(text.charCodeAt(place))) * 0x100_0000_01b3n);
  }
  return state.toString(16).padStart(DIGEST_DIGITS, '0');
}
