import { WireReader } from '#core/wire/protobuf-reader.ts';
import { bytes, varint } from './encode/pprof.ts';

const LOCATION = 4;
const FUNCTION = 5;
const LINE = 4;
const START_LINE = 5;

/** Returns an uncompressed pprof profile without functions and lines, as a profiler that knows only addresses writes it. */
export function withoutNames(profile: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  forEachField(profile, (field, content, whole) => {
    if (field === FUNCTION) return;
    if (field !== LOCATION) return void parts.push(whole);
    const kept: number[] = [];
    forEachField(content, (inner, _, part) => {
      if (inner !== LINE) kept.push(...part);
    });
    parts.push(Uint8Array.from(bytes(LOCATION, kept)));
  });
  return Buffer.concat(parts);
}

/** Returns an uncompressed pprof profile without the functions' first lines; null if no function has one. */
export function withoutFirstLines(profile: Uint8Array): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let found = false;
  forEachField(profile, (field, content, whole) => {
    if (field !== FUNCTION) return void parts.push(whole);
    const kept: number[] = [];
    forEachField(content, (inner, _, part) => {
      if (inner === START_LINE) found = true;
      else kept.push(...part);
    });
    parts.push(Uint8Array.from(bytes(FUNCTION, kept)));
  });
  return found ? Buffer.concat(parts) : null;
}

function forEachField(
  message: Uint8Array,
  visit: (field: number, content: Uint8Array, whole: Uint8Array) => void,
): void {
  const reader = new WireReader(message);
  while (reader.next()) {
    const { field, type, start, stop } = reader;
    const content = message.subarray(start, stop);
    if (type === 2)
      visit(field, content, Uint8Array.from([...varint((field << 3) | 2), ...varint(content.length), ...content]));
    else
      visit(
        field,
        content,
        Uint8Array.from([
          ...varint(field << 3),
          ...varint((BigInt(reader.high >>> 0) << 32n) | BigInt(reader.low >>> 0)),
        ]),
      );
  }
}
