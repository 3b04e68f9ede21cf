import { bytes, number, varint } from './pprof.ts';

/** A simpleperf report as plain data. */
export interface SimpleperfReport {
  readonly meta?: { readonly events: readonly string[]; readonly app?: string; readonly android?: string };
  readonly samples: readonly SimpleperfSample[];
  readonly files?: readonly { readonly id: number; readonly path: string; readonly symbols?: readonly string[] }[];
  readonly threads?: readonly { readonly tid: number; readonly pid: number; readonly name: string }[];
  readonly lost?: number;
  readonly switches?: number;
  /** Field numbers of records of other kinds to add. */
  readonly others?: readonly number[];
  readonly version?: number;
  /** False for a report that is cut off. */
  readonly hasEnd?: boolean;
}

export interface SimpleperfSample {
  readonly time: number | bigint;
  readonly tid: number;
  readonly count: number | bigint;
  readonly event?: number;
  /** Call chain, leaf first: file, symbol (−1 for none), address, execution type. */
  readonly chain: readonly (readonly [file: number, symbol: number, address: number | bigint, execution?: number])[];
  readonly unwindError?: boolean;
}

const text = (field: number, value: string): number[] => bytes(field, [...new TextEncoder().encode(value)]);
/** Encodes an integer field, also if it is 0. */
const integer = (field: number, value: number | bigint): number[] => [...varint(field << 3), ...varint(value)];

export function encodeSimpleperf(report: SimpleperfReport): Uint8Array {
  const { meta, samples, files = [], threads = [], lost = 0, switches = 0, others = [], version = 1 } = report;
  const records = [
    ...(meta === undefined
      ? []
      : [
          bytes(5, [
            ...meta.events.flatMap((name) => text(1, name)),
            ...text(2, meta.app ?? ''),
            ...text(4, meta.android ?? ''),
          ]),
        ]),
    ...samples.map((sample) => bytes(1, encodeSample(sample))),
    ...Array.from({ length: switches }, () => bytes(6, [...integer(1, 1), ...integer(2, 5), ...integer(3, 7)])),
    ...others.map((field) => bytes(field, [])),
    bytes(2, [...integer(1, samples.length), ...integer(2, lost)]),
    ...files.map(({ id, path, symbols = [] }) =>
      bytes(3, [...number(1, id), ...text(2, path), ...symbols.flatMap((name) => text(3, name))]),
    ),
    ...threads.map(({ tid, pid, name }) => bytes(4, [...integer(1, tid), ...integer(2, pid), ...text(3, name)])),
  ];
  const end = report.hasEnd === false ? [] : u32(0);
  const body = records.flatMap((record) => [...u32(record.length), ...record]);
  return Uint8Array.from([...new TextEncoder().encode('SIMPLEPERF'), version, 0, ...body, ...end]);
}

function encodeSample({ time, tid, count, event = 0, chain, unwindError = false }: SimpleperfSample): number[] {
  return [
    ...integer(1, time),
    ...integer(2, tid),
    ...chain.flatMap(([file, symbol, address, execution = 0]) =>
      bytes(3, [...integer(1, address), ...integer(2, file), ...integer(3, symbol), ...number(4, execution)]),
    ),
    ...integer(4, count),
    ...integer(5, event),
    ...(unwindError ? bytes(6, integer(3, 2)) : []),
  ];
}

const u32 = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
