import type { FrameIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { parseMeasure, type Measure, type MeasureKind } from './cells.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree, type IndentedRow } from '../stacks/indented-tree.ts';

const VALUE_TYPES: Readonly<Record<MeasureKind, { readonly type: string; readonly unit: string }>> = {
  time: { type: 'cpu', unit: 'nanoseconds' },
  bytes: { type: 'inuse_space', unit: 'bytes' },
  cycles: { type: 'cycles', unit: 'count' },
  count: { type: 'samples', unit: 'count' },
};

const SYMBOL = 'Symbol Name';

/** Positions of the cells; −1 if absent. */
interface Columns {
  readonly symbol: number;
  readonly self: number;
  /** Unit of numbers in the column of own weights, which may be in its heading: `Self (ms)`. */
  readonly selfUnit: string;
  readonly count: number;
}

/** Positions in a row's weights. */
const [TOTAL, COUNT, TOLERANCE, SELF] = [0, 1, 2, 3] as const;

export class InstrumentsSession implements LineSession {
  readonly #builder = new ProfileBuilder(2);
  readonly #thread = this.#builder.thread(-1, -1, '');
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #rows = new IndentedTree(this.#builder, (row) => this.#sample(row));
  #columns: Columns | null = null;
  #kind: MeasureKind | null = null;
  /** Number of spaces before the outermost names. */
  #margin = 0;

  finish(lastLine: number): Profile {
    this.#rows.finish();
    if (this.#kind === null) throw malformed('the table has no rows', lastLine);
    const main = VALUE_TYPES[this.#kind];
    const counts = { type: this.#kind === 'bytes' ? 'inuse_objects' : 'calls', unit: 'count' };
    return this.#builder.finish(this.#columns!.count < 0 ? [main] : [main, counts], {
      format: 'instruments',
      tool: 'Instruments',
    });
  }

  line(line: TextLine): void {
    if (line.text.trim() === '') return;
    if (this.#columns === null) this.#columns = columnsOf(line);
    else this.#row(this.#columns, line);
  }

  #row(columns: Columns, { text, number: line }: TextLine): void {
    const cells = text.split('\t');
    const symbol = cells[columns.symbol];
    if (symbol === undefined) throw malformed('a row without a name', line);
    const total = this.#measure(cells[0]!, '', line);
    const self = columns.self < 0 ? null : this.#measure(cells[columns.self]!, columns.selfUnit, line);
    const count = columns.count < 0 ? 0 : (parseMeasure(cells[columns.count]!, '')?.value ?? 0);
    const blanks = symbol.length - symbol.trimStart().length;
    if (this.#kind === null) this.#margin = blanks;
    this.#kind ??= total.kind;
    const weights: number[] = [];
    weights[TOTAL] = total.value;
    weights[COUNT] = count;
    weights[TOLERANCE] = total.tolerance;
    weights[SELF] = self?.value ?? Number.NaN;
    this.#rows.add(Math.max(0, blanks - this.#margin), this.#frame(symbol.trim()), weights, line);
  }

  #measure(cell: string, unit: string, line: number): Measure {
    const measure = parseMeasure(cell, unit);
    if (measure === null) throw malformed(`no weight: ${cell.slice(0, 40)}`, line);
    if (measure.value === 0 || measure.kind === (this.#kind ?? measure.kind)) return measure;
    throw malformed(`a weight whose unit differs from the first row’s`, line);
  }

  #sample({ stack, weights, below, line }: IndentedRow): void {
    const left = weights[TOTAL]! - below[TOTAL]!;
    const tolerance = weights[TOLERANCE]! + below[TOLERANCE]!;
    const self = Number.isNaN(weights[SELF]) ? (Math.abs(left) <= tolerance ? 0 : left) : weights[SELF]!;
    const count = weights[COUNT]! - below[COUNT]!;
    if (self < 0 || count < 0)
      this.#note('uneven-counts', 'Rows weigh more than the row above that contains them.', line);
    if (self > 0 || count > 0)
      this.#builder.sample({ stack, thread: this.#thread }, Math.max(0, self), Math.max(0, count));
  }

  #frame(text: string): FrameIndex {
    const name = text === '' ? '(unnamed)' : (demangle(text) ?? text);
    const kind = /^<Unknown Address>$|^0x[0-9a-f]+$/.test(name) ? FunctionKind.unresolved : FunctionKind.unknown;
    return this.#builder.frame({ func: this.#builder.function({ name, kind }) });
  }
}

function columnsOf({ text, number }: TextLine): Columns {
  const headings = text.split('\t').map((cell) => cell.trim());
  const symbol = headings.indexOf(SYMBOL);
  if (symbol < 1) throw malformed(`no column ${SYMBOL}`, number);
  const self = headings.findIndex((heading) => /^Self\b/.test(heading));
  const selfUnit = /^Self \(([^)]+)\)$/.exec(headings[self] ?? '')?.[1] ?? '';
  return { symbol, self, selfUnit, count: headings.indexOf('Count') };
}
