/** Parts the lines of a script of ours from what else comes on the same stream, whatever it is cut into. */
export interface MarkedLines {
  /** Returns what is not the script's. */
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back. */
  finish(): Uint8Array;
}

/** The script's lines are far shorter. */
const MAX_LINE_BYTES = 4096;

/** `onLine` gets the words after the token, which nobody else knows: a line may begin anywhere in what others print. */
export function readMarkedLines(token: string, onLine: (words: readonly string[]) => void): MarkedLines {
  const mark = Buffer.from(`${token} `);
  let held: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const passed: Buffer[] = [];
      let rest: Buffer = Buffer.concat([held, chunk]);
      held = Buffer.alloc(0);
      for (let at = rest.indexOf(mark); at >= 0; at = rest.indexOf(mark)) {
        passed.push(rest.subarray(0, at));
        rest = rest.subarray(at);
        const end = rest.indexOf(10);
        if (end < 0 && rest.length < MAX_LINE_BYTES) {
          held = rest;
          return Buffer.concat(passed);
        }
        const line = end < 0 ? rest : rest.subarray(0, end);
        onLine(line.subarray(mark.length).toString().split(' '));
        rest = rest.subarray(line.length + 1);
      }
      const kept = prefixAtEnd(rest, mark);
      held = rest.subarray(rest.length - kept);
      return Buffer.concat([...passed, rest.subarray(0, rest.length - kept)]);
    },
    finish() {
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
}

/** How many bytes at the end of `bytes` may be the beginning of `mark`. */
function prefixAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}
