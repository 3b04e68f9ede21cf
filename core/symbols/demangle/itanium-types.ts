import { ItaniumReader, NotMangled, type Name, type Type } from './itanium-reader.ts';
import { BUILTIN_TYPES, BUILTIN_TYPES_D, LITERAL_SUFFIXES, STANDARD_NAMES } from './itanium-words.ts';

/** A template argument; a pack is a list of types. */
type Argument = { readonly type: Type } | { readonly pack: readonly Type[] };

/** Types, template arguments and substitutions of the Itanium mangling. */
export abstract class ItaniumTypes extends ItaniumReader {
  readonly #substitutions: Type[] = [];
  /** The arguments that `T_`, `T0_`… refer to. */
  #arguments: readonly Argument[] = [];
  /** Element of the pack that is printed while its pattern (`Dp…`) is repeated; −1 outside. */
  #packIndex = -1;
  #packLength = 0;
  /** Template parameters of a lambda are its `auto` parameters. */
  #inLambda = false;

  protected abstract encoding(isScope?: boolean): string;
  protected abstract name(): Name;

  protected remember(type: Type): Type {
    this.limit(type[0]);
    this.#substitutions.push(type);
    return type;
  }

  /** Returns the `short` form, or the full one that constructors need. */
  protected substitution(full = false): string {
    return this.#substitutionType(full).join('');
  }

