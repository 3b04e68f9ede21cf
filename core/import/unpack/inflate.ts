import { Inflate, Unzlib } from 'fflate';
import { ImportFailure, malformed, messageOf } from '../../model/failure.ts';
import { joinBytes } from '../../model/join-bytes.ts';
import { DEFLATED_PIECE_BYTES } from './gzip.ts';
import type { UnwrapMeter } from './unwrap-meter.ts';

/**
 * Unpacks a deflate stream (RFC 1951) or a zlib stream (RFC 1950) into memory. `what` names it in messages. Throws
 * `ImportFailure`: as the meter does, or `malformed` if it is damaged or truncated.
 */
export function inflate(packed: Uint8Array, form: 'deflate' | 'zlib', meter: UnwrapMeter, what: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  const inflater = new (form === 'zlib' ? Unzlib : Inflate)((piece) => {
    pieces.push(piece);
    meter.take(piece.length);
  });
  try {
    for (let at = 0; at === 0 || at < packed.length; at += DEFLATED_PIECE_BYTES) {
      const piece = packed.subarray(at, at + DEFLATED_PIECE_BYTES);
      meter.sourceBytes += piece.length;
      inflater.push(piece, at + DEFLATED_PIECE_BYTES >= packed.length);
    }
  } catch (error) {
    if (error instanceof ImportFailure) throw error;
    const reason = messageOf(error);
    throw malformed(`${what} is damaged (${reason})`);
  }
  return joinBytes(pieces);
}
