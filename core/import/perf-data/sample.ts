import { ReadField, SampleField, type PerfDataAttr } from './attr.ts';
import type { PerfBytes } from './bytes.ts';

/** Bytes of the header with which each record begins: type u32, misc u16, size u16. */
export const RECORD_HEADER_BYTES = 8;

/** Values of one event group, as read at a sample. */
interface GroupValue {
  readonly id: bigint;
  readonly value: bigint;
}

/**
 * The fields of a sample that state where it was made, in the order of the kernel's perf_output_sample().
 *
 * One object is reused for all records; its fields describe the last one that was read.
 */
export class PerfDataSample {
  pid = -1;
  tid = -1;
  cpu = -1;
  /** Upper and lower half, like all 64-bit fields. */
  ipHigh = 0;
  ipLow = 0;
  hasIp = false;
  period = 0;
  hasPeriod = false;
  /** Start of the call chain's entries; −1 if the sample has no call chain. */
  chainAt = -1;
  chainLength = 0;
  /** Empty if the sample read no group. */
  group: readonly GroupValue[] = [];

  /** Reads a PERF_RECORD_SAMPLE. Throws if the record ends before its fields do. */
  read(record: PerfBytes, attr: PerfDataAttr): void {
    const { sampleType: type } = attr;
    this.#clear();
    let at = RECORD_HEADER_BYTES;
    if (type & SampleField.identifier) at += 8;
    if (type & SampleField.ip) {
      this.ipHigh = record.high(at);
      this.ipLow = record.low(at);
      this.hasIp = true;
      at += 8;
    }
    if (type & SampleField.tid) {
      this.pid = record.i32(at);
      this.tid = record.i32(at + 4);
      at += 8;
    }
    if (type & SampleField.time) at += 8;
    if (type & SampleField.address) at += 8;
    if (type & SampleField.id) at += 8;
    if (type & SampleField.streamId) at += 8;
    if (type & SampleField.cpu) {
      this.cpu = record.i32(at);
      at += 8;
    }
    if (type & SampleField.period) {
      this.period = record.u64(at);
      this.hasPeriod = true;
      at += 8;
    }
    if (type & SampleField.read) at = this.#readCounts(record, at, attr.readFormat);
    if (type & SampleField.callchain) {
      const length = record.u64(at);
      this.chainAt = at + 8;
      this.chainLength = length;
      at += 8 + length * 8;
    }
    if (at > record.length) throw record.malformed('a sample is shorter than its fields', 0);
  }

  #clear(): void {
    this.pid = -1;
    this.tid = -1;
    this.cpu = -1;
    this.hasIp = false;
    this.hasPeriod = false;
    this.chainAt = -1;
    this.chainLength = 0;
    this.group = [];
  }

  #readCounts(record: PerfBytes, start: number, format: number): number {
    let at = start;
    const times = (format & ReadField.timeEnabled ? 8 : 0) + (format & ReadField.timeRunning ? 8 : 0);
    const entry = 8 + (format & ReadField.id ? 8 : 0) + (format & ReadField.lost ? 8 : 0);
    if ((format & ReadField.group) === 0) return at + times + entry;
    const length = record.u64(at);
    at += 8 + times;
    if (at + length * entry > record.length) throw record.malformed('a sample is shorter than its fields', 0);
    if (format & ReadField.id) {
      this.group = Array.from({ length }, (_, index) => ({
        value: record.big(at + index * entry),
        id: record.big(at + index * entry + 8),
      }));
    }
    return at + length * entry;
  }
}

/** Returns the offset of a sample's event id; −1 if it has none. */
export function sampleIdOffset({ sampleType: type }: PerfDataAttr): number {
  if (type & SampleField.identifier) return RECORD_HEADER_BYTES;
  if ((type & SampleField.id) === 0) return -1;
  const before = [SampleField.ip, SampleField.tid, SampleField.time, SampleField.address];
  return RECORD_HEADER_BYTES + 8 * before.filter((bit) => (type & bit) !== 0).length;
}

/** Returns the same for other records, counted back from their end. */
export function trailerIdOffset({ sampleType: type, sampleIdAll }: PerfDataAttr): number {
  if (!sampleIdAll) return -1;
  if (type & SampleField.identifier) return 8;
  if ((type & SampleField.id) === 0) return -1;
  const behind = [SampleField.cpu, SampleField.streamId];
  return 8 + 8 * behind.filter((bit) => (type & bit) !== 0).length;
}
