import {
  listField,
  readFields,
  readRowsHeader,
  type KeyNumber,
  type RecipeRow,
  type RowsHeader,
} from '../recipes/recipe-rows.ts';

/** The first line of a script of Flamebench, which describes its maps. collectors/bpftrace writes it. */
export interface RecipeHeader extends RowsHeader {
  /** Names of the maps that alternate: bpftrace fills one while it prints another. */
  readonly maps: readonly string[];
  /** The scalar that sums the same weights; unlike a map, it can't be full. */
  readonly total: string;
}

/** Parses a header. Null for any other line, and for a header without the required fields. */
export function readRecipeHeader(line: string): RecipeHeader | null {
  const fields = readFields(line, '# flamebench ');
  if (fields === null) return null;
  const rows = readRowsHeader(fields);
  const maps = listField(fields, 'map');
  const total = fields.get('total') ?? '';
  return rows === null || maps.length === 0 || total === '' ? null : { ...rows, maps, total };
}

/** A line that a script prints between its rows. */
type RecipeMark =
  /** The rows of this turn follow; they come again if they were not printed completely. */
  | { readonly kind: 'turn'; readonly turn: number }
  | { readonly kind: 'printed'; readonly turn: number }
  /** Duration of the script. */
  | { readonly kind: 'nanoseconds'; readonly nanoseconds: number };

/** Parses a mark. Null for any other line. */
export function readRecipeMark(line: string): RecipeMark | null {
  const [, kind, digits = ''] =
    /^# flamebench (turn|printed|nanoseconds)=(-?\d{1,16})(?: at=\d{1,20})?$/.exec(line) ?? [];
  const value = Number(digits);
  if (kind === undefined) return null;
  return kind === 'nanoseconds' ? { kind, nanoseconds: value } : { kind: kind as 'turn' | 'printed', turn: value };
}

/**
 * Reads the lines of a row: `@a[`, frames, a line with a comma after each stack, then the key's numbers, the name and
 * the weight.
 */
export class RecipeRowReader {
  readonly #header: RecipeHeader;
  readonly #end: RegExp;
  readonly #stacks: string[][];
  #section = 0;

  constructor(header: RecipeHeader) {
    this.#header = header;
    this.#end = new RegExp(`^${'(\\d{1,19}), '.repeat(header.numbers.length)}(.*)\\]: (-?\\d{1,19})$`, 's');
    this.#stacks = header.stacks.map(() => []);
  }

  /**
   * `text` is the text after `@a[`, or a whole later line. Returns null if more lines follow, and `malformed` if the
   * row can't be completed.
   */
  push(text: string): RecipeRow | 'malformed' | null {
    const isFrame = /^\s+\S/.test(text);
    if (isFrame) {
      const frames = this.#stacks[this.#section];
      if (frames === undefined) return 'malformed';
      frames.push(text.trim());
      return null;
    }
    let rest = text.trimStart();
    while (rest.startsWith(',') && this.#section < this.#stacks.length) {
      rest = rest.slice(1).trimStart();
      this.#section++;
    }
    if (rest === '') return null;
    return this.#section === this.#stacks.length ? this.#finish(rest) : 'malformed';
  }

  #finish(text: string): RecipeRow | 'malformed' {
    const match = this.#end.exec(text);
    if (match === null) return 'malformed';
    const numbers: Partial<Record<KeyNumber, number>> = {};
    for (const [index, name] of this.#header.numbers.entries()) numbers[name] = Number(match[index + 1]);
    return { stacks: this.#stacks, numbers, comm: match.at(-2)!, weight: Number(match.at(-1)) };
  }
}

/** Passes on the rows of each turn once, even if they are printed several times. */
export class RecipeTurn {
  readonly #add: (row: RecipeRow) => void;
  #rows: RecipeRow[] = [];
  #turn: number | null = null;
  #isPrinted = false;

  constructor(add: (row: RecipeRow) => void) {
    this.#add = add;
  }

  mark({ kind, turn }: Exclude<RecipeMark, { kind: 'nanoseconds' }>): void {
    if (kind === 'printed') {
      if (turn !== this.#turn) return;
      this.#isPrinted = true;
      return this.flush();
    }
    if (turn === this.#turn) {
      // The first printing was cut off.
      if (!this.#isPrinted) this.#rows = [];
      return;
    }
    this.flush();
    this.#turn = turn;
    this.#isPrinted = false;
  }

  add(row: RecipeRow): void {
    if (!this.#isPrinted) this.#rows.push(row);
  }

  flush(): void {
    for (const row of this.#rows.splice(0)) this.#add(row);
  }
}
