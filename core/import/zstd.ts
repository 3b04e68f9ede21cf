import { Decompress } from 'fzstd';
import { ImportFailure } from '../model/failure.ts';
import type { ByteSink, UnwrapMeter } from './unwrap.ts';

const PIECE_BYTES = 64 * 1024;

/** Unpacks Zstandard (RFC 8878). */
export class ZstdStage implements ByteSink {
  readonly #target: ByteSink;
  readonly #meter: UnwrapMeter;
  readonly #decoder: Decompress;
  #read = 0;
  #written = 0;

  constructor(target: ByteSink, meter: UnwrapMeter) {
    this.#target = target;
    this.#meter = meter;
    this.#decoder = new Decompress((bytes) => this.#forward(bytes));
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) this.#decode(chunk.slice(at, at + PIECE_BYTES), false);
  }

  end(): void {
    this.#decode(new Uint8Array(0), true);
    this.#target.end();
  }

  #decode(piece: Uint8Array, final: boolean): void {
    this.#read += piece.length;
    try {
      this.#decoder.push(piece, final);
    } catch (error) {
      if (error instanceof ImportFailure || !(error instanceof Error)) throw error;
      throw new ImportFailure(
        'malformed',
        `the zstd data ends early or is damaged within its first ${this.#read} bytes`,
        {
          byte: this.#written,
        },
      );
    }
  }

  #forward(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#written += bytes.length;
    this.#meter.check(this.#written);
    this.#target.push(bytes);
  }
}
