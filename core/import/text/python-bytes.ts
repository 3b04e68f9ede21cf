const LITERAL = /^b(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/s;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Returns the text with a Python bytes literal at its start replaced by its content: `b'read'+0x1` is `read+0x1`. bcc's
 * tools print names so with some versions of Python 3. Content that is not valid UTF-8 stays escaped.
 */
export function withoutBytesLiteral(text: string): string {
  const literal = text.startsWith('b') ? LITERAL.exec(text) : null;
  if (literal === null) return text;
  const content = literal[1] ?? literal[2]!;
  return unescaped(content) + text.slice(literal[0].length);
}

function unescaped(content: string): string {
  if (!content.includes('\\')) return content;
  const encoder = new TextEncoder();
  const bytes = [...content.matchAll(/\\x([0-9a-f]{2})|\\(.)|([^\\]+)/gs)].flatMap(([, hex, escape, plain]) =>
    hex === undefined ? [...encoder.encode(plain ?? ESCAPES[escape!] ?? escape!)] : [Number.parseInt(hex, 16)],
  );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return content;
  }
}
