import { ifMangled, NotMangled } from './itanium-reader.ts';

/** Limits for hostile names, because a mangled name can refer to itself. */
const MAX_DEPTH = 200;
const MAX_OUTPUT = 20_000;

const BASIC_TYPES: Readonly<Record<string, string>> = {
  a: 'i8',
  b: 'bool',
  c: 'char',
  d: 'f64',
  e: 'str',
  f: 'f32',
  h: 'u8',
  i: 'isize',
  j: 'usize',
  l: 'i32',
  m: 'u32',
  n: 'i128',
  o: 'u128',
  p: '_',
  s: 'i16',
  t: 'u16',
  u: '()',
  v: '...',
  x: 'i64',
  y: 'u64',
  z: '!',
};

/**
 * Demangles Rust's v0 mangling after `_R`; null if it is not such a name. Crate hashes are left out. Source: Rust RFC
 * 2603.
 */
export function demangleRustV0(mangled: string): string | null {
  return ifMangled(() => new RustV0(mangled).symbol());
}

class RustV0 {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #written = 0;
  /** Number of lifetimes bound around the current place. */
  #lifetimes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  symbol(): string {
    if (/^\d/.test(this.#text)) throw new NotMangled();
    const path = this.#path(true);
    // The crate that instantiated a generic function.
    if (this.#at < this.#text.length && /[A-Z]/.test(this.#peek())) this.#path(false);
    if (this.#at < this.#text.length) throw new NotMangled();
    return path;
  }

  #path(inValue: boolean): string {
    return this.#nested(() => {
      const tag = this.#next();
      if (tag === 'C') return this.#identifier().name;
      if (tag === 'M' || tag === 'X') {
        this.#disambiguator();
        this.#path(false);
        const type = this.#type();
        return tag === 'M' ? `<${type}>` : `<${type} as ${this.#path(false)}>`;
      }
      if (tag === 'Y') return `<${this.#type()} as ${this.#path(false)}>`;
      if (tag === 'N') return this.#nestedPath(inValue);
      if (tag === 'I') {
        const path = this.#path(inValue);
        return `${path}${inValue ? '::' : ''}<${this.#untilEnd(() => this.#genericArgument()).join(', ')}>`;
      }
      if (tag === 'B') return this.#backReference(() => this.#path(inValue));
      throw new NotMangled();
    });
  }

