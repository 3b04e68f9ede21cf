import { u16, u32, u64, type EncodedAttr, type EncodedRecord, type Field } from './encode/perf-data.ts';

/** Fields that {@link sample} writes: IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN. */
export const SAMPLE_TYPE = 0x10000 | 1 | 2 | 4 | 128 | 256 | 32;

/** An event with the ids 1 and 2. */
export const cpuClock: EncodedAttr = { rate: 99, sampleType: SAMPLE_TYPE, ids: [1, 2] };

export interface Trailer {
  readonly pid?: number;
  readonly tid?: number;
  readonly time?: number | bigint;
  readonly cpu?: number;
  readonly id?: number;
}

export interface SampleFields extends Trailer {
  readonly ip?: number | bigint;
  readonly period?: number | bigint;
  readonly chain: readonly (number | bigint)[];
  readonly misc?: number;
}

/** Makes a sample. `misc` is 2 for user code, 1 for the kernel. */
export function sample({ pid = 10, tid = pid, time = 0, cpu = 0, id = 1, ...rest }: SampleFields): EncodedRecord {
  const { ip = rest.chain.at(-1) ?? 0, period = 1000, chain, misc = 2 } = rest;
  const fields = [u64(id), u64(ip), u32(pid), u32(tid), u64(time), u32(cpu), u32(0), u64(period), u64(chain.length)];
  return { type: 9, misc, fields: [...fields, ...chain.map(u64)] };
}

/** Returns the fields at the end of records other than samples. */
export function trailer({ pid = 10, tid = pid, time = 0, cpu = 0, id = 1 }: Trailer = {}): Field[] {
  return [u32(pid), u32(tid), u64(time), u32(cpu), u32(0), u64(id)];
}

export function comm(name: string, at: Trailer = {}, misc = 0): EncodedRecord {
  const { pid = 10, tid = pid } = at;
  return { type: 3, misc, fields: [u32(pid), u32(tid), name, ...trailer(at)] };
}

export interface MapFields {
  readonly start: number | bigint;
  readonly length: number | bigint;
  readonly offset?: number | bigint;
  readonly path: string;
  readonly isData?: boolean;
}

/** Makes an MMAP2 record of a user process. */
export function mmap2({ start, length, offset = 0, path, isData = false }: MapFields, at: Trailer = {}): EncodedRecord {
  const { pid = 10, tid = pid } = at;
  const place = [u32(pid), u32(tid), u64(start), u64(length), u64(offset)];
  const file = [u32(8), u32(1), u64(1234), u64(0), u32(isData ? 1 : 5), u32(2)];
  return { type: 10, misc: 2, fields: [...place, ...file, path, ...trailer(at)] };
}

/** Makes an MMAP record of the kernel or of one of its modules. */
export function kernelMap({ start, length, offset = start, path }: MapFields): EncodedRecord {
  return {
    type: 1,
    misc: 1,
    fields: [u32(0xffff_ffff), u32(0), u64(start), u64(length), u64(offset), path, ...trailer()],
  };
}

export function fork(pid: number, parent: number, at: Trailer = {}): EncodedRecord {
  return { type: 7, fields: [u32(pid), u32(parent), u32(pid), u32(parent), u64(0), ...trailer(at)] };
}

export const lost = (count: number, at: Trailer = {}): EncodedRecord => ({
  type: 2,
  fields: [u64(1), u64(count), ...trailer(at)],
});

/** Makes LOST_SAMPLES; without a time it is what perf adds at its end. */
export const lostSamples = (count: number, at: Trailer = {}): EncodedRecord => ({
  type: 13,
  fields: [u64(count), ...trailer(at)],
});

export const endOfRound: EncodedRecord = { type: 68, fields: [] };

export function kernelSymbol(start: bigint, length: number, name: string): EncodedRecord {
  return { type: 17, fields: [u64(start), u32(length), u16(1), u16(0), name, ...trailer()] };
}
