import { Decompress } from 'fzstd';
import { malformed, tooLarge, unsupported, type ImportFailure } from '../../model/failure.ts';
import type { ByteSink, UnwrapMeter } from './unwrap-meter.ts';
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  DESCRIPTOR_END,
  frameHeaderBytes,
  isSkippable,
  MAX_BLOCK_BYTES,
  readBlockHeader,
  readFrameHeader,
  ZSTD_MAGIC,
  type FrameHeader,
} from './zstd-frame.ts';

/** The limit of `zstd -d` without `--long`: the decoder keeps a window of this size and moves it with every block. */
const MAX_WINDOW_BYTES = 128 * 2 ** 20;
/**
 * Bound on the windows of all frames together, which the decoder clears and moves: a fixed number of bytes plus a
 * number per unpacked byte.
 */
const FREE_WINDOW_BYTES = 256 * 2 ** 20;
const WINDOW_PER_BYTE = 16;
/** Descriptor of a window of one block (RFC 8878, 3.1.1.1.2), which is enough for a frame of one block. */
const ONE_BLOCK_WINDOW = 7 << 3;
const MAGIC_BYTES = 4;
const SKIPPABLE_HEADER_BYTES = 8;

type Part = 'magic' | 'skippable-size' | 'descriptor' | 'frame-header' | 'block-header' | 'block' | 'checksum';

/**
 * Unpacks Zstandard (RFC 8878), frame after frame. Splits the input into whole blocks, so that every end and every size
 * is checked here and the decoder only unpacks blocks. Sizes are checked against the frames' statements; content
 * checksums (XXH64) are not checked.
 */
export class ZstdStage implements ByteSink {
  readonly #target: ByteSink;
  readonly #meter: UnwrapMeter;
  /** Buffer for the current part: `#needed` bytes, of which `#used` have arrived. */
  readonly #buffer = new Uint8Array(BLOCK_HEADER_BYTES + MAX_BLOCK_BYTES + CHECKSUM_BYTES);
  #part: Part = 'magic';
  #needed = MAGIC_BYTES;
  #used = 0;
  #skip = 0;
  #read = 0;
  #written = 0;
  #windowBytes = 0;
  #frame: FrameHeader | null = null;
  #frameStart = 0;
  #isLast = false;
  /** Header of a frame whose first block has not arrived. */
  #header: Uint8Array | null = null;
  #decoder: Decompress | null = null;
  /** Output of the decoder for the latest block. */
  #unpacked: Uint8Array[] = [];

  constructor(target: ByteSink, meter: UnwrapMeter) {
    this.#target = target;
    this.#meter = meter;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const wanted = this.#skip > 0 ? this.#skip : this.#needed - this.#used;
      const piece = chunk.subarray(at, at + wanted);
      at += piece.length;
      this.#read += piece.length;
      if (this.#skip > 0) {
        this.#skip -= piece.length;
        continue;
      }
      this.#buffer.set(piece, this.#used);
      this.#used += piece.length;
      if (this.#used === this.#needed) this.#step();
    }
  }

  end(): void {
    if (this.#part !== 'magic' || this.#used > 0 || this.#skip > 0) throw this.#damaged('is truncated');
    this.#target.end();
  }

  /** Called when the current part is complete. */
  #step(): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    switch (this.#part) {
      case 'magic':
        return this.#startFrame(readUint32(bytes, 0));
      case 'skippable-size':
        this.#skip = readUint32(bytes, MAGIC_BYTES);
        return this.#begin('magic', MAGIC_BYTES);
      case 'descriptor':
        return this.#extend('frame-header', frameHeaderBytes(bytes[MAGIC_BYTES]!));
      case 'frame-header':
        return this.#readFrameHeader(bytes);
      case 'block-header':
        return this.#readBlockHeader(bytes);
      case 'block':
        if (this.#isLast && this.#frame!.hasChecksum) return this.#extend('checksum', this.#used + CHECKSUM_BYTES);
        return this.#finishBlock(bytes);
      case 'checksum':
        return this.#finishBlock(bytes);
    }
  }

