import { int32Column, type ColumnBuilder } from '../../model/intern/column.ts';
import { IdTable } from '../stacks/id-table.ts';
import { decodeText } from '../../model/decode-text.ts';
import {
  newLocationColumns,
  numberField,
  readFunction,
  readLocation,
  readMapping,
  readNumberFields,
  type FunctionRecord,
  type LocationColumns,
  type MappingRecord,
  type NumberField,
} from './records.ts';
import { BYTES, malformedMessage, VARINT, WireReader } from '../../wire/protobuf-reader.ts';

const FIELD = {
  sampleType: 1,
  sample: 2,
  mapping: 3,
  location: 4,
  func: 5,
  string: 6,
  dropFrames: 7,
  keepFrames: 8,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
  comment: 13,
  defaultSampleType: 14,
  docUrl: 15,
} as const;

const { sampleType, sample, mapping, location, func, string, periodType } = FIELD;
const MESSAGES: readonly number[] = [sampleType, sample, mapping, location, func, string, periodType];
/** Wire types of message Profile by field (github.com/google/pprof/blob/main/proto/profile.proto). */
export const PROFILE_FIELDS: ReadonlyMap<number, number> = new Map(
  Object.values(FIELD).map((field) => [field, MESSAGES.includes(field) ? BYTES : VARINT]),
);

export interface TypeAndUnit {
  readonly type: string;
  readonly unit: string;
}

/** The decoded message Profile except the samples, which refer to tables that follow them. */
export class PprofTables {
  readonly bytes: Uint8Array;
  readonly sampleStart: ColumnBuilder<Int32Array> = int32Column();
  readonly sampleStop: ColumnBuilder<Int32Array> = int32Column();
  readonly mappings: MappingRecord[] = [];
  readonly mappingIds = new IdTable();
  /** Replaced once addresses have been named. */
  locations: LocationColumns = newLocationColumns();
  readonly locationIds = new IdTable();
  readonly functions: FunctionRecord[] = [];
  readonly functionIds = new IdTable();
  timeNanos = 0n;
  durationNanos = 0;
  period = 0;
  /** Number of fields that the format does not define. */
  unknownFields = 0;
  readonly #stringStart = int32Column();
  readonly #stringStop = int32Column();
  readonly #strings: (string | undefined)[] = [];
  readonly #sampleTypes: Map<number, NumberField>[] = [];
  #periodType: Map<number, NumberField> | null = null;
  readonly #texts = new Map<number, NumberField>();
  readonly #comments: NumberField[] = [];

  /** `bytes` is the whole uncompressed file. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const top = new WireReader(bytes);
    const inner = new WireReader(bytes);
    const lines = new WireReader(bytes);
    while (top.next()) this.#readField(top, inner, lines);
    this.locations.lineStart.push(this.locations.line.length);
    this.#checkStrings();
  }

  get locationCount(): number {
    return this.locations.address.length;
  }

  get sampleTypes(): TypeAndUnit[] {
    return this.#sampleTypes.map((fields) => this.#typeAndUnit(fields));
  }

  get periodType(): TypeAndUnit | null {
    return this.#periodType === null ? null : this.#typeAndUnit(this.#periodType);
  }

  get comments(): string[] {
    const docUrl = this.string(this.#texts.get(FIELD.docUrl));
    const comments = this.#comments.map((reference) => this.string(reference));
    return docUrl === '' ? comments : [...comments, docUrl];
  }

  get dropFrames(): string {
    return this.string(this.#texts.get(FIELD.dropFrames));
  }

  get keepFrames(): string {
    return this.string(this.#texts.get(FIELD.keepFrames));
  }

  get defaultSampleType(): string {
    return this.string(this.#texts.get(FIELD.defaultSampleType));
  }

  /** Returns an empty string if there is no reference. */
  string(reference: NumberField | undefined): string {
    if (reference === undefined) return '';
    this.#check(reference);
    const { low } = reference;
    if (low >= this.#stringStart.length) return '';
    return (this.#strings[low] ??= decodeText(
      this.bytes.subarray(this.#stringStart.get(low), this.#stringStop.get(low)),
    ).text);
  }

  /** Returns a reference to a text that the file lacks. */
  reference(text: string): NumberField {
    const low = this.#stringStart.length;
    this.#stringStart.push(0);
    this.#stringStop.push(0);
    this.#strings[low] = text;
    return { low, high: 0, byte: 0 };
  }

  /** Like pprof, also checks references that are never used. */
  #checkStrings(): void {
    for (const { name, file } of this.functions) {
      this.#check(name);
      this.#check(file);
    }
    for (const { file, buildId } of this.mappings) {
      this.#check(file);
      this.#check(buildId);
    }
    for (const reference of this.#texts.values()) this.#check(reference);
  }

  #check(reference: NumberField | undefined): void {
    if (reference === undefined || (reference.low === 0 && reference.high === 0)) return;
    if (reference.high !== 0 || reference.low >= this.#stringStart.length) {
      throw malformedMessage(`string ${reference.low} of ${this.#stringStart.length}`, reference.byte);
    }
  }

  #readField(top: WireReader, inner: WireReader, lines: WireReader): void {
    const { field, type, start, stop } = top;
    const wanted = PROFILE_FIELDS.get(field);
    if (wanted === undefined) {
      this.unknownFields += 1;
      return;
    }
    const packed = field === FIELD.comment && type === BYTES;
    if (type !== wanted && !packed) throw malformedMessage(`field ${field} has wire type ${type}`, top.offset);
    if (wanted === BYTES || packed) inner.enter(start, stop);
    if (field === FIELD.sample) {
      this.sampleStart.push(start);
      this.sampleStop.push(stop);
    } else if (field === FIELD.string) {
      if (this.#stringStart.length === 0 && start !== stop)
        throw malformedMessage('the first string is not empty', start);
      this.#stringStart.push(start);
      this.#stringStop.push(stop);
    } else if (field === FIELD.location) readLocation(inner, lines, this.locationIds, this.locations);
    else if (field === FIELD.func) this.functions.push(readFunction(inner, this.functionIds, this.functions.length));
    else if (field === FIELD.mapping) this.mappings.push(readMapping(inner, this.mappingIds, this.mappings.length));
    else if (field === FIELD.sampleType) this.#sampleTypes.push(readNumberFields(inner));
    else if (field === FIELD.periodType) this.#periodType = readNumberFields(inner);
    else if (packed) while (inner.nextPacked()) this.#comments.push(numberField(inner));
    else this.#readNumber(top);
  }

  #readNumber(top: WireReader): void {
    if (top.field === FIELD.timeNanos) {
      if (this.timeNanos !== 0n) throw malformedMessage('two profiles one after the other', top.offset);
      this.timeNanos = top.signedExact;
    } else if (top.field === FIELD.durationNanos) this.durationNanos = top.signed;
    else if (top.field === FIELD.period) this.period = top.signed;
    else if (top.field === FIELD.comment) this.#comments.push(numberField(top));
    else this.#texts.set(top.field, numberField(top));
  }

  #typeAndUnit(fields: Map<number, NumberField>): TypeAndUnit {
    return { type: this.string(fields.get(1)), unit: this.string(fields.get(2)) };
  }
}
