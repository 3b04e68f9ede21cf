import { ItaniumTypes } from './itanium-types.ts';
import { ifMangled, NotMangled, type Name } from './itanium-reader.ts';
import { OPERATORS, SPECIAL_NAMES, STANDARD_NAMES } from './itanium-words.ts';

/**
 * Demangles C++'s Itanium mangling after `_Z`, printed as libiberty's c++filt does; null if it is not such a name or
 * uses unsupported features (expressions, decltype). Source: the Itanium C++ ABI, chapter 5.1. `isShort` leaves out the
 * function's parameters, like `c++filt -p`.
 */
export function demangleItanium(mangled: string, isShort = false): string | null {
  return ifMangled(() => (isShort ? new Itanium(mangled).shortSymbol() : new Itanium(mangled).symbol()));
}

/** `base` is what constructors of it are called. */
interface Unqualified {
  readonly text: string;
  readonly base: string;
  readonly hasNoReturnType: boolean;
}

class Itanium extends ItaniumTypes {
  symbol(): string {
    const text = this.encoding();
    if (!this.atEnd()) throw new NotMangled();
    return text;
  }

  shortSymbol(): string {
    return this.peek() === 'T' || this.peek() === 'G' ? this.symbol() : this.name().text;
  }

  /** `isScope`: something within the function is named, so its return type is left out. */
  protected override encoding(isScope = false): string {
    return this.nested(() => {
      if (this.peek() === 'T' || this.peek() === 'G') return this.#specialName();
      const name = this.name();
      if (this.atEnd() || this.peek() === 'E') return name.text + name.qualifiers;
      const [before, after] = name.isTemplate && !name.hasNoReturnType ? this.type() : ['', ''];
      const parameters = this.parameters();
      if (isScope) return `${name.text}(${parameters})${name.qualifiers}`;
      const gap = before === '' || (/[( ][*&]+$/.test(before) && after !== '') ? '' : ' ';
      return `${before}${gap}${name.text}(${parameters})${name.qualifiers}${after}`;
    });
  }

  protected override name(): Name {
    return this.nested(() => {
      if (this.take('N')) return this.#nestedName();
      if (this.take('Z')) return this.#localName();
      if (this.peek() === 'S' && this.peek(1) !== 't') {
        const text = this.substitution();
        return this.withArguments(text, false);
      }
      const prefix = this.take('St') ? 'std::' : '';
      const { text, hasNoReturnType } = this.#unqualified('');
      return this.withArguments(prefix + text, true, hasNoReturnType);
    });
  }

  #specialName(): string {
    if (this.take('GR')) {
      const { text } = this.name();
      const number = this.sequenceNumber();
      return `reference temporary #${number} for ${text}`;
    }
    if (this.take('GV')) return `guard variable for ${this.name().text}`;
    if (this.take('Th')) return this.#thunk('non-virtual thunk to ', 1);
    if (this.take('Tv')) return this.#thunk('virtual thunk to ', 2);
    if (this.take('Tc')) return this.#covariantThunk();
    if (this.take('TC')) return this.#constructionTable();
    for (const [code, text] of SPECIAL_NAMES) {
      if (!this.take(code)) continue;
      return text + (code === 'TW' || code === 'TH' ? this.name().text : this.type().join(''));
    }
    throw new NotMangled();
  }

