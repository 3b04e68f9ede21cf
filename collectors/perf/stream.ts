import { readAttr, type PerfDataAttr } from '#core/import/perf-data/attr.ts';
import { LostRecords } from '#core/import/perf-data/lost-records.ts';
import { PerfBytes } from '#core/import/perf-data/bytes.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { joinBytes } from '#core/model/join-bytes.ts';

/**
 * Reads perf's pipe-mode stream as it arrives: tools/perf/Documentation/perf.data-file-format.txt and
 * perf_event_open(2). After a 16-byte header, events of {type u32, misc u16, size u16}, in the byte order of the
 * machine that recorded.
 */

const HEADER_BYTES = 16;
const MAGIC = 'PERFILE2';

const EventType = {
  lost: 2,
  comm: 3,
  exit: 4,
  fork: 7,
  sample: 9,
  mmap2: 10,
  lostSamples: 13,
  headerAttr: 64,
  /** The only two events followed by more bytes, which their size does not include. */
  headerTracingData: 66,
  auxtrace: 71,
  headerFeature: 80,
} as const;

/** HEADER_CMDLINE: perf's own argv. */
const FEATURE_CMDLINE = 11;

/** One event of `perf record`, from its struct perf_event_attr. */
export type PerfAttr = Pick<PerfDataAttr, 'type' | 'config' | 'excludesKernel'>;

/** Derives the same facts from the event's name in `perf script`: `cpu-clock`, `cycles:u`. */
export function attrOfEvent(event: string): PerfAttr {
  const [name = '', modifiers = ''] = event.split(':');
  return {
    type: /^(?:cpu|task)-clock$/.test(name) ? SOFTWARE : HARDWARE,
    config: 0n,
    excludesKernel: modifiers.includes('u'),
  };
}

const HARDWARE = 0;
const SOFTWARE = 1;

export interface PerfStreamCounts {
  readonly bytes: number;
  readonly samples: number;
  /** Samples that were lost, as estimated by {@link LostRecords}. */
  readonly lost: number;
  /** With other records that were lost; absent if only samples are counted. */
  readonly lostRecords?: number;
}

export interface PerfStreamReader {
  /**
   * Takes the next bytes and returns those to store now, which are whole events. They are as perf wrote them, except
   * that `secrets` in its command line are overwritten with `*`. Valid until the next call.
   */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the bytes held back when the stream ended: part of an event, if perf was killed. */
  finish(): Uint8Array;
  readonly counts: PerfStreamCounts;
  /** In the order of the `-e` options. */
  readonly attrs: readonly PerfAttr[];
  /** Recorded processes that others started during the recording and that have not ended. */
  readonly children: ReadonlySet<number>;
  /** False once the bytes turn out not to be a perf stream; they are still passed on. */
  readonly understood: boolean;
}

/** MMAP2: code of a file, or of memory without one, became part of a process. */
export interface CodeMapping {
  readonly pid: number;
  /** As in /proc/PID/map_files: hexadecimal, without leading zeros. */
  readonly range: string;
  /** Distinguishes files that have, or had, the same path. */
  readonly inode: string;
  readonly path: string;
  /** Position of the event in the bytes that {@link PerfStreamReader.push} returns. */
  readonly at: number;
}

/** Offset of the path in MMAP2; the padded path is followed by fields of the sample. */
export const MMAP2_PATH_AT = 72;
const MAPPED_BY_KERNEL = 1;
const CPU_MODE_MASK = 7;
const PROT_EXEC = 4;

/**
 * `secrets` are texts that must not be stored, but that perf repeats in its header. `onMapping` is called for each
 * mapping of user code, before `push` returns.
 */
