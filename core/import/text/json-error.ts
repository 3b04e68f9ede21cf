/** RFC 8259. Whitespace before a token is not part of it. */
const BLANKS = /[ \t\n\r]*/y;

type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next' | 'end';

/**
 * Returns the position, in UTF-16 units, at which a text stops being JSON: the start of an invalid token, or the text's
 * length if it ends too early, also within a token. Engines' own messages lack the position of some errors.
 */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
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
      const end = character === '"' ? stringEnd(text, at) : INVALID;
      if (end === INVALID) return at;
      expected = 'colon';
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'first-key' : 'first-item';
      at += 1;
    } else {
      const end = scalarEnd(text, at);
      if (end === INVALID) return at;
      expected = afterValue();
      at = end;
    }
  }
}

/** Instead of an end: no valid string, number or literal begins there. */
const INVALID = -1;

/** Returns the end of the string, number or literal that begins at `at`; the text's length if the text ends within it. */
function scalarEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  if (text[at] === '-' || isDigit(text.charCodeAt(at))) return numberEnd(text, at);
  for (const literal of ['true', 'false', 'null']) {
    // Shorter than the literal only at the end of the text.
    const found = text.slice(at, at + literal.length);
    if (literal.startsWith(found)) return at + found.length;
  }
  return INVALID;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** Scans in a loop, because a regular expression overflows its stack in strings of several megabytes. */
function stringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const unit = text.charCodeAt(next);
    if (unit === QUOTE) return next + 1;
    if (unit < FIRST_PRINTABLE) return INVALID;
    if (unit !== BACKSLASH) continue;
    next += 1;
    if (text[next] === 'u') {
      if (!/^[0-9a-fA-F]*$/.test(text.slice(next + 1, next + 5))) return INVALID;
      next += 4;
    } else if (next < text.length && !'"\\/bfnrt'.includes(text[next]!)) return INVALID;
  }
  return text.length;
}

function numberEnd(text: string, at: number): number {
  const start = text[at] === '-' ? at + 1 : at;
  let end = text[start] === '0' ? start + 1 : digitsEnd(text, start);
  if (end === start) return end === text.length ? end : INVALID;
  // Without its digits, such a part is not of the number, unless the text ends there.
  const addPart = (digits: number): void => {
    const partEnd = digitsEnd(text, digits);
    if (partEnd > digits || partEnd === text.length) end = partEnd;
  };
  if (text[end] === '.') addPart(end + 1);
  if (text[end] === 'e' || text[end] === 'E')
    addPart(text[end + 1] === '+' || text[end + 1] === '-' ? end + 2 : end + 1);
  return end;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
