/** The newest part of a terminal's output. */
export interface TerminalBuffer {
  append(text: string): void;
  readonly text: string;
  /** Number of UTF-16 units appended so far, where `text` ends. */
  readonly end: number;
}

/**
 * Maximum length kept, some hundred screens: logins print little, and a host that prints endlessly must not fill
 * memory.
 */
const MAX_UNITS = 64 * 1024;

export function createTerminalBuffer(): TerminalBuffer {
  let text = '';
  let end = 0;
  return {
    append(more) {
      end += more.length;
      text = newestOf(text + more);
    },
    get text() {
      return text;
    },
    get end() {
      return end;
    },
  };
}

/**
 * Returns the newest part of a text. It begins after a line end if there is one, so that no escape sequence or
 * surrogate pair is cut.
 */
export function newestOf(text: string): string {
  if (text.length <= MAX_UNITS) return text;
  const kept = text.slice(-MAX_UNITS);
  return kept.slice(kept.indexOf('\n') + 1);
}
