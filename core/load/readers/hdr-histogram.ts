import { inflate } from '../../import/unpack/inflate.ts';
import { MAX_KEPT_BYTES, UnwrapMeter } from '../../import/unpack/unwrap-meter.ts';
import { ImportFailure } from '../../model/failure.ts';
import { describeCounted, type CountedLatency } from '../answers/describe-latencies.ts';
import { latencyAt, NO_LATENCY, type LoadResult, type RunSeries } from '../../contract/load/result.ts';
import { malformed, numberOf, tidy, type LoadReader } from './reader.ts';

const resultOf = (
  latency: LoadResult['latency'],
  requests: number,
  seconds: number | null,
  notes: string[],
): LoadResult => ({
  tool: 'hdr',
  target: null,
  concurrency: null,
  seconds,
  requests,
  qps: seconds === null || seconds <= 0 ? null : tidy(requests / seconds),
  success: null,
  errors: [],
  bytes: null,
  latency,
  notes,
});

/** The percentile distribution that HdrHistogram, wrk2 and `vegeta report -type=hdrplot` print; values in ms. */
export const hdrTextReader: LoadReader = {
  tool: 'hdr',
  read(text) {
    const lines = text.split('\n');
    const start = lines.findIndex((line) => /^[ \t]*Value(?:\(ms\))?\s+Percentile/.test(line));
    const rows = lines.slice(start + 1).flatMap((line) => {
      const [value, percentile, count] = line.trim().split(/\s+/).map(numberOf);
      return typeof value !== 'number' || typeof percentile !== 'number' || typeof count !== 'number'
        ? []
        : [{ seconds: tidy(value / 1000), percentile, count }];
    });
    const total = rows.at(-1)?.count ?? 0;
    if (rows.length === 0) throw malformed('the percentile distribution has no rows', start + 1);
    if (rows.at(-1)!.percentile < 0.999) throw malformed('the percentile distribution ends early', lines.length);
    let below = 0;
    const values: CountedLatency[] = rows.flatMap(({ seconds, count }) => {
      const own = count - below;
      below = count;
      return own > 0 ? [{ seconds, count: own }] : [];
    });
    const mean = numberOf(/^#\[Mean\s+=\s+([\d.]+),/m.exec(text)?.[1]);
    const counted = describeCounted(values);
    return [
      resultOf(
        { ...counted, mean: mean === null ? null : tidy(mean / 1000), deviation: null, min: rows[0]!.seconds },
        total,
        null,
        ['The values are taken as milliseconds.', 'The distribution has no duration and no errors.'],
      ),
    ];
  },
};

/** An HdrHistogram log: the interval histograms of all lines together. */
export const hdrLogReader: LoadReader = {
  tool: 'hdr',
  read(text) {
    const counts = new Map<number, Counted>();
    let seconds = 0;
    let unit: number | null = null;
    const intervals: Interval[] = [];
    const meter = new UnwrapMeter({
      what: 'the HdrHistogram log',
      remedy: '; check where it comes from',
      maxBytes: MAX_KEPT_BYTES,
    });
    for (const [place, line] of text.split('\n').entries()) {
      if (line === '' || line.startsWith('#') || line.startsWith('"')) continue;
      const cells = line.replace(/^Tag=[^,]*,/, '').split(',');
      const [start, length, shownMax] = [numberOf(cells[0]), numberOf(cells[1]), numberOf(cells[2])];
      if (cells.length !== 4 || length === null || shownMax === null) {
        throw malformed('not an interval of an HdrHistogram log: start, length, maximum, histogram', place + 1);
      }
      const values = decodeHistogram(cells[3]!, place + 1, meter);
      const max = values.at(-1)?.highest ?? 0;
      for (const one of values) {
        counts.set(one.highest, { ...one, count: one.count + (counts.get(one.highest)?.count ?? 0) });
      }
      // The log shows the maximum in ms, so its ratio to the recorded one is the unit of the values.
      if (unit === null && max > 0 && shownMax > 0) unit = nearestUnit(shownMax / 1000 / max);
      seconds += length;
      intervals.push({ start, length, values });
    }
    if (intervals.length === 0) throw malformed('the HdrHistogram log has no intervals');
    const scale = unit ?? 1e-9;
    const values = [...counts.values()]
      .sort((a, b) => a.highest - b.highest)
      .map(({ highest, middle, count }) => ({ seconds: tidy(highest * scale), middle: tidy(middle * scale), count }));
    const total = values.reduce((sum, { count }) => sum + count, 0);
    const result = resultOf(
      total === 0 ? NO_LATENCY : describeCounted(values),
      total,
      seconds > 0 ? tidy(seconds) : null,
      [`${intervals.length} intervals, all tags together; values are in ${UNIT_NAMES.get(scale) ?? 'ns'}.`],
    );
    const overTime = intervalsOverTime(intervals, scale);
    return [overTime === null ? result : { ...result, overTime }];
  },
};

/** One line of a log. */
interface Interval {
  readonly start: number | null;
  /** Seconds. */
  readonly length: number;
  readonly values: readonly Counted[];
}

/** Maximum number of intervals that are kept; more are joined. */
const MAX_INTERVALS = 120;

/** Returns the intervals as series; null if they overlap, as those of several tags do, or have no times. */
function intervalsOverTime(intervals: readonly Interval[], scale: number): RunSeries | null {
  const first = intervals[0]!.start;
  const isRow = intervals.every(({ start, length }, place) => {
    const before = intervals[place - 1];
    return start !== null && length > 0 && (before === undefined || start >= before.start! + before.length * 0.9);
  });
  if (!isRow || first === null) return null;
  const size = Math.ceil(intervals.length / MAX_INTERVALS);
  const groups = Array.from({ length: Math.ceil(intervals.length / size) }, (_, place) =>
    intervals.slice(place * size, (place + 1) * size),
  );
  const known = groups.map((group) => {
    const values = group.flatMap((one) => one.values).sort((a, b) => a.highest - b.highest);
    const count = values.reduce((sum, one) => sum + one.count, 0);
    const length = group.reduce((sum, one) => sum + one.length, 0);
    const latency = describeCounted(
      values.map(({ highest, count: own }) => ({ seconds: highest * scale, count: own })),
    );
    return { at: group[0]!.start! - first, rate: count / length, latency };
  });
  const percentile = (percent: number) => known.map(({ latency }) => latencyAt(latency, percent));
  return {
    name: 'HdrHistogram',
    pid: null,
    at: known.map(({ at }) => tidy(at)),
    series: [
      { id: 'answers', values: known.map(({ rate }) => tidy(rate)) },
      { id: 'p50', values: percentile(50) },
      { id: 'p99', values: percentile(99) },
    ],
  };
}

const UNIT_NAMES: ReadonlyMap<number, string> = new Map([
  [1e-9, 'ns'],
  [1e-6, 'µs'],
  [1e-3, 'ms'],
]);

const nearestUnit = (ratio: number): number =>
  [...UNIT_NAMES.keys()].reduce((best, one) =>
    Math.abs(Math.log(one / ratio)) < Math.abs(Math.log(best / ratio)) ? one : best,
  );

const COMPRESSED_V2 = 0x1c849304;
const V2 = 0x1c849303;
/** The cookies' bits that hold the word size, unused in version 2. */
const COOKIE_MASK = 0xff_ff_ff_0f;
const HEADER_BYTES = 40;
/** 5 significant digits of up to 2^63: more counts than that are not HdrHistogram's. */
const MAX_COUNTS = 1 << 24;

/** A range of values that the histogram does not distinguish. */
interface Counted {
  readonly highest: number;
  readonly middle: number;
  readonly count: number;
}

/**
 * Decodes the base64 text of a compressed histogram, encoding version 2: a zlib stream of a 40-byte header and counts
 * as ZigZag LEB128, of which negative ones are runs of zeros. Source: HdrHistogram's AbstractHistogram.java.
 */
function decodeHistogram(base64: string, line: number, meter: UnwrapMeter): Counted[] {
  try {
    const packed = fromBase64(base64);
    const outer = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    if ((outer.getUint32(0) & COOKIE_MASK) >>> 0 !== (COMPRESSED_V2 & COOKIE_MASK) >>> 0)
      throw malformed('not encoding version 2', line);
    const length = outer.getUint32(4);
    const bytes = inflate(packed.subarray(8, 8 + length), 'zlib', meter, 'the histogram');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if ((view.getUint32(0) & COOKIE_MASK) >>> 0 !== (V2 & COOKIE_MASK) >>> 0)
      throw malformed('not encoding version 2', line);
    const payload = view.getUint32(4);
    const digits = view.getUint32(12);
    const lowest = Number(view.getBigInt64(16));
    if (digits > 5 || lowest < 1) throw malformed('an impossible precision', line);
    return decodeCounts(bytes.subarray(HEADER_BYTES, HEADER_BYTES + payload), digits, lowest);
  } catch (error) {
    if (error instanceof ImportFailure && error.failure === 'too-large') throw error;
    throw malformed(
      'a histogram of this HdrHistogram log can’t be decoded: truncated, or not encoding version 2',
      line,
    );
  }
}

function decodeCounts(payload: Uint8Array, digits: number, lowest: number): Counted[] {
  const halfMagnitude = Math.max(0, Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  const half = 2 ** halfMagnitude;
  const unitMagnitude = Math.floor(Math.log2(lowest));
  const values: Counted[] = [];
  let index = 0;
  for (let at = 0; at < payload.length;) {
    let coded = 0n;
    let shift = 0n;
    for (let byte = 0x80; (byte & 0x80) !== 0 && shift < 64n; shift += shift === 56n ? 8n : 7n) {
      if (at >= payload.length) throw new RangeError('truncated');
      byte = payload[at++]!;
      // The ninth byte holds 8 bits.
      coded |= BigInt(shift === 56n ? byte : byte & 0x7f) << shift;
    }
    const count = Number((coded >> 1n) ^ -(coded & 1n));
    if (count < 0) {
      index -= count;
    } else {
      if (count > 0) {
        const first = Math.floor(index / half) - 1;
        const bucket = Math.max(0, first);
        const sub = first < 0 ? index : (index % half) + half;
        const size = 2 ** (bucket + unitMagnitude);
        values.push({ highest: sub * size + size - 1, middle: sub * size + Math.floor(size / 2), count });
      }
      index += 1;
    }
    if (index > MAX_COUNTS) throw new RangeError('too many counts');
  }
  return values;
}

function fromBase64(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const digits = text.trim().replace(/=+$/, '');
  const bytes = new Uint8Array((digits.length * 3) >> 2);
  let [bits, have, at] = [0, 0, 0];
  for (const digit of digits) {
    const value = alphabet.indexOf(digit);
    if (value < 0) throw new RangeError('not base64');
    bits = ((bits << 6) | value) & 0xff_ff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      bytes[at++] = (bits >> have) & 0xff;
    }
  }
  return bytes;
}
