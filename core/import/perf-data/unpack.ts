import { ImportFailure } from '../../model/failure.ts';
import { UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { ZstdStage } from '../unpack/zstd.ts';

/**
 * Unpacks what `perf record -z` writes: one Zstandard stream in pieces, a record each, each flushed by the writer, so that each unpacks
 * at once.
 */
export class PerfDataUnpacker {
  readonly #meter = new UnwrapMeter();
  readonly #stage: ZstdStage;
  #origin = 0;

  /** `onBytes` gets the unpacked bytes in pieces, with the offset of the record that they came in. */
  constructor(onBytes: (bytes: Uint8Array, origin: number) => void) {
    const sink = { push: (bytes: Uint8Array) => onBytes(bytes, this.#origin), end: () => undefined };
    this.#stage = new ZstdStage(sink, this.#meter);
  }

  push(packed: Uint8Array, origin: number): void {
    this.#origin = origin;
    this.#meter.sourceBytes += packed.length;
    try {
      this.#stage.push(packed);
    } catch (error) {
      if (!(error instanceof ImportFailure) || !error.message.startsWith('the zstd data')) throw error;
      throw new ImportFailure(
        'malformed',
        'perf.data: a compressed record is damaged; record again, or copy the file again',
        { byte: origin },
      );
    }
  }
}