  #substitutionType(full: boolean): Type {
    if (!this.take('S')) throw new NotMangled();
    const standard = STANDARD_NAMES.find(({ code }) => code === this.peek());
    if (standard !== undefined) {
      this.skip(1);
      return [full ? standard.full : standard.short, ''];
    }
    const type = this.#substitutions[this.sequenceNumber()];
    if (type === undefined) throw new NotMangled();
    return type;
  }

  /** ` const volatile` */
  protected qualifiers(): string {
    let text = '';
    const isRestrict = this.take('r');
    const isVolatile = this.take('V');
    if (this.take('K')) text += ' const';
    if (isVolatile) text += ' volatile';
    return isRestrict ? `${text} __restrict` : text;
  }

  protected type(): Type {
    return this.nested(() => {
      const code = this.peek();
      const builtin = BUILTIN_TYPES[code];
      if (builtin !== undefined) {
        this.skip(1);
        return [builtin, ''];
      }
      if (/[rVK]/.test(code)) return this.#qualified();
      if (code === 'D') return this.#typeD();
      if (code === 'S' && this.peek(1) !== 't') return this.#substituted();
      if (code === 'T' && !/^T[seu]/.test(this.rest())) return this.#parameterType();
      if (/[PRO]/.test(code)) return this.#indirect();
      if (code === 'F') return this.remember(this.#functionType());
      if (code === 'A') return this.remember(this.#arrayType());
      if (code === 'M') return this.remember(this.#memberPointer());
      if (this.take('u')) return this.remember([this.sourceName(), '']);
      if (this.take('C')) return this.remember(withSuffix(this.type(), ' _Complex'));
      if (this.take('U')) return this.remember(withSuffix(['', ''], this.#vendorQualified()));
      return this.#className();
    });
  }

  #qualified(): Type {
    const qualifiers = this.qualifiers();
    const type = this.type();
    // Qualifiers of a function type belong to the member function.
    const isFunction = type[1].startsWith('(');
    const isQualified = type[0].endsWith(qualifiers);
    if (isFunction) return this.remember([type[0], type[1] + qualifiers]);
    return this.remember(isQualified ? type : withSuffix(type, qualifiers));
  }

  #typeD(): Type {
    const builtin = BUILTIN_TYPES_D[this.peek(1)];
    if (builtin !== undefined) {
      this.skip(2);
      return [builtin, ''];
    }
    if (this.take('DF')) {
      const bits = this.number();
      if (this.take('_')) return [`_Float${bits}`, ''];
      if (this.take('b') || this.take('x')) return [bits === 16 ? 'std::bfloat16_t' : `_Float${bits}x`, ''];
      throw new NotMangled();
    }
    if (this.take('Dp')) return this.#packExpansion();
    if (this.take('Do')) {
      const [before, after] = this.#functionType();
      return this.remember([before, `${after} noexcept`]);
    }
    throw new NotMangled();
  }

  #vendorQualified(): string {
    const qualifier = this.sourceName();
    if (this.peek() === 'I') throw new NotMangled();
    return `${this.type().join('')} ${qualifier}`;
  }

  #substituted(): Type {
    const type = this.#substitutionType(false);
    if (this.peek() !== 'I') return type;
    return this.remember([type.join('') + this.templateArguments(false), '']);
  }

  #parameterType(): Type {
    const type = this.templateParameter();
    this.remember(type);
    if (this.peek() !== 'I') return type;
    return this.remember([type.join('') + this.templateArguments(false), '']);
  }

  #className(): Type {
    if (/^T[seu]/.test(this.rest())) this.skip(2);
    if (!/[NZ0-9S]/.test(this.peek())) throw new NotMangled();
    const { text, qualifiers } = this.#keepingArguments(() => this.name());
    return this.remember([text + qualifiers, '']);
  }

  #indirect(): Type {
    const code = this.peek();
    this.skip(1);
    const [before, after] = this.type();
    let sign = code === 'P' ? '*' : code === 'R' ? '&' : '&&';
    let base = before;
    // References to references collapse.
    const reference = code === 'P' ? undefined : /&+$/.exec(before)?.[0];
    if (reference !== undefined) {
      base = before.slice(0, before.length - reference.length);
      sign = reference.length === 1 || code === 'R' ? '&' : '&&';
    }
    if (after === '' || after.startsWith(')')) return this.remember([base + sign, after]);
    const gap = base.endsWith(' ') ? '' : ' ';
    return this.remember([`${base}${gap}(${sign}`, `)${after}`]);
  }

  #functionType(): Type {
    if (!this.take('F')) throw new NotMangled();
    this.take('Y');
    const [before, after] = this.type();
    const parameters = this.parameters();
    const reference = this.take('R') ? ' &' : this.take('O') ? ' &&' : '';
    if (!this.take('E')) throw new NotMangled();
    return [`${before} `, `(${parameters})${reference}${after}`];
  }

  #arrayType(): Type {
    this.skip(1);
    const number = this.numberIfAny();
    const length = this.peek() === 'T' ? this.templateParameter().join('') : number < 0 ? '' : String(number);
    if (!this.take('_')) throw new NotMangled();
    const [before, after] = this.type();
    return [before, ` [${length}]${after.startsWith(' [') ? after.slice(1) : after}`];
  }

  #memberPointer(): Type {
    this.skip(1);
    const scope = this.type().join('');
    const [before, after] = this.type();
    if (after === '') return [`${before} ${scope}::*`, ''];
    return [`${before.trimEnd()} (${scope}::*`, `)${after}`];
  }

  /** Reads to the end of the list: the end of the text, an `E`, or a lambda's. */
  protected parameters(): string {
    if (this.take('v')) return '';
    const parameters: string[] = [];
    while (!this.atEnd() && !/^(?:E|[RO]E)/.test(this.rest())) parameters.push(this.type().join(''));
    return this.limit(parameters.filter((text) => text !== '').join(', '));
  }

  protected lambdaParameters(): string {
    const outer = this.#inLambda;
    this.#inLambda = true;
    const text = this.parameters();
    this.#inLambda = outer;
    return text;
  }

  protected withArguments(text: string, isNew: boolean, hasNoReturnType = false): Name {
    if (this.peek() !== 'I') return { text, qualifiers: '', isTemplate: false, hasNoReturnType };
    if (isNew) this.remember([text, '']);
    const gap = text.endsWith('<') ? ' ' : '';
    return { text: text + gap + this.templateArguments(true), qualifiers: '', isTemplate: true, hasNoReturnType };
  }

  /** `bind`: `T_` refers to these arguments from here on. */
  protected templateArguments(bind: boolean): string {
    return this.nested(() => {
      if (!this.take('I')) throw new NotMangled();
      const list: Argument[] = [];
      while (!this.take('E')) list.push(this.#keepingArguments(() => this.#argument()));
      if (bind) this.#arguments = list;
      const text = list.flatMap((argument) => ('pack' in argument ? argument.pack : [argument.type])).map(join);
      const inner = text.filter((each) => each !== '').join(', ');
      return this.limit(`<${inner}${inner.endsWith('>') ? ' ' : ''}>`);
    });
  }

  #argument(): Argument {
    if (this.take('J')) {
      const pack: Type[] = [];
      while (!this.take('E')) pack.push(this.#single());
      return { pack };
    }
    return { type: this.#single() };
  }

  #single(): Type {
    if (this.take('L')) return [this.#literal(), ''];
    if (this.take('XadL_Z')) return [this.#addressOf(), ''];
    if (this.peek() === 'X') throw new NotMangled();
    return this.type();
  }

  /** Reads the address of a function: its name without parameters. */
  #addressOf(): string {
    const name = this.name();
    while (!this.take('E')) this.type();
    if (!this.take('E')) throw new NotMangled();
    return `&${name.text}`;
  }

  #literal(): string {
    if (this.take('_Z')) {
      const text = this.encoding();
      if (!this.take('E')) throw new NotMangled();
      return text;
    }
    const code = this.peek();
    const type = this.type().join('');
    const sign = this.take('n') ? '-' : '';
    let digits = '';
    while (/[0-9a-f]/.test(this.peek())) {
      digits += this.peek();
      this.skip(1);
    }
    if (!this.take('E')) throw new NotMangled();
    if (code === 'b' && /^[01]$/.test(digits)) return digits === '0' ? 'false' : 'true';
    const suffix = LITERAL_SUFFIXES[code];
    return suffix === undefined ? `(${type})${sign}${digits}` : `${sign}${digits}${suffix}`;
  }

  protected templateParameter(): Type {
    if (!this.take('T')) throw new NotMangled();
    const index = this.sequenceNumber();
    if (this.#inLambda) return [`auto:${index + 1}`, ''];
    const argument = this.#arguments[index];
    if (argument === undefined) throw new NotMangled();
    if ('type' in argument) return argument.type;
    this.#packLength = argument.pack.length;
    if (this.#packIndex >= 0) return argument.pack[this.#packIndex] ?? ['', ''];
    return [argument.pack.map(join).join(', '), ''];
  }

  /** Prints the pattern once for each element of its pack. */
  #packExpansion(): Type {
    const start = this.position;
    const outer = this.#packIndex;
    const known = this.#substitutions.length;
    this.#packIndex = 0;
    this.#packLength = 1;
    const parts = [this.type().join('')];
    const end = this.position;
    const length = this.#packLength;
    const remembered = this.#substitutions.slice(known);
    for (let index = 1; index < length; index++) {
      this.#packIndex = index;
      this.position = start;
      this.#substitutions.length = known;
      parts.push(this.type().join(''));
    }
    this.#substitutions.length = known;
    this.#substitutions.push(...remembered);
    this.position = end;
    this.#packIndex = outer;
    return this.remember([length === 0 ? '' : parts.join(', '), '']);
  }

  #keepingArguments<T>(read: () => T): T {
    const kept = this.#arguments;
    const result = read();
    this.#arguments = kept;
    return result;
  }
}

function join(type: Type): string {
  return type.join('');
}

function withSuffix([before, after]: Type, suffix: string): Type {
  return [before + suffix, after];
}