  #nestedPath(inValue: boolean): string {
    const space = this.#next();
    const path = this.#path(inValue);
    const { name, disambiguator } = this.#identifier();
    if (/[a-z]/.test(space)) return name === '' ? path : `${path}::${name}`;
    const kind = space === 'C' ? 'closure' : space === 'S' ? 'shim' : space;
    return `${path}::{${kind}${name === '' ? '' : `:${name}`}#${disambiguator}}`;
  }

  #genericArgument(): string {
    if (this.#take('L')) return this.#lifetime();
    if (this.#take('K')) return this.#constant();
    return this.#type();
  }

  #type(): string {
    return this.#nested(() => {
      const tag = this.#peek();
      const basic = BASIC_TYPES[tag];
      if (basic !== undefined) {
        this.#at += 1;
        return basic;
      }
      if (/[CMXYNI]/.test(tag)) return this.#path(false);
      this.#at += 1;
      if (tag === 'A') return `[${this.#type()}; ${this.#constant()}]`;
      if (tag === 'S') return `[${this.#type()}]`;
      if (tag === 'T') return this.#tuple();
      if (tag === 'R' || tag === 'Q') return this.#reference(tag === 'Q');
      if (tag === 'P') return `*const ${this.#type()}`;
      if (tag === 'O') return `*mut ${this.#type()}`;
      if (tag === 'F') return this.#binder(() => this.#functionType());
      if (tag === 'D') return this.#dynType();
      if (tag === 'B') return this.#backReference(() => this.#type());
      throw new NotMangled();
    });
  }

  #tuple(): string {
    const types = this.#untilEnd(() => this.#type());
    return types.length === 1 ? `(${types[0]},)` : `(${types.join(', ')})`;
  }

  #reference(mutable: boolean): string {
    const lifetime = this.#take('L') ? this.#lifetime() : "'_";
    return `&${lifetime === "'_" ? '' : `${lifetime} `}${mutable ? 'mut ' : ''}${this.#type()}`;
  }

  #functionType(): string {
    const unsafe = this.#take('U') ? 'unsafe ' : '';
    let abi = '';
    if (this.#take('K')) {
      abi = this.#take('C') ? 'extern "C" ' : `extern "${this.#undisambiguated().replaceAll('_', '-')}" `;
    }
    const parameters = this.#untilEnd(() => this.#type()).join(', ');
    const result = this.#type();
    return `${unsafe}${abi}fn(${parameters})${result === '()' ? '' : ` -> ${result}`}`;
  }

  #dynType(): string {
    const bounds = this.#binder(() => this.#untilEnd(() => this.#dynTrait()).join(' + '));
    if (!this.#take('L')) throw new NotMangled();
    const lifetime = this.#lifetime();
    return `dyn ${bounds}${lifetime === "'_" ? '' : ` + ${lifetime}`}`;
  }

  #dynTrait(): string {
    let text = this.#path(false);
    const bindings: string[] = [];
    while (this.#take('p')) bindings.push(`${this.#undisambiguated()} = ${this.#type()}`);
    if (bindings.length === 0) return text;
    if (text.endsWith('>')) text = `${text.slice(0, -1)}, ${bindings.join(', ')}>`;
    else text += `<${bindings.join(', ')}>`;
    return text;
  }

  /** `for<'a, 'b> …` */
  #binder(inner: () => string): string {
    const count = this.#take('G') ? this.#base62() + 1 : 0;
    if (count > MAX_DEPTH) throw new NotMangled();
    const names = Array.from({ length: count }, (_, index) => lifetimeName(this.#lifetimes + index));
    this.#lifetimes += count;
    const text = inner();
    this.#lifetimes -= count;
    return count === 0 ? text : `for<${names.join(', ')}> ${text}`;
  }

  #lifetime(): string {
    const index = this.#base62();
    return index === 0 ? "'_" : lifetimeName(this.#lifetimes - index);
  }

  #constant(): string {
    if (this.#take('B')) return this.#backReference(() => this.#constant());
    const type = this.#next();
    if (type === 'p') return '_';
    const negative = this.#take('n') ? '-' : '';
    const [digits] = /^[0-9a-f]*_/.exec(this.#text.slice(this.#at)) ?? [];
    if (digits === undefined) throw new NotMangled();
    this.#at += digits.length;
    const value = BigInt(`0x0${digits.slice(0, -1)}`);
    if (type === 'b') return value === 0n ? 'false' : 'true';
    if (type === 'c') return `'${String.fromCodePoint(Math.min(Number(value), 0x10ffff))}'`;
    if (!/[ahijlmnostxy]/.test(type)) throw new NotMangled();
    return `${negative}${value}`;
  }

  #identifier(): { name: string; disambiguator: number } {
    const disambiguator = this.#disambiguator();
    return { name: this.#undisambiguated(), disambiguator };
  }

  #disambiguator(): number {
    return this.#take('s') ? this.#base62() + 1 : 0;
  }

  #undisambiguated(): string {
    const isPunycode = this.#take('u');
    const [digits] = /^\d+/.exec(this.#text.slice(this.#at, this.#at + 6)) ?? [];
    if (digits === undefined) throw new NotMangled();
    const length = digits.startsWith('0') ? 0 : Number(digits);
    this.#at += digits.startsWith('0') ? 1 : digits.length;
    this.#take('_');
    const name = this.#text.slice(this.#at, this.#at + length);
    if (name.length < length) throw new NotMangled();
    this.#at += length;
    return isPunycode ? decodePunycode(name) : name;
  }

  #base62(): number {
    const [digits] = /^[0-9a-zA-Z]{0,11}_/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? [];
    if (digits === undefined) throw new NotMangled();
    this.#at += digits.length;
    if (digits === '_') return 0;
    let value = 0;
    for (const digit of digits.slice(0, -1)) value = value * 62 + BASE_62.indexOf(digit);
    return value + 1;
  }

  #backReference(read: () => string): string {
    const start = this.#at - 1;
    const target = this.#base62();
    if (target >= start) throw new NotMangled();
    const end = this.#at;
    this.#at = target;
    const text = read();
    this.#at = end;
    return text;
  }

  #untilEnd(read: () => string): string[] {
    const parts: string[] = [];
    while (!this.#take('E')) parts.push(read());
    return parts;
  }

  #nested(read: () => string): string {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NotMangled();
    const text = read();
    this.#depth -= 1;
    this.#written += text.length;
    if (this.#written > MAX_OUTPUT * 20 || text.length > MAX_OUTPUT) throw new NotMangled();
    return text;
  }

  #peek(): string {
    const character = this.#text[this.#at];
    if (character === undefined) throw new NotMangled();
    return character;
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

const BASE_62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function lifetimeName(index: number): string {
  if (index < 0) throw new NotMangled();
  return index < 26 ? `'${String.fromCharCode(97 + index)}` : `'_${index}`;
}

/** Decodes RFC 3492, with `_` as the delimiter. */
function decodePunycode(text: string): string {
  const delimiter = text.lastIndexOf('_');
  const output = delimiter < 0 ? [] : Array.from(text.slice(0, delimiter), (character) => character.codePointAt(0)!);
  let code = 128;
  let bias = 72;
  let index = 0;
  for (let at = delimiter + 1; at < text.length;) {
    const before = index;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text[at++] ?? '');
      if (digit < 0) throw new NotMangled();
      index += digit * weight;
      const threshold = Math.max(1, Math.min(26, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) throw new NotMangled();
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let value = Math.floor(delta / (isFirst ? 700 : 2));
  value += Math.floor(value / length);
  let k = 0;
  for (; value > 455; k += 36) value = Math.floor(value / 35);
  return k + Math.floor((36 * value) / (value + 38));
}
