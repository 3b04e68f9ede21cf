/** A parsed regular expression; `test` receives one code point as a string ('' at either end of the text). */
export type RegexNode =
  | { readonly kind: 'char'; readonly test: (char: string) => boolean }
  | { readonly kind: 'assert'; readonly test: (before: string, after: string) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number };

/** RE2's limits. */
const MAX_REPEAT = 1000;
const MAX_NESTING = 200;
/** Maximum repetitions of a repetition (`a*+?`). RE2 rejects them; this only bounds the recursion. */
const MAX_STACKED = 4;

/**
 * Parses RE2 syntax as in Go's regexp (https://github.com/google/re2/wiki/Syntax) without `\C` and negated POSIX
 * classes. Neither greediness nor captures affect whether a whole text matches. Throws a SyntaxError.
 */
export function parseRe2(pattern: string): RegexNode {
  const parser = new Re2Parser(pattern);
  return parser.whole();
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
}

const isWord = (char: string): boolean => /^[0-9A-Za-z_]$/.test(char);

class Re2Parser {
  readonly #chars: readonly string[];
  #at = 0;
  #depth = 0;
  #flags: Flags = { ignoreCase: false, dotAll: false, multiline: false };

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  whole(): RegexNode {
    const tree = this.#choice();
    if (this.#at < this.#chars.length) throw new SyntaxError('unexpected )');
    return tree;
  }

  #choice(): RegexNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#chars.length && !this.#sees('|') && !this.#sees(')')) {
      const last = this.#take('\\', 'Q') ? this.#quoted(parts) : this.#atom();
      if (last !== undefined) parts.push(this.#repeated(last));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  /**
   * Handles `\Q` up to `\E` or the end: adds all characters except the last, to which a repetition would apply, and
   * returns that one.
   */
  #quoted(parts: RegexNode[]): RegexNode | undefined {
    const quoted: RegexNode[] = [];
    while (this.#at < this.#chars.length && !this.#take('\\', 'E')) quoted.push(this.#literal(this.#any()));
    const last = quoted.pop();
    parts.push(...quoted);
    return last;
  }

  #repeated(part: RegexNode): RegexNode {
    let node = part;
    for (let times = 0; ; times++) {
      if (times > MAX_STACKED) throw new SyntaxError('too many repetitions');
      let bounds: readonly [number, number] | null;
      if (this.#take('*')) bounds = [0, Infinity];
      else if (this.#take('+')) bounds = [1, Infinity];
      else if (this.#take('?')) bounds = [0, 1];
      else bounds = this.#braces();
      if (bounds === null) return node;
      this.#take('?');
      node = { kind: 'repeat', part: node, min: bounds[0], max: bounds[1] };
    }
  }

  /** `{n}`, `{n,}`, `{n,m}`; anything else in braces is literal text. */
  #braces(): readonly [number, number] | null {
    const rest = this.#chars.slice(this.#at, this.#at + 12).join('');
    const match = /^\{(\d+)(,(\d*))?\}/.exec(rest);
    if (match === null) return null;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Infinity : Number(match[3]);
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT) || max < min)
      throw new SyntaxError('bad repetition');
    this.#at += match[0].length;
    return [min, max];
  }

  #atom(): RegexNode {
    const char = this.#any();
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '.':
        return this.#charClass(this.#flags.dotAll ? '[\\s\\S]' : '[^\\n]');
      case '^':
        return this.#flags.multiline ? assert((before) => before === '' || before === '\n') : BEGIN;
      case '$':
        return this.#flags.multiline ? assert((_, after) => after === '' || after === '\n') : END;
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new SyntaxError(`nothing to repeat before ${char}`);
      default:
        return this.#literal(char);
    }
  }

  #group(): RegexNode {
    if (++this.#depth > MAX_NESTING) throw new SyntaxError('nested too deeply');
    const outer = this.#flags;
    if (this.#take('?')) {
      if (this.#take('P', '<') || this.#take('<')) {
        while (!this.#take('>')) this.#any();
      } else if (this.#setFlags()) {
        this.#depth -= 1;
        return { kind: 'sequence', parts: [] };
      }
    }
    const inside = this.#choice();
    if (!this.#take(')')) throw new SyntaxError('missing )');
    this.#flags = outer;
    this.#depth -= 1;
    return inside;
  }

  /**
   * After `(?`: `i-s)` sets flags to the end of the enclosing group (true), `i-s:` those of the following group
   * (false).
   */
  #setFlags(): boolean {
    let on = true;
    for (;;) {
      const char = this.#any();
      if (char === ')') return true;
      if (char === ':') return false;
      if (char === '-') on = false;
      else if (char === 'i') this.#flags = { ...this.#flags, ignoreCase: on };
      else if (char === 's') this.#flags = { ...this.#flags, dotAll: on };
      else if (char === 'm') this.#flags = { ...this.#flags, multiline: on };
      else if (char !== 'U') throw new SyntaxError(`(?${char}`);
    }
  }

  #escape(): RegexNode {
    if (this.#take('A')) return BEGIN;
    if (this.#take('z')) return END;
    if (this.#take('b')) return assert((before, after) => isWord(before) !== isWord(after));
    if (this.#take('B')) return assert((before, after) => isWord(before) === isWord(after));
    return this.#charClass(`[${this.#escapedSource()}]`);
  }

  /** Returns the equivalent of an escape sequence inside a JavaScript character class; called after the backslash. */
  #escapedSource(): string {
    const char = this.#any();
    const set = PERL_CLASSES.get(char);
    if (set !== undefined) return set;
    const control = CONTROLS.get(char);
    if (control !== undefined) return codeSource(control);
    if (char === 'p' || char === 'P') return this.#unicodeClass(char);
    if (char === 'x') return codeSource(this.#hexadecimal());
    // A single digit other than 0 would be a back reference, which RE2 does not have.
    if (char === '0' || (/[1-7]/.test(char) && /^[0-7]$/.test(this.#chars[this.#at] ?? ''))) {
      let digits = char;
      while (digits.length < 3 && /^[0-7]$/.test(this.#chars[this.#at] ?? '')) digits += this.#any();
      return codeSource(Number.parseInt(digits, 8));
    }
    if (/[0-9A-Za-z]/.test(char)) throw new SyntaxError(`\\${char}`);
    return literalSource(char);
  }

  #hexadecimal(): number {
    let digits = '';
    if (this.#take('{')) while (!this.#take('}')) digits += this.#any();
    else digits = this.#any() + this.#any();
    const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Infinity;
    if (code > 0x10ffff) throw new SyntaxError(`\\x${digits}`);
    return code;
  }

  #unicodeClass(letter: 'p' | 'P'): string {
    let name = this.#any();
    if (name === '{') {
      name = '';
      while (!this.#take('}')) name += this.#any();
    }
    for (const source of [`\\${letter}{${name}}`, `\\${letter}{Script=${name}}`]) {
      if (compiles(`[${source}]`)) return source;
    }
    throw new SyntaxError(`\\${letter}{${name}}`);
  }

  /** Parses a character class; called after `[`. */
  #class(): RegexNode {
    let source = this.#take('^') ? '^' : '';
    let first = true;
    while (first || !this.#sees(']')) {
      first = false;
      const posix = this.#posix();
      if (posix !== null) {
        source += posix;
        continue;
      }
      const low = this.#classChar();
      const next = this.#chars[this.#at + 1];
      if (this.#sees('-') && next !== undefined && next !== ']') {
        this.#at += 1;
        source += `${low}-${this.#classChar()}`;
      } else {
        source += low;
      }
    }
    this.#at += 1;
    return this.#charClass(`[${source}]`);
  }

  #classChar(): string {
    const char = this.#any();
    return char === '\\' ? this.#escapedSource() : literalSource(char);
  }

  #posix(): string | null {
    const match = /^\[:(\w+):\]/.exec(this.#chars.slice(this.#at, this.#at + 12).join(''));
    const set = match === null ? undefined : POSIX_CLASSES.get(match[1]!);
    if (match === null || set === undefined) return null;
    this.#at += match[0].length;
    return set;
  }

  #literal(char: string): RegexNode {
    if (this.#flags.ignoreCase) return this.#charClass(`[${literalSource(char)}]`);
    return { kind: 'char', test: (other) => other === char };
  }

  /** `source` is tested on one code point at a time, so that the engine has nothing to backtrack over. */
  #charClass(source: string): RegexNode {
    const regex = new RegExp(`^${source}$`, this.#flags.ignoreCase ? 'iu' : 'u');
    return { kind: 'char', test: (char) => regex.test(char) };
  }

  #sees(char: string): boolean {
    return this.#chars[this.#at] === char;
  }

  #take(...chars: string[]): boolean {
    if (!chars.every((char, index) => this.#chars[this.#at + index] === char)) return false;
    this.#at += chars.length;
    return true;
  }

  #any(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw new SyntaxError('is truncated');
    this.#at += 1;
    return char;
  }
}

const assert = (test: (before: string, after: string) => boolean): RegexNode => ({ kind: 'assert', test });
const BEGIN = assert((before) => before === '');
const END = assert((_, after) => after === '');

const codeSource = (code: number): string => `\\u{${code.toString(16)}}`;
const literalSource = (char: string): string => codeSource(char.codePointAt(0)!);

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}

/** ASCII only, as in RE2 and unlike JavaScript. */
const PERL_CLASSES: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['D', '\\u{0}-\\u{2f}\\u{3a}-\\u{10ffff}'],
  ['w', '0-9A-Za-z_'],
  ['W', '\\u{0}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{5e}\\u{60}\\u{7b}-\\u{10ffff}'],
  ['s', '\\t\\n\\f\\r\\u{20}'],
  ['S', '\\u{0}-\\u{8}\\u{b}\\u{e}-\\u{1f}\\u{21}-\\u{10ffff}'],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
]);

const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\u{0}-\\u{7f}'],
  ['blank', '\\t\\u{20}'],
  ['cntrl', '\\u{0}-\\u{1f}\\u{7f}'],
  ['digit', '0-9'],
  ['graph', '\\u{21}-\\u{7e}'],
  ['lower', 'a-z'],
  ['print', '\\u{20}-\\u{7e}'],
  ['punct', '\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}'],
  ['space', '\\t\\n\\u{b}\\f\\r\\u{20}'],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);
