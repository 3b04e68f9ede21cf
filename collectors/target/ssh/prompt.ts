/** Longest text of a host's that goes into a message; characters. */
const MAX_SHOWN = 200;
/** What is kept of the output, to say why a connection failed; characters. */
const MAX_KEPT = 16 * 1024;
/** Control sequences as ECMA-48 has them: CSI, OSC and the other strings, escapes of two or three characters. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~])/g;
/** A security key waits for a touch: ssh says so in a line that ends. */
const PRESENCE = /^confirm user presence/i;

/** Text of a host's for a message of ours: one line, without anything a terminal would act on. */
export function cleanText(text: string): string {
  const line = text
    .replace(ESCAPES, '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** Follows what a program writes to its terminal: whether its last line waits for an answer, and what it said before. */
export class PromptReader {
  #text = '';

  feed(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_KEPT);
  }

  /** The question that waits, cleaned; null where the output ends with a line's end. */
  get prompt(): string | null {
    const lines = this.lines;
    const open = /\n\s*$/.test(this.#text) ? '' : (lines.at(-1) ?? '');
    if (open !== '') return open;
    const last = lines.at(-1) ?? '';
    return PRESENCE.test(last) ? last : null;
  }

  /** Without empty ones, cleaned. A line that was overwritten after a carriage return counts as two. */
  get lines(): string[] {
    return this.#text
      .split(/[\r\n]+/)
      .map(cleanText)
      .filter((line) => line !== '');
  }
}
