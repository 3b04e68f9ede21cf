import type { FrameIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { MAX_ROW_BYTES, parseHeadings, rowCells, type CsvHeadings } from '../text/csv-cells.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine, type LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree } from '../stacks/indented-tree.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/** The output of `vtune -report top-down -format csv`: a call tree with each function's own weights. */
export const vtuneImporter: Importer = {
  id: 'vtune',
  label: 'VTune CSV',
  extensions: ['csv'],
  keeps: 'the call tree with modules and source files; every column of self weights, times in microseconds',
  loses: 'columns of totals, which follow from self weights, and of ratios, which do not add up; offsets, threads',
  recognizedBy: 'a first line of headings with `Function Stack` and a column that ends in `:Self`',
  specification:
    'https://www.intel.com/content/www/us/en/docs/vtune-profiler/user-guide/2025-0/report-command-line-option.html',
  sniff: sniffVtune,
  start: () => byLine(new VtuneSession(), MAX_ROW_BYTES),
};

const STACK = 'Function Stack';
const SELF = /:Self$/;
const RATIO = /\b(?:Rate|Ratio|Frequency|Bound)\b|%/;
const TIME = /\bTime\b/;
/** Seconds, which VTune prints with a unit in reports for people. */
const NUMBER = /^\d{1,25}(?:\.\d{1,25})?(?:[eE][+-]?\d{1,2})?(?: ?s)?$/;

function sniffVtune({ text }: Head): SniffResult {
  const headings = parseHeadings(/^\s*?(\S[^\r\n]*)/.exec(text)?.[1] ?? '', [STACK]);
  return headings?.names.some((name) => SELF.test(name)) === true ? 'yes' : 'no';
}

interface WeightColumn {
  readonly cell: number;
  readonly isTime: boolean;
}

interface Layout {
  readonly headings: CsvHeadings;
  readonly weights: readonly WeightColumn[];
  readonly valueTypes: readonly ValueTypeKey[];
}

class VtuneSession implements LineSession {
  #builder = new ProfileBuilder(0);
  #rows: IndentedTree | null = null;
  #layout: Layout | null = null;
  #rowCount = 0;

  finish(lastLine: number): Profile {
    this.#rows?.finish();
    if (this.#layout === null || this.#rowCount === 0) throw malformed('the table has no rows', lastLine);
    const profile = this.#builder.finish(this.#layout.valueTypes, {
      format: 'vtune',
      tool: 'VTune',
    });
    return diagnoseUnresolved(
      profile,
      'Give VTune the binaries’ symbols: `vtune -finalize -search-dir DIR -r RESULT`.',
    );
  }

  line(line: TextLine): void {
    if (line.text.trim() === '') return;
    if (this.#layout === null) this.#start(line);
    else this.#row(this.#layout, line);
  }

  #start({ text, number }: TextLine): void {
    const layout = layoutOf(text);
    if (layout === null) throw malformed(`missing headings ${STACK} and …:Self`, number);
    const builder = new ProfileBuilder(layout.weights.length);
    const thread = builder.thread(-1, -1, '');
    this.#builder = builder;
    this.#layout = layout;
    this.#rows = new IndentedTree(builder, ({ stack, weights }) => {
      if (weights.some((weight) => weight > 0)) builder.sample({ stack, thread }, ...weights);
    });
    const left = layout.headings.names.filter((name) => SELF.test(name) && RATIO.test(name)).length;
    if (left > 0) {
      const message = 'Columns of ratios were skipped: they do not add up.';
      builder.diagnostics.add('skipped-column', message, { severity: 'info', count: left, first: { line: number } });
    }
  }

  #row({ headings, weights }: Layout, line: TextLine): void {
    const cells = rowCells(headings, line);
    const stack = cells[headings.names.indexOf(STACK)]!;
    const name = stack.trimStart();
    const values = weights.map(({ cell, isTime }) => weightOf(cells[cell]!, isTime, line.number));
    const cellOf = (heading: string): string => cells[headings.names.indexOf(heading)] ?? '';
    this.#rowCount += 1;
    this.#rows!.add(
      stack.length - name.length,
      this.#frame(name, cellOf('Module'), cellOf('Source File')),
      values,
      line.number,
    );
  }

  #frame(name: string, module: string, file: string): FrameIndex {
    const func = this.#builder.function({
      name: name === '' ? '(unnamed)' : name,
      module: module === UNKNOWN ? '' : module,
      file: file === UNKNOWN ? '' : file,
      kind: kindOf(name, module),
    });
    return this.#builder.frame({ func });
  }
}

const UNKNOWN = '[Unknown]';

/** `Total` is the whole. VTune names functions without a symbol by their start address: `func@0x180019140`. */
function kindOf(name: string, module: string): FunctionKind {
  if (name === 'Total' && module === UNKNOWN) return FunctionKind.synthetic;
  if (/^func@0x[0-9a-f]+$/.test(name) || name.startsWith('[')) return FunctionKind.unresolved;
  return FunctionKind.user;
}

function layoutOf(text: string): Layout | null {
  const headings = parseHeadings(text, [STACK]);
  const weights: WeightColumn[] = [];
  const valueTypes: ValueTypeKey[] = [];
  headings?.names.forEach((name, cell) => {
    if (!SELF.test(name) || RATIO.test(name)) return;
    const isTime = TIME.test(name);
    valueTypes.push({ type: name.replace(SELF, ''), unit: isTime ? 'microseconds' : 'count' });
    weights.push({ cell, isTime });
  });
  return headings === null || weights.length === 0 ? null : { headings, weights, valueTypes };
}

/** Returns times in whole microseconds, the smallest unit that VTune prints. */
function weightOf(cell: string, isTime: boolean, line: number): number {
  const text = cell.trim();
  if (text === '') return 0;
  const value = NUMBER.test(text) ? Number.parseFloat(text) * (isTime ? 1e6 : 1) : Number.NaN;
  if (Number.isFinite(value)) return isTime ? Math.round(value) : value;
  throw malformed(`no weight: ${text.slice(0, 40)}`, line);
}
