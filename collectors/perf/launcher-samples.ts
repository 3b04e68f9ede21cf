import { joinBytes } from '#core/model/join-bytes.ts';
import { LAUNCHER_NAME } from '../target/launched-program.ts';

/**
 * Removes the launcher's samples from the text of `perf script`. They precede the program's, because the launcher's
 * process becomes the program.
 */
interface WithoutLauncher {
  push(chunk: Uint8Array): Uint8Array;
  /** Returns what was held back when the text ended. */
  finish(): Uint8Array;
  readonly leftOut: number;
}

const NEWLINE = 0x0a;
const BLANK = 0x20;

export function withoutLauncher(): WithoutLauncher {
  const name = new TextEncoder().encode(LAUNCHER_NAME);
  let held: Uint8Array = new Uint8Array();
  let isPast = false;
  let leftOut = 0;

  /** Returns null if the text is too short to tell. */
  function beginsWithLauncher(text: Uint8Array): boolean | null {
    const start = text.findIndex((byte) => byte !== BLANK);
    if (start < 0 || text.length < start + name.length + 1) return null;
    return name.every((byte, at) => text[start + at] === byte) && text[start + name.length] === BLANK;
  }

  return {
    push(chunk) {
      if (isPast) return chunk;
      held = joinBytes([held, chunk]);
      for (;;) {
        const isLauncher = beginsWithLauncher(held);
        if (isLauncher === null) return new Uint8Array();
        if (!isLauncher) {
          isPast = true;
          return this.finish();
        }
        const end = endOfSample(held);
        if (end < 0) return new Uint8Array();
        leftOut += 1;
        held = held.subarray(end);
      }
    },
    finish() {
      const rest = held;
      held = new Uint8Array();
      return rest;
    },
    get leftOut() {
      return leftOut;
    },
  };
}

/** Returns where the next sample begins, after an empty line; negative if that has not arrived. */
function endOfSample(text: Uint8Array): number {
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
    if (text[at + 1] === NEWLINE) return at + 2;
  }
  return -1;
}

/** Does the same for a whole text. `onEnd` receives the number of samples left out. */
export async function* textWithoutLauncher(
  text: AsyncIterable<Uint8Array>,
  onEnd?: (leftOut: number) => void,
): AsyncGenerator<Uint8Array> {
  const filter = withoutLauncher();
  for await (const chunk of text) yield filter.push(chunk);
  yield filter.finish();
  onEnd?.(filter.leftOut);
}
