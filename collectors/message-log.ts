const MAX_LINES = 20;
const MAX_CHARACTERS = 64 * 1024;

/** A process's stderr, as lines for display. */
export interface MessageLog {
  /** Newest last, at most 20, without control characters. */
  readonly lines: readonly string[];
  /** The start of the output, as printed. */
  readonly text: string;
  read(output: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Lines for which `isNoise` returns true are left out of {@link MessageLog.lines}. */
export function createMessageLog(isNoise: (line: string) => boolean): MessageLog {
  const lines: string[] = [];
  let text = '';
  const add = (line: string): void => {
    const clean = cleanMessage(line).slice(0, 500);
    if (clean === '' || isNoise(clean)) return;
    lines.push(clean);
    if (lines.length > MAX_LINES) lines.shift();
  };
  return {
    lines,
    get text() {
      return text;
    },
    async read(output) {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of output) {
        const more = decoder.decode(chunk, { stream: true });
        if (text.length < MAX_CHARACTERS) text += more;
        const parts = (rest + more).split(/\r?\n|\r/);
        rest = (parts.pop() ?? '').slice(-MAX_CHARACTERS);
        parts.forEach(add);
      }
      add(rest);
    },
  };
}

/** Cleans a line for display: no control characters, no terminal escapes, nothing that reorders text. */
export function cleanMessage(line: string): string {
  return line
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
}
