/** RFC 8259. Blanks before a token are part of no token. */
const BLANKS = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next' | 'end';

/**
 * Where a text stops being JSON, in UTF-16 units; its length where it ends too early. What engines say of it has no position for some of
 * the faults.
 */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const scalar = (): string | null => {
    SCALAR.lastIndex = at;
    return SCALAR.exec(text)?.[0] ?? null;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'next');
  for (;;) {
    BLANKS.lastIndex = at;
    at += BLANKS.exec(text)![0].length;
    const character = text[at];
    if (character === undefined || expected === 'end') return at;
    const closes = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (closes && (expected === 'next' || expected === 'first-item' || expected === 'first-key')) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (expected === 'next') {
      if (character !== ',') return at;
      expected = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (expected === 'key' || expected === 'first-key') {
      const key = character === '"' ? scalar() : null;
      if (key === null) return at;
      expected = 'colon';
      at += key.length;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'first-key' : 'first-item';
      at += 1;
    } else {
      const value = scalar();
      if (value === null) return at;
      expected = afterValue();
      at += value.length;
    }
  }
}
