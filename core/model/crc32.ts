/** CRC-32 of RFC 1952 (gzip), eight bytes per step (Intel's slicing-by-8). */
const TABLES: readonly Int32Array[] = makeTables();

function makeTables(): Int32Array[] {
  const first = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
    first[byte] = remainder;
  }
  const tables = [first];
  for (let slice = 1; slice < 8; slice++) {
    const previous = tables[slice - 1]!;
    tables.push(previous.map((remainder) => (remainder >>> 8) ^ first[remainder & 0xff]!));
  }
  return tables;
}

/** Continues `crc` (0 at the start) over `bytes`. Returns an unsigned integer. */
export function crc32(crc: number, bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  let remainder = ~crc;
  let at = 0;
  for (const last = bytes.length - 8; at <= last; at += 8) {
    remainder ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    remainder =
      t7![remainder & 0xff]! ^
      t6![(remainder >>> 8) & 0xff]! ^
      t5![(remainder >>> 16) & 0xff]! ^
      t4![remainder >>> 24]! ^
      t3![bytes[at + 4]!]! ^
      t2![bytes[at + 5]!]! ^
      t1![bytes[at + 6]!]! ^
      t0![bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) remainder = (remainder >>> 8) ^ t0![(remainder ^ bytes[at]!) & 0xff]!;
  return ~remainder >>> 0;
}
