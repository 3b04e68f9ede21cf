import { UnwrapMeter, type ByteSink } from './unwrap-meter.ts';
import { UnwrapStage } from './unwrap.ts';

/** Source bytes between two yields, because compressed bytes may expand a thousand times. */
const PIECE_BYTES = 1 << 16;

/**
 * Yields the bytes without compression, as they arrive. A chunk is valid until the next one is requested. Throws
 * `ImportFailure`.
 */
export async function* unwrappedChunks(
  chunks: AsyncIterable<Uint8Array>,
  meter = new UnwrapMeter(),
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const sink: ByteSink = {
    push: (piece) => void pieces.push(unwrapping.isPlain ? piece : piece.slice()),
    end: () => undefined,
  };
  const unwrapping = new UnwrapStage(sink, meter);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      unwrapping.push(chunk.subarray(at, at + PIECE_BYTES));
      yield* pieces;
      pieces = [];
    }
  }
  unwrapping.end();
  yield* pieces;
}
