import { BYTE_TABLE_PADDING, type ByteTable } from '../../model/intern/byte-table.ts';

/** Byte strings one after the other, in a form that passes between threads at little cost; key i ends where `ends[i]` says. */
export interface ByteKeys {
  /** Followed by the spare bytes that a {@link ByteTable} reads ahead. */
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
}

/** The bytes of some rows of a table. */
export function packKeys(table: ByteTable, rows: readonly number[]): ByteKeys {
  const ends = new Int32Array(rows.length);
  let length = 0;
  for (const [index, row] of rows.entries()) ends[index] = length += table.sizeOf(row);
  const bytes = new Uint8Array(length + BYTE_TABLE_PADDING);
  for (const [index, row] of rows.entries()) table.copyTo(row, bytes, index === 0 ? 0 : ends[index - 1]!);
  return { bytes, ends };
}

/** Calls `visit` with where each key lies in `view`, in order. */
export function visitKeys(
  { bytes, ends }: ByteKeys,
  visit: (index: number, view: DataView, start: number, end: number) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (const [index, end] of ends.entries()) {
    visit(index, view, start, end);
    start = end;
  }
}
