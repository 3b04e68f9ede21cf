import { joinBytes } from '#core/model/join-bytes.ts';

const NEWLINE = 0x0a;

/**
 * Cuts the text of `perf script` where samples end: after an empty line. Over a link the text may end anywhere, and an
 * incomplete stack is useless.
 */
interface WholeSamples {
  /** Returns the complete samples so far; may be empty. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns what is left after the last complete sample. */
  rest(): Uint8Array;
}

export function createWholeSamples(): WholeSamples {
  let held: Uint8Array[] = [];
  let endsWithNewline = false;
  return {
    push(chunk) {
      const end = endOfSamples(chunk, endsWithNewline);
      if (chunk.length > 0) endsWithNewline = chunk[chunk.length - 1] === NEWLINE;
      if (end === 0) {
        held.push(chunk);
        return new Uint8Array();
      }
      const whole = joinBytes([...held, chunk.subarray(0, end)]);
      held = [chunk.subarray(end)];
      return whole;
    },
    rest: () => joinBytes(held),
  };
}

/** Returns the position after the last empty line; 0 if there is none. */
function endOfSamples(chunk: Uint8Array, followsNewline: boolean): number {
  for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
    if (at === 0 ? followsNewline : chunk[at - 1] === NEWLINE) return at + 1;
  }
  return 0;
}
