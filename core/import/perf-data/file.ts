import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import { readAttr, type PerfDataAttr } from './attr.ts';
import { PerfBytes } from './bytes.ts';
import { RecordCutter, type OnData } from './cutter.ts';
import { Feature, type PerfDataFeatures } from './features.ts';
import type { RecordHandler } from './order.ts';

const MAGIC_BYTES = 8;
/** Magic and size: the whole header in pipe mode. */
const PIPE_HEADER_BYTES = 16;
/** Without the set of features, as before Linux 2.6.35. */
const SHORT_HEADER_BYTES = 72;
const HEADER_BYTES = 104;
const FEATURE_BITS = 256;
const FIRST_PREAMBLE_BYTES = 4096;
/** Offset and size of a part of the file. */
const SECTION_BYTES = 16;
/** Descriptions and ids of a thousand events on a thousand processors take a tenth of it. */
const MAX_PREAMBLE_BYTES = 2 ** 26;
/** Build ids, events and tracepoint formats; those of the largest machines take a few megabytes. */
const MAX_FEATURE_BYTES = 2 ** 28;

/** Receives the parts of the file's structure. */
export interface PerfDataSink {
  begin(littleEndian: boolean): void;
  attr(attr: PerfDataAttr, ids: readonly bigint[]): void;
  readonly record: RecordHandler;
  readonly tracingData: OnData;
}

interface FileHeader {
  readonly dataStart: number;
  /** Infinity if the recording was not finished. */
  readonly dataEnd: number;
  readonly features: readonly number[];
  readonly attrBytes: number;
  readonly attrsStart: number;
  readonly attrsEnd: number;
}

/**
 * Reads the structure of a perf.data file as its bytes arrive: header, events, records, features. Source:
 * tools/perf/Documentation/perf.data-file-format.txt in the kernel.
 */
export class PerfDataFile {
  readonly #sink: PerfDataSink;
  readonly #features: PerfDataFeatures;
  readonly #diagnostics: DiagnosticCounter;
  /** The data before the records, of which `#filled` bytes have arrived; null once it is read. */
  #preamble: Uint8Array | null = new Uint8Array(FIRST_PREAMBLE_BYTES);
  #filled = 0;
  #littleEndian = true;
  #header: FileHeader | null = null;
  #cutter: RecordCutter | null = null;
  readonly #tail = new ByteCollector("a perf.data file's header", MAX_FEATURE_BYTES);
  /** Offset of the next byte. */
  #at = 0;
  /** Known after `finish`: the file ends before its records do. */
  endsEarly = false;