  #thunk(text: string, offsets: number): string {
    for (let index = 0; index < offsets; index++) this.#offset();
    return text + this.encoding();
  }

  #covariantThunk(): string {
    for (let index = 0; index < 2; index++) {
      if (this.take('h')) this.#offset();
      else if (this.take('v')) this.#thunkOffsets();
      else throw new NotMangled();
    }
    return `covariant return thunk to ${this.encoding()}`;
  }

  #thunkOffsets(): void {
    this.#offset();
    this.#offset();
  }

  #offset(): void {
    this.take('n');
    this.number();
    if (!this.take('_')) throw new NotMangled();
  }

  #constructionTable(): string {
    const derived = this.type().join('');
    this.number();
    if (!this.take('_')) throw new NotMangled();
    return `construction vtable for ${this.type().join('')}-in-${derived}`;
  }

  #nestedName(): Name {
    const qualifiers = this.qualifiers() + (this.take('R') ? ' &' : this.take('O') ? ' &&' : '');
    let text = '';
    let last = '';
    let isTemplate = false;
    let hasNoReturnType = false;
    while (!this.take('E')) {
      const isSubstitution = this.peek() === 'S' && this.peek(1) !== 't';
      if (this.take('St')) {
        text = last = 'std';
        continue;
      }
      if (isSubstitution) {
        const isFollowedByStructor = /^S[absiod][CD]/.test(this.rest());
        text = this.substitution(isFollowedByStructor);
        last = baseName(text);
      } else if (this.peek() === 'I') {
        text += (text.endsWith('<') ? ' ' : '') + this.templateArguments(true);
        isTemplate = true;
      } else if (this.peek() === 'T') {
        text = this.templateParameter().join('');
        last = baseName(text);
      } else {
        const part = this.#unqualified(last);
        text = text === '' ? part.text : `${text}::${part.text}`;
        last = part.base;
        isTemplate = false;
        hasNoReturnType = part.hasNoReturnType;
      }
      if (!isSubstitution && this.peek() !== 'E') this.remember([text, '']);
    }
    return { text, qualifiers, isTemplate, hasNoReturnType };
  }

  /** `Z function E entity`: an entity within a function. */
  #localName(): Name {
    const scope = this.encoding(true);
    if (!this.take('E')) throw new NotMangled();
    if (this.take('s')) {
      this.#discriminator();
      return { text: `${scope}::string literal`, qualifiers: '', isTemplate: false, hasNoReturnType: false };
    }
    if (this.take('d')) {
      this.numberIfAny();
      if (!this.take('_')) throw new NotMangled();
    }
    const entity = this.name();
    this.#discriminator();
    return { ...entity, text: `${scope}::${entity.text}` };
  }

  #discriminator(): void {
    if (this.peekIs('__')) {
      this.take('__');
      this.number();
      this.take('_');
    } else if (this.peekIs('_') && /\d/.test(this.peek(1))) {
      this.skip(1);
      this.number();
    }
  }

  /** `className` is the name of constructors. */
  #unqualified(className: string): Unqualified {
    this.take('L');
    const character = this.peek();
    if (/\d/.test(character)) {
      return this.#tagged(this.sourceName());
    }
    if (this.peekIs('C') || /^D[0-5]/.test(this.rest())) return this.#structor(className);
    if (this.take('Ut')) {
      const number = this.numberIfAny() + 2;
      if (!this.take('_')) throw new NotMangled();
      return this.#tagged(`{unnamed type#${number}}`);
    }
    if (this.take('Ul')) return this.#lambda();
    if (this.take('cv')) {
      const text = `operator ${this.type().join('')}`;
      return this.#tagged(text, text, true);
    }
    if (this.take('li')) {
      return this.#tagged(`operator"" ${this.sourceName()}`);
    }
    const operator = OPERATORS[this.rest().slice(0, 2)];
    if (operator === undefined) throw new NotMangled();
    this.skip(2);
    return this.#tagged(`operator${/^[a-z]/.test(operator) ? ' ' : ''}${operator}`);
  }

  #structor(className: string): Unqualified {
    const isDestructor = this.peek() === 'D';
    this.skip(1);
    this.take('I');
    this.skip(1);
    if (className === '') throw new NotMangled();
    return this.#tagged(isDestructor ? `~${className}` : className, className, true);
  }

  #lambda(): Unqualified {
    const parameters = this.lambdaParameters();
    if (!this.take('E')) throw new NotMangled();
    const number = this.numberIfAny() + 2;
    if (!this.take('_')) throw new NotMangled();
    return this.#tagged(`{lambda(${parameters})#${number}}`);
  }

  /** ABI tags: `[abi:cxx11]`. */
  #tagged(text: string, base = text, hasNoReturnType = false): Unqualified {
    let tagged = text;
    while (this.take('B')) tagged += `[abi:${this.sourceName()}]`;
    return { text: tagged, base, hasNoReturnType };
  }
}

/** Returns `vector` for `std::vector<int>`. */
function baseName(text: string): string {
  const standard = STANDARD_NAMES.find(({ short }) => short === text);
  let depth = 0;
  const plain = standard?.full ?? text;
  let end = plain.length;
  for (let at = plain.length - 1; at >= 0; at--) {
    const character = plain[at];
    if (character === '>') depth += 1;
    if (character === '<' && --depth === 0) end = Math.min(end, at);
    if (character === ':' && depth === 0) return plain.slice(at + 1, end);
  }
  return plain.slice(0, end);
}
