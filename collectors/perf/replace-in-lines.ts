import { joinBytes } from '#core/model/join-bytes.ts';

const NEWLINE = 0x0a;

/**
 * Yields a text with `replace` applied to whole lines, several at a time. Each byte is a character for `replace`, so that
 * text that is not UTF-8 stays as it is; {@link asBytes} converts what it inserts.
 */
export async function* replaceInLines(
  text: AsyncIterable<Uint8Array>,
  replace: (lines: string) => string,
): AsyncGenerator<Uint8Array> {
  const replaced = (lines: Uint8Array): Uint8Array =>
    Buffer.from(replace(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('latin1')), 'latin1');
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of text) {
    const joined = joinBytes([rest, chunk]);
    const end = joined.lastIndexOf(NEWLINE) + 1;
    yield replaced(joined.subarray(0, end));
    rest = joined.slice(end);
  }
  yield replaced(rest);
}

/** Returns a text in UTF-8 with a character per byte. */
export const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