  constructor(sink: PerfDataSink, features: PerfDataFeatures, diagnostics: DiagnosticCounter) {
    this.#sink = sink;
    this.#features = features;
    this.#diagnostics = diagnostics;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#preamble !== null) {
      const bytes = this.#joinPreamble(this.#preamble, chunk);
      const used = this.#readPreamble(bytes);
      if (used < 0) return;
      this.#preamble = null;
      this.#at = used;
      rest = bytes.subarray(used);
    }
    const dataEnd = this.#header?.dataEnd ?? Infinity;
    const records = rest.subarray(0, Math.max(0, dataEnd - this.#at));
    const start = this.#at;
    this.#cutter!.push(records, (at) => start + at);
    if (records.length < rest.length) this.#tail.push(rest.subarray(records.length));
    this.#at += rest.length;
  }

  /** True without a header of offsets, as `perf record -o -` writes it. Known once records arrive. */
  get isStream(): boolean {
    return this.#preamble === null && this.#header === null;
  }

  /** Bytes up to the end of the last complete record. */
  get wholeLength(): number {
    return this.#at - (this.#cutter?.pendingBytes ?? 0);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#at;
  }

  /** Must be called after the last byte. */
  finish(): void {
    if (this.#preamble !== null) {
      throw malformed('perf.data: the file ends within its header; copy the file again', {
        byte: this.#filled,
      });
    }
    const header = this.#header;
    const isShort = header !== null && header.dataEnd !== Infinity && this.#at < header.dataEnd;
    this.endsEarly = isShort || this.#cutter!.isWithinRecord;
    if (this.endsEarly) this.#noteTruncated();
    if (header === null || isShort) return;
    if (header.dataEnd === Infinity) {
      this.#diagnostics.add('unfinished-recording', 'perf record ended before it completed the file.', {
        remedy: 'The data written is read; the names of the machine and of events may be missing.',
      });
      return;
    }
    this.#readFeatures(header);
  }

  #noteTruncated(): void {
    this.#diagnostics.add('truncated-input', 'The file is truncated; the rest of its records is missing.', {
      first: { byte: this.#at },
      remedy: 'Copy the file again; if it was recorded this way, the rest is lost.',
    });
  }

  /** Returns all bytes so far. */
  #joinPreamble(before: Uint8Array, chunk: Uint8Array): Uint8Array {
    const filled = this.#filled + chunk.length;
    const joined = filled <= before.length ? before : new Uint8Array(Math.max(filled, before.length * 2));
    if (joined !== before) joined.set(before.subarray(0, this.#filled));
    joined.set(chunk, this.#filled);
    this.#preamble = joined;
    this.#filled = filled;
    return joined.subarray(0, filled);
  }

  /** Returns the length of the preamble, or −1 if it is incomplete. */
  #readPreamble(bytes: Uint8Array): number {
    if (bytes.length < MAGIC_BYTES) return -1;
    this.#littleEndian = readByteOrder(bytes);
    if (bytes.length < PIPE_HEADER_BYTES) return -1;
    const all = new PerfBytes(bytes, this.#littleEndian, 0);
    const headerBytes = all.u64(8);
    if (headerBytes === PIPE_HEADER_BYTES) {
      this.#begin();
      return PIPE_HEADER_BYTES;
    }
    if (headerBytes !== HEADER_BYTES && headerBytes !== SHORT_HEADER_BYTES)
      throw all.malformed(`the header has ${headerBytes} bytes`, 8);
    if (bytes.length < headerBytes) return -1;
    const header = (this.#header ??= readHeader(all, headerBytes));
    if (header.dataStart > MAX_PREAMBLE_BYTES || header.attrsEnd > header.dataStart) {
      throw unsupported(
        'perf.data whose events are described after its records; run `flamebench perf-script FILE -o FILE.txt` and open that',
        { byte: 24 },
      );
    }
    if (bytes.length < header.dataStart) return -1;
    this.#begin();
    this.#readAttrs(all, header);
    return header.dataStart;
  }

  #begin(): void {
    const { record, tracingData } = this.#sink;
    this.#cutter = new RecordCutter(this.#littleEndian, record, tracingData);
    this.#sink.begin(this.#littleEndian);
  }

  #readAttrs(all: PerfBytes, { attrsStart, attrsEnd, attrBytes, dataStart }: FileHeader): void {
    for (let at = attrsStart; at + attrBytes <= attrsEnd; at += attrBytes) {
      const attr = readAttr(all, at);
      const idsAt = at + attrBytes - SECTION_BYTES;
      if (at + attr.size > idsAt) throw all.malformed(`the description of an event has ${attr.size} bytes`, at + 4);
      const [start, size] = [all.u64(idsAt), all.u64(idsAt + 8)];
      if (start + size > dataStart) throw all.malformed("an event's ids lie outside the header", idsAt);
      this.#sink.attr(
        attr,
        Array.from({ length: Math.floor(size / 8) }, (_, index) => all.big(start + index * 8)),
      );
    }
  }

  /** After the records: a section for each feature, then the sections' contents. */
  #readFeatures({ dataEnd, features }: FileHeader): void {
    const tail = new PerfBytes(this.#tail.finish(), this.#littleEndian, dataEnd);
    features.forEach((feature, index) => {
      const section = (): PerfBytes => {
        const start = tail.u64(index * SECTION_BYTES) - dataEnd;
        return tail.slice(start, start + tail.u64(index * SECTION_BYTES + 8));
      };
      this.#features.read(feature, section, this.#diagnostics);
    });
  }
}

/** Returns true for little endian. Only perf before Linux 2.6.33 wrote `PERFFILE`. */
function readByteOrder(bytes: Uint8Array): boolean {
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
  if (magic === 'PERFILE2') return true;
  if (magic === '2ELIFREP') return false;
  if (magic === 'PERFFILE' || magic === 'ELIFFREP') {
    throw unsupported(
      'perf.data of the first version, from before 2010; run `flamebench perf-script FILE -o FILE.txt`, with a perf of that time, and open that',
      { byte: 0 },
    );
  }
  throw malformed('a perf.data starts with PERFILE2, and this file does not', { byte: 0 });
}

function readHeader(all: PerfBytes, headerBytes: number): FileHeader {
  const attrBytes = all.u64(16);
  const [attrsStart, attrsSize] = [all.u64(24), all.u64(32)];
  const [dataStart, dataSize] = [all.u64(40), all.u64(48)];
  if (attrBytes < 64 + SECTION_BYTES || attrBytes > 4096 + SECTION_BYTES)
    throw all.malformed(`the description of an event has ${attrBytes} bytes`, 16);
  if (attrsSize < attrBytes) throw all.malformed('the file describes no event', 32);
  if (dataStart < headerBytes) throw all.malformed('the records begin within the header', 40);
  return {
    dataStart,
    dataEnd: dataSize === 0 ? Infinity : dataStart + dataSize,
    features: headerBytes === HEADER_BYTES ? readFeatureBits(all) : [],
    attrBytes,
    attrsStart,
    attrsEnd: attrsStart + attrsSize,
  };
}

/**
 * Reads a bitmap of C's `unsigned long`, which 32-bit big-endian machines lay out in 32-bit words. Like perf, decides
 * by the host name, which is always present.
 */
function readFeatureBits(all: PerfBytes): number[] {
  const bitsAt = SHORT_HEADER_BYTES;
  const bits = (wordBits: 32 | 64): number[] =>
    Array.from({ length: FEATURE_BITS }, (_, bit) => bit).filter((bit) => {
      const word = bitsAt + Math.floor(bit / wordBits) * (wordBits / 8);
      const half = wordBits === 32 ? all.u32(word) : (bit & 32) === 0 ? all.low(word) : all.high(word);
      return ((half >>> (bit & 31)) & 1) !== 0;
    });
  const wide = bits(64);
  return all.littleEndian || wide.includes(Feature.hostName) ? wide : bits(32);
}
