import { bigUint64Column, int32Column, type ColumnBuilder } from '../../model/intern/column.ts';
import type { IdTable } from '../stacks/id-table.ts';
import { BYTES, malformedMessage, VARINT, type WireReader } from '../../wire/protobuf-reader.ts';

/**
 * A number as unsigned halves: an id, a line, or a reference into the string table, which may come later. `byte` is its
 * offset.
 */
export interface NumberField {
  readonly low: number;
  readonly high: number;
  readonly byte: number;
}

export function numberField(reader: WireReader): NumberField {
  return { low: reader.low, high: reader.high, byte: reader.offset };
}

/** Returns the numbers of a message, by field number. */
export function readNumberFields(reader: WireReader): Map<number, NumberField> {
  const fields = new Map<number, NumberField>();
  while (reader.next()) if (reader.type === VARINT) fields.set(reader.field, numberField(reader));
  return fields;
}

export interface MappingRecord {
  readonly file: NumberField | undefined;
  readonly buildId: NumberField | undefined;
  /** Where the mapping begins in memory, and which byte of the file is there. */
  readonly start: bigint;
  readonly offset: bigint;
}

export function readMapping(reader: WireReader, ids: IdTable, row: number): MappingRecord {
  const fields = readNumberFields(reader);
  claimId(ids, fields.get(1), row, 'mapping', reader.offset);
  return { file: fields.get(5), buildId: fields.get(6), start: wide(fields.get(2)), offset: wide(fields.get(4)) };
}

const wide = (value: NumberField | undefined): bigint =>
  value === undefined ? 0n : (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);

export interface FunctionRecord {
  readonly name: NumberField | undefined;
  readonly file: NumberField | undefined;
  /** 0 if unknown. */
  readonly startLine: number;
}

export function readFunction(reader: WireReader, ids: IdTable, row: number): FunctionRecord {
  const fields = readNumberFields(reader);
  claimId(ids, fields.get(1), row, 'function', reader.offset);
  return { name: fields.get(2), file: fields.get(4), startLine: lineNumber(fields.get(5)) };
}

/**
 * Locations as columns; 64-bit ids as unsigned halves. Lines of location i are rows lineStart[i] … lineStart[i + 1] − 1
 * of the line columns (`functionLow`, `functionHigh`, `line`), leaf (innermost inlined) first.
 */
export interface LocationColumns {
  readonly address: ColumnBuilder<BigUint64Array>;
  readonly mappingLow: ColumnBuilder<Int32Array>;
  readonly mappingHigh: ColumnBuilder<Int32Array>;
  readonly lineStart: ColumnBuilder<Int32Array>;
  readonly functionLow: ColumnBuilder<Int32Array>;
  readonly functionHigh: ColumnBuilder<Int32Array>;
  readonly line: ColumnBuilder<Int32Array>;
}

export function newLocationColumns(): LocationColumns {
  return {
    address: bigUint64Column(),
    mappingLow: int32Column(),
    mappingHigh: int32Column(),
    lineStart: int32Column(),
    functionLow: int32Column(),
    functionHigh: int32Column(),
    line: int32Column(),
  };
}

/** Appends one location; `lines` is a second reader for nested messages. */
export function readLocation(reader: WireReader, lines: WireReader, ids: IdTable, columns: LocationColumns): void {
  let id: NumberField | undefined;
  let mappingLow = 0;
  let mappingHigh = 0;
  let address = 0n;
  columns.lineStart.push(columns.line.length);
  while (reader.next()) {
    if (reader.field === 1) id = numberField(reader);
    else if (reader.field === 2) [mappingLow, mappingHigh] = [reader.low, reader.high];
    else if (reader.field === 3) address = reader.unsigned;
    else if (reader.field === 4) {
      if (reader.type !== BYTES) throw malformedMessage(`a line of wire type ${reader.type}`, reader.offset);
      readLine(lines.enter(reader.start, reader.stop), columns);
    }
  }
  claimId(ids, id, columns.address.length, 'location', reader.offset);
  columns.address.push(address);
  columns.mappingLow.push(mappingLow);
  columns.mappingHigh.push(mappingHigh);
}

function readLine(reader: WireReader, columns: LocationColumns): void {
  const fields = readNumberFields(reader);
  const func = fields.get(1);
  columns.functionLow.push(func?.low ?? 0);
  columns.functionHigh.push(func?.high ?? 0);
  columns.line.push(lineNumber(fields.get(2)));
}

/** Numbers beyond 31 bits and negative numbers are not valid lines: 0 (unknown). */
function lineNumber(value: NumberField | undefined): number {
  return value !== undefined && value.high === 0 && value.low <= 0x7fff_ffff ? value.low : 0;
}

function claimId(ids: IdTable, id: NumberField | undefined, row: number, what: string, byte: number): void {
  if (id === undefined || (id.low === 0 && id.high === 0)) throw malformedMessage(`a ${what} without an id`, byte);
  if (!ids.add(id.low, id.high, row)) throw malformedMessage(`two ${what}s with one id`, byte);
}
