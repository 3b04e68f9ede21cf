/** What a terminal has shown, the newest part of it. */
export interface TerminalBuffer {
  append(text: string): void;
  readonly text: string;
  /** UTF-16 units appended so far; `text` ends there. */
  readonly end: number;
}

/** Some hundred screens: logins print little, and a host that prints without end must not fill memory. */
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

/** Begins after a line's end where there is one, so that no escape sequence or surrogate pair is cut. */
export function newestOf(text: string): string {
  if (text.length <= MAX_UNITS) return text;
  const kept = text.slice(-MAX_UNITS);
  return kept.slice(kept.indexOf('\n') + 1);
}