  #startFrame(magic: number): void {
    if (magic === ZSTD_MAGIC) this.#extend('descriptor', DESCRIPTOR_END);
    else if (isSkippable(magic)) this.#extend('skippable-size', SKIPPABLE_HEADER_BYTES);
    else throw this.#damaged('has other data after its end');
  }

  #readFrameHeader(bytes: Uint8Array): void {
    const frame = readFrameHeader(bytes);
    if (frame.needsDictionary) {
      throw unsupported('zstd data that needs a dictionary; unpack it with `zstd -d -D` and open the result');
    }
    if (frame.windowBytes > MAX_WINDOW_BYTES) {
      const size = Math.ceil(frame.windowBytes / 2 ** 20);
      throw tooLarge(
        `zstd data with a window of ${size} MiB; unpack it with \`zstd -d --long=31\` and open the result`,
      );
    }
    this.#frame = frame;
    this.#frameStart = this.#written;
    this.#header = bytes.slice();
    this.#begin('block-header', BLOCK_HEADER_BYTES);
  }

  /** Called at the first block of a frame. `isOnly`: there is no other block. */
  #startDecoder(header: Uint8Array, isOnly: boolean): void {
    const { windowBytes, hasWindowDescriptor } = this.#frame!;
    if (isOnly && hasWindowDescriptor && windowBytes > MAX_BLOCK_BYTES) header[DESCRIPTOR_END] = ONE_BLOCK_WINDOW;
    else this.#countWindow(windowBytes);
    this.#decoder = new Decompress((output) => {
      if (output.length > 0) this.#unpacked.push(output);
    });
    this.#decode(header, false);
  }

  #countWindow(bytes: number): void {
    this.#windowBytes += bytes;
    if (this.#windowBytes <= FREE_WINDOW_BYTES + WINDOW_PER_BYTE * this.#written) return;
    throw tooLarge(
      `zstd frames whose windows add up to more than ${FREE_WINDOW_BYTES / 2 ** 20} MiB and ${WINDOW_PER_BYTE} times what they unpack to; unpack the file with \`zstdcat\` and open the result`,
      { byte: this.#written },
    );
  }

  #readBlockHeader(bytes: Uint8Array): void {
    const { isLast, storedBytes, isValid } = readBlockHeader(bytes);
    if (!isValid) throw this.#damaged('is damaged');
    this.#isLast = isLast;
    if (this.#header !== null) this.#startDecoder(this.#header, isLast);
    this.#header = null;
    this.#extend('block', BLOCK_HEADER_BYTES + storedBytes);
    if (storedBytes === 0) this.#step();
  }

  #finishBlock(bytes: Uint8Array): void {
    this.#decode(bytes, this.#isLast);
    if (!this.#isLast) return this.#begin('block-header', BLOCK_HEADER_BYTES);
    const { contentBytes } = this.#frame!;
    if (contentBytes !== null && contentBytes !== this.#written - this.#frameStart)
      throw this.#damaged('is damaged (size)');
    this.#decoder = null;
    this.#begin('magic', MAGIC_BYTES);
  }

  #begin(part: Part, needed: number): void {
    this.#used = 0;
    this.#extend(part, needed);
  }

  /** Continues collecting: the next part starts with the bytes of this one. */
  #extend(part: Part, needed: number): void {
    this.#part = part;
    this.#needed = needed;
  }

  /** Copies the bytes because the decoder keeps them. For damaged blocks it may throw any kind of Error. */
  #decode(bytes: Uint8Array, final: boolean): void {
    try {
      this.#decoder!.push(bytes.slice(), final);
    } catch {
      throw this.#damaged('is damaged');
    }
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    for (const output of unpacked) {
      this.#written += output.length;
      this.#meter.check(this.#written);
      this.#target.push(output);
    }
  }

  #damaged(what: string): ImportFailure {
    return malformed(
      `the zstd data ${what} within its first ${this.#read} bytes; copy the file again, or unpack the intact part with \`zstdcat\` and open that`,
      { byte: this.#written },
    );
  }
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
