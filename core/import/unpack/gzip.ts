import { Gunzip } from 'fflate';
import { malformed, tooLarge, type ImportFailure } from '../../model/failure.ts';
import { crc32 } from '../../model/crc32.ts';
import type { ByteSink, UnwrapMeter } from './unwrap-meter.ts';

/** Deflate expands at most 1,032 times, and the inflater returns all output of a piece at once: at most 16 MiB. */
export const DEFLATED_PIECE_BYTES = 16 * 1024;
/**
 * Maximum length of a member header (which may hold a file name and a comment) at which the preceding member's checksum
 * is still available.
 */
const KEPT_BYTES = 64 * 1024;
const TRAILER_BYTES = 8;
/** Number of members that may be of any size, such as in appended logs. */
const FREE_MEMBERS = 4096;
/**
 * Minimum average of unpacked bytes per member beyond {@link FREE_MEMBERS}, because every member costs as much time as
 * some kilobytes. bgzip's members have 64 KiB.
 */
const MIN_MEMBER_BYTES = 1024;

/**
 * Unpacks gzip (RFC 1952), member after member, and checks each member's checksum and size, which the inflater does not
 * do.
 */
export class GunzipStage implements ByteSink {
  readonly #target: ByteSink;
  readonly #meter: UnwrapMeter;
  readonly #gunzip: Gunzip;
  /** The latest input bytes; `#keptLength` of them are set, the last one is at input offset `#read - 1`. */
  readonly #kept = new Uint8Array(KEPT_BYTES + DEFLATED_PIECE_BYTES);
  #keptLength = 0;
  /** Output of the inflater for the latest piece: bytes, and input offsets at which a member ended. */
  #unpacked: (Uint8Array | number)[] = [];
  #read = 0;
  #written = 0;
  #members = 0;
  #memberCrc = 0;
  #memberSize = 0;

  constructor(target: ByteSink, meter: UnwrapMeter) {
    this.#target = target;
    this.#meter = meter;
    this.#gunzip = new Gunzip((bytes) => void this.#unpacked.push(bytes));
    this.#gunzip.onmember = (offset) => void this.#unpacked.push(offset);
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += DEFLATED_PIECE_BYTES) {
      const piece = chunk.subarray(at, at + DEFLATED_PIECE_BYTES);
      this.#keep(piece);
      this.#inflate(piece, false);
    }
  }

  end(): void {
    this.#inflate(new Uint8Array(0), true);
    this.#checkMember(this.#read);
    this.#target.end();
  }

  #inflate(piece: Uint8Array, final: boolean): void {
    try {
      this.#gunzip.push(piece, final);
    } catch (error) {
      throw this.#damaged(
        final ? 'is truncated' : `is damaged (${error instanceof Error ? error.message : 'unknown'})`,
      );
    }
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    for (const output of unpacked) {
      if (typeof output === 'number') this.#checkMember(output);
      else this.#forward(output);
    }
  }

  #forward(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#written += bytes.length;
    this.#meter.check(this.#written);
    this.#memberCrc = crc32(this.#memberCrc, bytes);
    this.#memberSize = (this.#memberSize + bytes.length) >>> 0;
    this.#target.push(bytes);
  }

  #keep(piece: Uint8Array): void {
    this.#read += piece.length;
    const over = this.#keptLength + piece.length - this.#kept.length;
    if (over > 0) {
      this.#kept.copyWithin(0, over, this.#keptLength);
      this.#keptLength -= over;
    }
    this.#kept.set(piece, this.#keptLength);
    this.#keptLength += piece.length;
  }

  /** `end` is the input offset just after the member's trailer. */
  #checkMember(end: number): void {
    const at = this.#keptLength - (this.#read - end) - TRAILER_BYTES;
    const view = new DataView(this.#kept.buffer);
    const intact =
      at >= 0 && view.getUint32(at, true) === this.#memberCrc && view.getUint32(at + 4, true) === this.#memberSize;
    if (!intact) throw this.#damaged(end === this.#read ? 'is truncated or damaged' : 'is damaged (checksum)');
    this.#memberCrc = 0;
    this.#memberSize = 0;
    this.#members += 1;
    if (this.#members <= FREE_MEMBERS || this.#written >= this.#members * MIN_MEMBER_BYTES) return;
    throw tooLarge(
      `gzip data of more than ${FREE_MEMBERS.toLocaleString('en')} members with less than ${MIN_MEMBER_BYTES.toLocaleString('en')} bytes each; unpack it with \`zcat\` and open the result`,
      { byte: this.#written },
    );
  }

  #damaged(what: string): ImportFailure {
    return damagedGzip(what, this.#read, this.#written);
  }
}

/** `what` is what it is, within its first `readBytes`; `writtenBytes` are unpacked already. */
export const damagedGzip = (what: string, readBytes: number, writtenBytes: number): ImportFailure =>
  malformed(
    `the gzip data ${what} within its first ${readBytes} bytes; copy the file again, or unpack the intact part with \`zcat\` and open that`,
    { byte: writtenBytes },
  );
