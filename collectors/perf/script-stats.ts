/** Statistics about the quality of `perf script`'s text, counted as it streams by. See core/import for the parser. */
export interface ScriptStats {
  readonly bytes: number;
  readonly samples: number;
  /** Samples reported as lost by `--show-lost-events`. */
  readonly lost: number;
  /** Event of the first sample, with its modifiers (`cycles:u`); null without samples. */
  readonly event: string | null;
  /** Sum of the periods of that event's samples. */
  readonly weight: number;
  /** Of that, samples whose innermost function has no symbol; their share is `CaptureQuality.unresolved`. */
  readonly unresolvedWeight: number;
  /** Maps that lack names for code compiled at run time: `/tmp/perf-42.map`. At most {@link MAX_MAPS}. */
  readonly unresolvedMaps: ReadonlySet<string>;
  /** Times of the first and last sample in the text, in seconds of perf's clock; null without samples. */
  readonly times: { readonly first: number; readonly last: number } | null;
}

interface ScriptStatsReader {
  push(chunk: Uint8Array): void;
  /** Counts so far. */
  readonly counts: Pick<ScriptStats, 'bytes' | 'samples' | 'lost'>;
  finish(): ScriptStats;
}

const MAX_MAPS = 50;
const MAP = /^\[unknown\] \((.*\/perf-\d+\.map)\)$/;
/** Only the start of a longer line is read. */
const MAX_LINE_BYTES = 64 * 1024;
/**
 * First byte of a frame, and of the first line of a sample without call graph, followed by spaces before the thread's
 * name.
 */
const TAB = 0x09;
/** Time, period and event of a sample's first line; the event's name may contain colons. */
const SAMPLE = / (\d+\.\d+): (?: *(\d+) +(\S+?):?\s*$)?/;
const RECORD = /: PERF_RECORD_(?:LOST\w*:? lost (\d+))?/;

export function readScriptStats(): ScriptStatsReader {
  const unresolvedMaps = new Set<string>();
  let [bytes, samples, lost, weight, unresolvedWeight] = [0, 0, 0, 0, 0];
  let event: string | null = null;
  /**
   * Period of the sample whose innermost frame comes next; null if it has come, or if the sample is of another event.
   */
  let period: number | null = null;
  let times: { first: number; last: number } | null = null;
  let line = Buffer.alloc(0);

  function readFrame(text: Buffer): void {
    const rest = /^\s+[0-9a-f]+ (.*?)\r?$/.exec(text.toString('latin1'))?.[1];
    if (rest === undefined) return;
    const isUnresolved = rest.startsWith('[unknown]');
    if (isUnresolved && period !== null) unresolvedWeight += period;
    period = null;
    const map = isUnresolved ? MAP.exec(rest)?.[1] : undefined;
    if (map !== undefined && unresolvedMaps.size < MAX_MAPS) unresolvedMaps.add(map);
  }

  function readLine(text: Buffer): void {
    const first = text[0];
    if (first === TAB) readFrame(text);
    else if (first !== undefined && first !== 0x0d && first !== 0x23) readHeading(text.toString('latin1'));
  }

  function readHeading(heading: string): void {
    const record = RECORD.exec(heading);
    if (record !== null) {
      lost += Number(record[1] ?? 0);
      return;
    }
    samples += 1;
    const sample = SAMPLE.exec(heading);
    const time = Number(sample?.[1] ?? NaN);
    if (Number.isFinite(time)) times = { first: times?.first ?? time, last: time };
    event ??= sample?.[3] ?? null;
    period = sample?.[3] !== undefined && sample[3] === event ? Number(sample[2]) : null;
    weight += period ?? 0;
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let at = 0;
      for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, at)) {
        const part = buffer.subarray(at, end);
        readLine(line.length === 0 ? part : Buffer.concat([line, part]));
        line = Buffer.alloc(0);
        at = end + 1;
      }
      if (at < buffer.length && line.length < MAX_LINE_BYTES) line = Buffer.concat([line, buffer.subarray(at)]);
    },
    get counts() {
      return { bytes, samples, lost };
    },
    finish() {
      if (line.length > 0) readLine(line);
      line = Buffer.alloc(0);
      return { bytes, samples, lost, event, weight, unresolvedWeight, unresolvedMaps, times };
    },
  };
}

/** Returns the share from 0 to 1; null without weight. */
export const unresolvedShare = ({ weight, unresolvedWeight }: ScriptStats): number | null =>
  weight === 0 ? null : unresolvedWeight / weight;
