/** A word of a command line, where it stands in it, and what it is without its quotes. */
export interface ShellWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** A `;`, `|` or the like stands before it: a command of its own begins. */
  readonly begins: boolean;
}

const SEPARATORS = ';|&()\n`';

/** Words as a POSIX shell splits them; what no shell takes (an open quote) ends with the text. */
export function shellWords(line: string): ShellWord[] {
  const words: ShellWord[] = [];
  let start = -1;
  let text = '';
  let quote = '';
  let begins = true;
  const end = (at: number): void => {
    if (start >= 0) words.push({ start, end: at, text, begins });
    if (start >= 0) begins = false;
    start = -1;
    text = '';
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && at + 1 < line.length) text += line[(at += 1)]!;
      else text += character;
      continue;
    }
    if (/\s/.test(character) || SEPARATORS.includes(character)) {
      end(at);
      if (SEPARATORS.includes(character)) begins = true;
      continue;
    }
    if (start < 0) start = at;
    if (character === "'" || character === '"') quote = character;
    else if (character === '\\' && at + 1 < line.length) text += line[(at += 1)]!;
    else text += character;
  }
  end(line.length);
  return words;
}
