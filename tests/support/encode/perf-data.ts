/** A field: raw bytes, a text (ended by NUL and padded to 8 bytes), or a number with its size in bytes. */
export type Field = Uint8Array | string | readonly [bytes: 1 | 2 | 4 | 8, value: number | bigint];

export const u16 = (value: number): Field => [2, value];
export const u32 = (value: number): Field => [4, value];
export const u64 = (value: number | bigint): Field => [8, value];

/** Marks in call chains. */
export const KERNEL_MARK = -128n;
export const USER_MARK = -512n;

/** An event: the parts of struct perf_event_attr that importers read. */
export interface EncodedAttr {
  readonly type?: number;
  readonly config?: number;
  /** Samples per second; without it, {@link period} applies. */
  readonly rate?: number;
  readonly period?: number;
  readonly sampleType: number;
  readonly readFormat?: number;
  /** Numbers of the flag bits to set, in addition to sample_id_all (18) and exclude_guest (20). */
  readonly flags?: readonly number[];
  readonly ids?: readonly number[];
}

export interface EncodedPerfData {
  readonly littleEndian?: boolean;
  readonly attrs: readonly EncodedAttr[];
  readonly records: readonly EncodedRecord[];
  /** Features by ascending number, each with the content of its section. */
  readonly features?: readonly (readonly [number, readonly Field[]])[];
}

export interface EncodedRecord {
  readonly type: number;
  readonly misc?: number;
  readonly fields: readonly Field[];
}

const HEADER_BYTES = 104;
const ATTR_BYTES = 136;

/** Encodes a file as `perf record` writes it: header, ids, events, records, features. */
export function encodePerfData({ littleEndian = true, attrs, records, features = [] }: EncodedPerfData): Uint8Array {
  const join = (...fields: Field[]): Uint8Array => encodeFields(fields, littleEndian);
  const idBytes = attrs.map(({ ids = [] }) => join(...ids.map(u64)));
  const attrsAt = HEADER_BYTES + sum(idBytes.map(({ length }) => length));
  const dataAt = attrsAt + attrs.length * (ATTR_BYTES + 16);
  const data = encodeRecords(records, littleEndian);
  let idsAt = HEADER_BYTES;
  const attrBytes = attrs.map((attr, index) => {
    const section = join(encodeAttr(attr, littleEndian), u64(idsAt), u64(idBytes[index]!.length));
    idsAt += idBytes[index]!.length;
    return section;
  });
  const contents = features.map(([, fields]) => join(...fields));
  let contentAt = dataAt + data.length + features.length * 16;
  const sections = contents.map(({ length }) => {
    contentAt += length;
    return join(u64(contentAt - length), u64(length));
  });
  const bits = features.reduce((set, [feature]) => set | (1n << BigInt(feature)), 0n);
  const places = [HEADER_BYTES, ATTR_BYTES + 16, attrsAt, dataAt - attrsAt, dataAt, data.length, 0, 0, bits, 0, 0, 0];
  const header = join(magic(littleEndian), ...places.map(u64));
  return join(header, ...idBytes, ...attrBytes, data, ...sections, ...contents);
}

/** Encodes a stream as `perf record -o -` writes it, with events and features as records. */
export function encodePerfPipe({ littleEndian = true, attrs, records, features = [] }: EncodedPerfData): Uint8Array {
  const described = attrs.map((attr): EncodedRecord => {
    return { type: 64, fields: [encodeAttr(attr, littleEndian), ...(attr.ids ?? []).map(u64)] };
  });
  const facts = features.map(([feature, fields]): EncodedRecord => ({ type: 80, fields: [u64(feature), ...fields] }));
  const header = encodeFields([magic(littleEndian), u64(16)], littleEndian);
  return encodeFields([header, encodeRecords([...described, ...facts, ...records], littleEndian)], littleEndian);
}

export function encodeRecords(records: readonly EncodedRecord[], littleEndian = true): Uint8Array {
  const encoded = records.map(({ type, misc = 0, fields }) => {
    const content = encodeFields(fields, littleEndian);
    return encodeFields([u32(type), u16(misc), u16(content.length + 8), content], littleEndian);
  });
  return encodeFields(encoded, littleEndian);
}

export function encodeFields(fields: readonly Field[], littleEndian: boolean): Uint8Array {
  const parts = fields.map((field) => encodeField(field, littleEndian));
  const bytes = new Uint8Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Fields of a struct perf_header_string. */
export const headerText = (text: string): Field[] => [u32(paddedBytes(text).length), paddedBytes(text)];

function encodeAttr(attr: EncodedAttr, littleEndian: boolean): Uint8Array {
  const { type = 1, config = 0, rate, period = 0, sampleType, readFormat = 0, flags = [] } = attr;
  const set = [18, 20, ...(rate === undefined ? [] : [10]), ...flags];
  // Big-endian machines lay out C bit fields from the other end.
  const bits = set.reduce((all, bit) => all | (1n << BigInt(littleEndian ? bit : 63 - bit)), 0n);
  const start = encodeFields(
    [u32(type), u32(ATTR_BYTES), u64(config), u64(rate ?? period), u64(sampleType), u64(readFormat), u64(bits)],
    littleEndian,
  );
  const bytes = new Uint8Array(ATTR_BYTES);
  bytes.set(start);
  return bytes;
}

function encodeField(field: Field, littleEndian: boolean): Uint8Array {
  if (field instanceof Uint8Array) return field;
  if (typeof field === 'string') return paddedBytes(field);
  const [size, value] = field;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(value)), littleEndian);
  return littleEndian ? bytes.subarray(0, size) : bytes.subarray(8 - size);
}

function paddedBytes(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((Math.floor(bytes.length / 8) + 1) * 8);
  padded.set(bytes);
  return padded;
}

const magic = (littleEndian: boolean): Uint8Array => new TextEncoder().encode(littleEndian ? 'PERFILE2' : '2ELIFREP');

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
