import { cleanMessage } from './explain-failure.ts';

const MAX_LINES = 20;
const MAX_CHARACTERS = 64 * 1024;
/** What perf says at the end of each recording; in pipe mode its size is always 0.000 MB. */
const NOISE = /^\[ perf record: (?:Woken up|Captured and wrote)/;

/** What a process prints on stderr, as lines for display. */
export interface MessageLog {
  /** Newest last, at most 20, without control characters. */
  readonly lines: readonly string[];
  /** The beginning, as printed. */
  readonly text: string;
  read(output: AsyncIterable<Uint8Array>): Promise<void>;
}

export function createMessageLog(): MessageLog {
  const lines: string[] = [];
  let text = '';
  const add = (line: string): void => {
    const clean = cleanMessage(line).slice(0, 500);
    if (clean === '' || NOISE.test(clean)) return;
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
