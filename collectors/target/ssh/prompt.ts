/** Maximum characters of a host's text in a message. */
const MAX_SHOWN = 200;
/** Characters of output kept to explain a failed connection. */
const MAX_KEPT = 16 * 1024;
/** Control sequences of ECMA-48: CSI, OSC and the other strings, escapes of two or three characters. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~])/g;
/** ssh asks for a touch of a security key in a complete line. */
const PRESENCE = /^confirm user presence/i;

/** Cleans a host's text for a message: one line, without anything that a terminal would act on. */
export function cleanText(text: string): string {
  const line = text
    .replace(ESCAPES, '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/**
 * Follows the output of a program in its terminal: whether its last line waits for an answer, and the lines before it.
 */
export class PromptReader {
  #text = '';

  feed(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_KEPT);
  }

  /** The waiting prompt, cleaned; null if the output ends with a line end. */
  get prompt(): string | null {
    const lines = this.lines;
    const open = /\n\s*$/.test(this.#text) ? '' : (lines.at(-1) ?? '');
    if (open !== '') return open;
    const last = lines.at(-1) ?? '';
    return PRESENCE.test(last) ? last : null;
  }

  /** Non-empty lines, cleaned. A line overwritten after a carriage return counts as two. */
  get lines(): string[] {
    return this.#text
      .split(/[\r\n]+/)
      .map(cleanText)
      .filter((line) => line !== '');
  }
}
