import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile, type ValueType } from '../../model/profile.ts';
import { MAX_ROW_BYTES, parseHeadings, rowCells, type CsvHeadings } from '../text/csv-cells.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine, type LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree } from '../stacks/indented-tree.ts';

/** `CallTreeSummary.csv` of Visual Studio's profiler (VSPerfReport -CallTree): a call tree with levels. */
export const vsprofImporter: Importer = {
  id: 'vsprof',
  label: 'Visual Studio call tree',
  extensions: ['csv'],
  keeps: 'the call tree with modules; numbers of calls, exclusive samples, the exclusive share of the time',
  loses: 'inclusive values, which follow from exclusive ones; averages, which are rounded',
  recognizedBy: 'a first line of headings with `Level`, `Function Name` and `Number of Calls` or `Exclusive Samples`',
  specification: 'https://learn.microsoft.com/en-us/visualstudio/profiling/call-tree-view',
  sniff: sniffVsprof,
  start: () => byLine(new VsprofSession(), MAX_ROW_BYTES),
};

const LEVEL = 'Level';
const NAME = 'Function Name';
/** The columns that can be summed, in order of preference. */
const COLUMNS = new Map<string, Pick<ValueType, 'type' | 'unit'>>([
  ['Exclusive Samples', { type: 'samples', unit: 'count' }],
  ['Number of Calls', { type: 'calls', unit: 'count' }],
  ['Elapsed Exclusive Time %', { type: 'elapsed time', unit: 'percent' }],
  ['Application Exclusive Time %', { type: 'application time', unit: 'percent' }],
]);
const INTEGER = /^(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})$/;
const SHARE = /^\d{1,20}(?:\.\d{1,20})?$/;

const headingsOf = (line: string): CsvHeadings | null => {
  const headings = parseHeadings(line, [LEVEL, NAME]);
  return headings?.names.some((name) => COLUMNS.has(name)) === true ? headings : null;
};

function sniffVsprof({ text }: Head): SniffResult {
  return headingsOf(/^\s*?(\S[^\r\n]*)/.exec(text)?.[1] ?? '') === null ? 'no' : 'yes';
}

class VsprofSession implements LineSession {
  readonly #builder = new ProfileBuilder(COLUMNS.size);
  readonly #rows = new IndentedTree(this.#builder, ({ stack, weights }) => {
    if (weights.some((weight) => weight > 0)) this.#builder.sample({ stack, thread: this.#thread }, ...weights);
  });
  #headings: CsvHeadings | null = null;
  /** Names of processes, whose rows have level 0. */
  readonly #processes: string[] = [];
  #thread: ThreadIndex = this.#builder.thread(-1, -1, '');
  #columns: readonly string[] = [];

  finish(lastLine: number): Profile {
    this.#rows.finish();
    if (this.#builder.stackCount === 0) throw malformed('the table has no functions', lastLine);
    const valueTypes = this.#columns.map((name) => COLUMNS.get(name)!);
    return this.#builder.finish(valueTypes, {
      format: 'vsprof',
      tool: 'Visual Studio',
      command: this.#processes[0] ?? null,
    });
  }

  line(line: TextLine): void {
    if (line.text.trim() === '') return;
    if (this.#headings !== null) return this.#row(this.#headings, line);
    const headings = headingsOf(line.text);
    if (headings === null) throw malformed('not the headings of a call tree', line.number);
    this.#headings = headings;
    this.#columns = [...COLUMNS.keys()].filter((name) => headings.names.includes(name));
  }

  #row(headings: CsvHeadings, line: TextLine): void {
    const cells = rowCells(headings, line);
    const cellOf = (heading: string): string => cells[headings.names.indexOf(heading)] ?? '';
    const level = valueOf(cellOf(LEVEL), LEVEL, line.number);
    const weights = this.#columns.map((name) => valueOf(cellOf(name), name, line.number));
    const name = cellOf(NAME);
    if (level === 0) {
      this.#rows.finish();
      this.#startProcess(name);
    }
    this.#rows.add(level, level === 0 ? null : this.#frame(name, cellOf('Module Name')), weights, line.number);
  }

  /** The first process is the profile's command; threads are named if there are several. */
  #startProcess(name: string): void {
    this.#processes.push(name);
    if (this.#processes.length > 1) this.#thread = this.#builder.thread(-1, -1, name);
  }

  #frame(name: string, module: string): FrameIndex {
    const kind = /^0x[0-9A-Fa-f]+$/.test(name) ? FunctionKind.unresolved : FunctionKind.unknown;
    return this.#builder.frame({
      func: this.#builder.function({ name: name === '' ? '(unnamed)' : name, module, kind }),
    });
  }
}

/** Numbers are grouped by commas, shares have decimals. */
function valueOf(cell: string, heading: string, line: number): number {
  const text = cell.trim();
  const value = (heading.endsWith('%') ? SHARE : INTEGER).test(text) ? Number(text.replaceAll(',', '')) : Number.NaN;
  if (value <= Number.MAX_SAFE_INTEGER) return value;
  throw malformed(`${heading} is not a number: ${text.slice(0, 40)}`, line);
}