export function readPerfStream(
  secrets: readonly string[] = [],
  onMapping?: (mapping: CodeMapping) => void,
): PerfStreamReader {
  const attrs: PerfAttr[] = [];
  const children = new Set<number>();
  const secretBytes = secrets.filter((secret) => secret !== '').map((secret) => new TextEncoder().encode(secret));
  let bytes = 0;
  let samples = 0;
  const lost = new LostRecords();
  let understood = true;
  let headerSeen = false;
  let littleEndian = true;
  /** Bytes of an event (or the header) whose rest has not arrived. */
  let pending: Uint8Array = new Uint8Array();
  /** Number of bytes after an event that do not belong to any event. */
  let skip = 0;

  function readHeader(data: Uint8Array): boolean {
    const magic = new TextDecoder('latin1').decode(data.subarray(0, 8));
    littleEndian = magic === MAGIC;
    headerSeen = littleEndian || magic === MAGIC.split('').toReversed().join('');
    understood = headerSeen;
    return headerSeen;
  }

  function readEvent(data: Uint8Array, view: DataView, at: number, size: number): void {
    switch (view.getUint32(at, littleEndian)) {
      case EventType.sample:
        samples += 1;
        lost.addSample(size);
        break;
      case EventType.lost:
        if (size >= 24) lost.addLost(Number(view.getBigUint64(at + 16, littleEndian)));
        break;
      case EventType.fork:
        if (size >= 24) readFork(view, at);
        noteTask(view, at, size);
        break;
      case EventType.exit:
        noteTask(view, at, size);
        // The thread that leads a process may end before the others, which then count as ended, too.
        if (size >= 24 && view.getUint32(at + 8, littleEndian) === view.getUint32(at + 16, littleEndian)) {
          children.delete(view.getUint32(at + 8, littleEndian));
        }
        break;
      case EventType.mmap2:
        if (onMapping !== undefined) readMapping(data, view, at, size);
        break;
      case EventType.lostSamples:
        if (size >= 16) {
          // The trailer begins with process and thread, then comes the time.
          const hasTime = size < 32 || view.getBigUint64(at + 24, littleEndian) !== 0n;
          lost.addLostSamples(Number(view.getBigUint64(at + 8, littleEndian)), hasTime);
        }
        break;
      case EventType.headerAttr:
        attrs.push(...attrsOf(new PerfBytes(data.subarray(at, at + size), littleEndian, at)));
        break;
      case EventType.headerTracingData:
        if (size >= 12) skip = view.getUint32(at + 8, littleEndian);
        break;
      case EventType.auxtrace:
        if (size >= 16) skip = Number(view.getBigUint64(at + 8, littleEndian));
        break;
      case EventType.headerFeature:
        if (size >= 16 && Number(view.getBigUint64(at + 8, littleEndian)) === FEATURE_CMDLINE) {
          overwrite(data.subarray(at + 16, at + size), secretBytes);
        }
        break;
    }
  }

  /** Records of threads that were there before the recording have no time: they did not come through a ring. */
  function noteTask(view: DataView, at: number, size: number): void {
    if (size >= 32 && view.getBigUint64(at + 24, littleEndian) !== 0n) lost.addTask(size);
  }

  /** PERF_RECORD_FORK: pid, ppid, tid, ptid; a new thread has the process of its parent. */
  function readFork(view: DataView, at: number): void {
    const pid = view.getUint32(at + 8, littleEndian);
    if (pid !== view.getUint32(at + 12, littleEndian)) children.add(pid);
  }

  function readMapping(data: Uint8Array, view: DataView, at: number, size: number): void {
    if (size <= MMAP2_PATH_AT || (view.getUint16(at + 4, littleEndian) & CPU_MODE_MASK) === MAPPED_BY_KERNEL) return;
    if ((view.getUint32(at + 64, littleEndian) & PROT_EXEC) === 0) return;
    const u64 = (from: number): bigint => view.getBigUint64(at + from, littleEndian);
    const text = data.subarray(at + MMAP2_PATH_AT, at + size);
    const start = u64(16);
    onMapping?.({
      pid: view.getUint32(at + 8, littleEndian),
      range: `${start.toString(16)}-${(start + u64(24)).toString(16)}`,
      inode: `${u64(40)} ${u64(48)} ${u64(56)}`,
      path: new TextDecoder().decode(text.subarray(0, Math.max(0, text.indexOf(0)))),
      at,
    });
  }

  /** Reads whole events; returns the number of bytes that they took. */
  function readEvents(data: Uint8Array): number {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let at = 0;
    if (!headerSeen) {
      if (data.length < HEADER_BYTES) return 0;
      if (!readHeader(data)) return data.length;
      at = HEADER_BYTES;
    }
    for (;;) {
      if (skip > 0) {
        const skipped = Math.min(skip, data.length - at);
        skip -= skipped;
        at += skipped;
      }
      if (at + 8 > data.length) return at;
      const size = view.getUint16(at + 6, littleEndian);
      if (size < 8) {
        understood = false;
        return data.length;
      }
      if (at + size > data.length) return at;
      readEvent(data, view, at, size);
      at += size;
    }
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      if (!understood) return chunk;
      const data = pending.length === 0 ? chunk : joinBytes([pending, chunk]);
      const read = readEvents(data);
      pending = data.slice(read);
      return data.subarray(0, read);
    },
    finish() {
      const rest = pending;
      pending = new Uint8Array();
      return rest;
    },
    get counts() {
      return { bytes, samples, lost: lost.samples, lostRecords: lost.records };
    },
    attrs,
    children,
    get understood() {
      return understood;
    },
  };
}

/** Leaves out part of an event at the end, at which perf 6.1 drops the samples that it has not sorted yet. */
export async function* wholeEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = readPerfStream();
  for await (const chunk of stream) yield reader.push(chunk);
}

/** Returns the attributes of a HEADER_ATTR event; none if they are cut off or malformed, which the importer reports. */
function attrsOf(event: PerfBytes): PerfAttr[] {
  try {
    const { type, config, excludesKernel } = readAttr(event, 8);
    return [{ type, config, excludesKernel }];
  } catch (error) {
    if (error instanceof ImportFailure) return [];
    throw error;
  }
}

function overwrite(bytes: Uint8Array, secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) {
    for (let at = 0; at + secret.length <= bytes.length; at++) {
      if (secret.every((byte, index) => bytes[at + index] === byte)) bytes.fill(0x2a, at, at + secret.length);
    }
  }
}
