import { joinBytes } from '../../../model/join-bytes.ts';
import { aligned, ENTRY, ENTRY_BYTES, HEADER, HEADER_BYTES, MAGIC, SECTION } from '../../../model/native/layout.ts';
import type { Steps } from '../../../steps.ts';
import { damaged } from './bytes.ts';
import {
  areWhole,
  codeAddresses,
  codeFrames,
  codeNumbers,
  CODING,
  decodeAddresses,
  decodeFrames,
  decodeNumbers,
} from './codings.ts';

/**
 * A native file as stored in a report: the same bytes, with columns coded so that they compress better. Little-endian:
 * the native file's length u32, the length of its header and directory u32, both unchanged, then each section of the
 * directory: coding u8, length in bytes u32, bytes. The native file's own checksum verifies the result.
 */

const HEAD = 8;
const SECTION_HEAD = 5;

const NUMBERS: ReadonlyMap<number, number> = new Map([
  [SECTION.functionName, CODING.byMaximum],
  [SECTION.functionModule, CODING.plain],
  [SECTION.frameFunction, CODING.byMaximum],
  [SECTION.stackParent, CODING.byRow],
  [SECTION.sampleStack, CODING.byMaximum],
  [SECTION.sampleThread, CODING.plain],
  [SECTION.sampleLabelSet, CODING.plain],
]);

/** Maximum factor by which decoding enlarges a column: a number takes at least 1 byte coded, at most 8 decoded. */
const MOST_GROWTH = 8;

interface Section {
  readonly id: number;
  readonly offset: number;
  readonly byteLength: number;
}

export function codeColumns(native: Uint8Array<ArrayBuffer>): Uint8Array {
  const head = headBytes(native);
  const parts: Uint8Array[] = [new Uint8Array(HEAD), native.subarray(0, head)];
  const start = new DataView(parts[0]!.buffer);
  start.setUint32(0, native.length, true);
  start.setUint32(4, head, true);
  const sections = directory(native);
  for (const section of sections) {
    const [coding, bytes] = codeSection(native, section, sections);
    const before = new DataView(new ArrayBuffer(SECTION_HEAD));
    before.setUint8(0, coding);
    before.setUint32(1, bytes.length, true);
    parts.push(new Uint8Array(before.buffer), bytes);
  }
  return joinBytes(parts);
}

function codeSection(
  native: Uint8Array<ArrayBuffer>,
  section: Section,
  all: readonly Section[],
): readonly [number, Uint8Array] {
  const { id, offset, byteLength } = section;
  const numbers = NUMBERS.get(id);
  if (numbers !== undefined) return [numbers, codeNumbers(int32(native, section), numbers)];
  if (id === SECTION.stackFrame) {
    return [CODING.byFrame, codeFrames(int32(native, section), other(native, all, SECTION.stackParent))];
  }
  if (id === SECTION.frameAddress) {
    const addresses = new BigUint64Array(native.buffer, native.byteOffset + offset, byteLength / 8);
    return [CODING.byFunction, codeAddresses(addresses, other(native, all, SECTION.frameFunction))];
  }
  if (id === SECTION.sampleTime) {
    const times = float64(native, section);
    if (areWhole(times)) return [CODING.times, codeNumbers(times, CODING.times)];
  }
  return [CODING.asIs, native.subarray(offset, offset + byteLength)];
}

/** Returns the native file of a capture; reports from before columns were coded store it as it is. */
export function* captureSteps(bytes: Uint8Array): Steps<Uint8Array> {
  return MAGIC.every((byte, at) => bytes[at] === byte) ? bytes : yield* decodeColumns(bytes);
}

/** Returns the native file, which its reader must check. Throws an ImportFailure if the bytes are damaged. */
function* decodeColumns(coded: Uint8Array): Steps<Uint8Array<ArrayBuffer>> {
  if (coded.length < HEAD) throw damaged('it ends early');
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const length = view.getUint32(0, true);
  const head = view.getUint32(4, true);
  let at = HEAD + head;
  if (head < HEADER_BYTES || at > coded.length || length < head || length > coded.length * MOST_GROWTH) {
    throw damaged('its lengths');
  }
  const native = new Uint8Array(length);
  native.set(coded.subarray(HEAD, at));
  if (headBytes(native) !== head) throw damaged('its directory');
  const sections = directory(native);
  for (const section of sections) {
    const { offset, byteLength } = section;
    if (at + SECTION_HEAD > coded.length || offset < head || offset % 8 !== 0 || offset + byteLength > length) {
      throw damaged('a section lies outside the file');
    }
    const coding = view.getUint8(at);
    const end = at + SECTION_HEAD + view.getUint32(at + 1, true);
    if (end > coded.length) throw damaged('a section ends early');
    yield* decodeSection(native, section, sections, coding, coded.subarray(at + SECTION_HEAD, end));
    at = end;
    yield;
  }
  if (at !== coded.length) throw damaged('it continues after its end');
  return native;
}

function* decodeSection(
  native: Uint8Array<ArrayBuffer>,
  section: Section,
  all: readonly Section[],
  coding: number,
  bytes: Uint8Array,
): Steps<void> {
  const { offset, byteLength } = section;
  switch (coding) {
    case CODING.asIs:
      if (bytes.length !== byteLength) throw damaged('a section has another length');
      native.set(bytes, offset);
      return;
    case CODING.byFrame:
      return yield* decodeFrames(int32(native, section), other(native, all, SECTION.stackParent), bytes);
    case CODING.byFunction: {
      if (byteLength % 8 !== 0) throw damaged('the addresses');
      const addresses = new BigUint64Array(native.buffer, offset, byteLength / 8);
      return yield* decodeAddresses(addresses, other(native, all, SECTION.frameFunction), bytes);
    }
    case CODING.times:
      return yield* decodeNumbers(float64(native, section), coding, bytes);
    default:
      return yield* decodeNumbers(int32(native, section), coding, bytes);
  }
}

/** Returns the bytes of header and directory. */
function headBytes(native: Uint8Array): number {
  const count = new DataView(native.buffer, native.byteOffset).getUint32(HEADER.sectionCount, true);
  return HEADER_BYTES + aligned(count * ENTRY_BYTES);
}

function directory(native: Uint8Array): Section[] {
  const view = new DataView(native.buffer, native.byteOffset);
  return Array.from({ length: view.getUint32(HEADER.sectionCount, true) }, (_, index) => {
    const row = HEADER_BYTES + index * ENTRY_BYTES;
    return {
      id: view.getUint32(row + ENTRY.id, true),
      offset: Number(view.getBigUint64(row + ENTRY.offset, true)),
      byteLength: Number(view.getBigUint64(row + ENTRY.byteLength, true)),
    };
  });
}

function int32(native: Uint8Array<ArrayBuffer>, { offset, byteLength }: Section): Int32Array {
  if (byteLength % 4 !== 0) throw damaged('a column of numbers');
  return new Int32Array(native.buffer, native.byteOffset + offset, byteLength / 4);
}

function float64(native: Uint8Array<ArrayBuffer>, { offset, byteLength }: Section): Float64Array {
  if (byteLength % 8 !== 0) throw damaged('a column of times');
  return new Float64Array(native.buffer, native.byteOffset + offset, byteLength / 8);
}

/** Returns a column that precedes the one being read. */
function other(native: Uint8Array<ArrayBuffer>, all: readonly Section[], id: number): Int32Array {
  const section = all.find((one) => one.id === id);
  if (section === undefined) throw damaged(`section ${id} is missing`);
  if (section.offset % 8 !== 0 || section.offset + section.byteLength > native.length) throw damaged('a section');
  return int32(native, section);
}
