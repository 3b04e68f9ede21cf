import { tooLarge, unsupported } from '../../model/failure.ts';
import { joinBytes } from '../../model/join-bytes.ts';
import { GunzipStage } from './gzip.ts';
import { UnwrapMeter, type ByteSink } from './unwrap-meter.ts';
import { isSkippable, ZSTD_MAGIC } from './zstd-frame.ts';
import { ZstdStage } from './zstd.ts';

/** Maximum nesting of wrappings. No profile has more, and quines that unpack to themselves never end. */
const MAX_DEPTH = 4;

/**
 * Removes compression and text encodings, nested in any order: gzip, zstd, UTF-16 with a byte order mark (converted to
 * UTF-8), the UTF-8 byte order mark. Other input passes through without a copy.
 */
export class UnwrapStage implements ByteSink {
  readonly #target: ByteSink;
  readonly #meter: UnwrapMeter;
  readonly #depth: number;
  /** The first bytes, until there are enough to recognise the wrapping. */
  #first = new Uint8Array(0);
  #next: ByteSink | null = null;

  /** `depth` is the number of wrappings removed already; the meter then counts the source's bytes elsewhere. */
  constructor(target: ByteSink, meter: UnwrapMeter = new UnwrapMeter(), depth = 0) {
    this.#target = target;
    this.#meter = meter;
    this.#depth = depth;
  }

  push(chunk: Uint8Array): void {
    if (this.#depth === 0) this.#meter.sourceBytes += chunk.length;
    if (this.#next !== null) return this.#next.push(chunk);
    if (this.#first.length === 0 && chunk.length >= MAGIC_BYTES) return this.#begin(chunk);
    this.#first = joinBytes([this.#first, chunk]);
    if (this.#first.length >= MAGIC_BYTES) this.#begin(this.#first);
  }

  /** The input is known to have neither compression nor an encoding to remove. */
  get isPlain(): boolean {
    return this.#next === this.#target;
  }

  end(): void {
    if (this.#next === null) this.#begin(this.#first);
    this.#next!.end();
  }

  #begin(first: Uint8Array): void {
    const inside = (): UnwrapStage => {
      if (this.#depth >= MAX_DEPTH) {
        throw tooLarge(`compressed more than ${MAX_DEPTH} times over; unpack it first`);
      }
      return new UnwrapStage(this.#target, this.#meter, this.#depth + 1);
    };
    let rest = first;
    if (isGzip(first)) {
      this.#next = new GunzipStage(inside(), this.#meter);
    } else if (isZstd(first)) {
      this.#next = new ZstdStage(inside(), this.#meter);
    } else if (startsWith(first, 0xff, 0xfe, 0, 0)) {
      throw unsupported('text in UTF-32; save it as UTF-8 and open that');
    } else if (startsWith(first, 0xff, 0xfe)) {
      this.#next = new Utf16Stage(this.#target, 'utf-16le');
    } else if (startsWith(first, 0xfe, 0xff)) {
      this.#next = new Utf16Stage(this.#target, 'utf-16be');
    } else {
      this.#next = this.#target;
      if (startsWith(first, 0xef, 0xbb, 0xbf)) rest = first.subarray(3);
    }
    if (rest.length > 0) this.#next.push(rest);
  }
}

export const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b, 0x08);

/** A frame, or a skippable frame, which may come first. */
function isZstd(bytes: Uint8Array): boolean {
  const magic = bytes.length < MAGIC_BYTES ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return magic === ZSTD_MAGIC || isSkippable(magic);
}

/** Enough bytes to distinguish all wrappings. */
const MAGIC_BYTES = 4;

function startsWith(bytes: Uint8Array, ...magic: number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

class Utf16Stage implements ByteSink {
  readonly #target: ByteSink;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #encoder = new TextEncoder();

  constructor(target: ByteSink, encoding: 'utf-16le' | 'utf-16be') {
    this.#target = target;
    this.#decoder = new TextDecoder(encoding);
  }

  push(chunk: Uint8Array): void {
    this.#forward(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): void {
    this.#forward(this.#decoder.decode());
    this.#target.end();
  }

  #forward(text: string): void {
    if (text !== '') this.#target.push(this.#encoder.encode(text));
  }
}
