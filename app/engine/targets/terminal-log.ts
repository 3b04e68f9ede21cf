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

/** Time in ms for which output is combined into one message, short enough for typed text to echo immediately. */
const TEXT_MS = 30;

/** A terminal whose new output is passed on. */
export interface Terminal extends Pick<TerminalBuffer, 'text' | 'end'> {
  print(this: void, text: string): void;
  /** Passes on at once what waits. */
  flush(this: void): void;
}

/** `end` is as in {@link TerminalBuffer}. */
export function createTerminal(onText: (text: string, end: number) => void): Terminal {
  const buffer = createTerminalBuffer();
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const text = newestOf(waiting);
    waiting = '';
    onText(text, buffer.end);
  }

  return {
    get text() {
      return buffer.text;
    },
    get end() {
      return buffer.end;
    },
    print(text) {
      buffer.append(text);
      waiting = newestOf(waiting + text);
      timer ??= setTimeout(flush, TEXT_MS);
    },
    flush,
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
