import { NO_STACK, type EventIndex, type StackIndex, type ValueTypeIndex } from '../../model/brand.ts';
import { malformed, tooLarge, unsupported } from '../../model/failure.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';
import { HeaderComments } from '../perf-script/comments.ts';
import { startEvent } from '../perf-script/events.ts';
import { FrameBudget } from '../stacks/frame-budget.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { GraphReader, HALF, isRelativeTo, pathsOf, type GraphPath, type ReportRow } from './call-graph.ts';
import { ADDRESS, nameByRows } from './unnamed-code.ts';
import { wholeStacks, type Repetition } from './whole-stacks.ts';

const EVENT = /^# Samples: (\S+) +of (events?) '(.+)'/;
const HEADINGS = /^# +(?:Overhead|Children)\b/;
const SEPARATED = /^# +(?:Overhead|Children) *[^ \w]/;
const DOTS = /^#( +\.{2,})+\s*$/;
const READ_COLUMNS = new Set(['Children', 'Self', 'Overhead', 'Command', 'Shared Object', 'Object', 'Symbol']);
const SYMBOL = /^(?:\[([.kguH])\] )?(.*)$/;
const INLINED = / \(inlined\)$/;
const MAX_EVENTS = 254;
const AGAIN = '`perf report --stdio -g graph,0`';
/** Differences of decimals are not whole in binary. */
const rounded = (percent: number): number => Math.round(percent * 1e6) / 1e6;

interface Column {
  readonly title: string;
  readonly start: number;
  /** Infinity: to the end of the line. */
  readonly end: number;
}

/** One event of the report. */
interface Section {
  readonly name: string;
  /** As printed, rounded to thousands (`4K`); 1 if it is not printed. */
  readonly samples: number;
  readonly rows: ReportRow[];
}

export class PerfReportSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #header = new HeaderComments();
  readonly #sections: Section[] = [];
  readonly #comments: string[] = [];
  /** Module of each symbol that rows name; '' if several have it. */
  readonly #modules = new Map<string, string>();
  #headings = '';
  #columns: readonly Column[] = [];
  #graph: GraphReader | null = null;
  /** The last line is part of a call graph, which may go on. */
  #isInGraph = false;
  /** Length of the text, in UTF-16 units. */
  #length = 0;

  finish(lastLine: number): Profile {
    const rows = this.#sections.flatMap((section) => section.rows);
    if (rows.length === 0) throw malformed('the report has no row', lastLine);
    if (this.#isInGraph) this.#dropLastGraph(lastLine);
    if (rows.some(({ branches, total }) => isRelativeTo(branches, total))) {
      throw unsupported(`call graphs with relative percentages; run ${AGAIN}`);
    }
    const budget = new FrameBudget(this.#length, 'run `perf script > FILE.txt` beside its perf.data and open that');
    nameByRows(rows);
    const paths = rows.flatMap((row) => pathsOf(row, budget));
    const isCalleeFirst = decideOrder(paths, this.#hasChildren);
    const repetition = !this.#hasChildren ? 'once' : isCalleeFirst ? 'above' : 'below';
    const types = this.#sections.map(({ name, rows: own }) => {
      const event = this.#builder.event(name);
      const ownRows = new Set(own);
      const ofCommand = Map.groupBy(
        paths.filter(({ row }) => ownRows.has(row)),
        ({ row }) => row.command,
      );
      for (const [command, ofRows] of Map.groupBy(own, (row) => row.command))
        this.#addCommand(command, event, ofRows, ofCommand.get(command) ?? [], isCalleeFirst, repetition);
      return { type: name, unit: 'percent', event, column: 0 };
    });
    const { diagnostics } = this.#builder;
    diagnostics.add('percentages', 'Weights are the percentages of the report, which have two decimals.', {
      severity: 'info',
      remedy: 'Run `perf script > FILE.txt` beside its perf.data and open that for every sample.',
    });
    if (paths.length === 0) {
      diagnostics.add('missing-stacks', 'The report has no call graphs, so functions have no callers.', {
        remedy: `Run ${AGAIN} on a recording with call graphs (-g).`,
      });
    }
    const metadata = this.#header.metadata();
    return diagnoseUnresolved(
      this.#builder.finish(types, {
        ...metadata,
        format: 'perf-report',
        tool: 'perf',
        defaultValueType: startEvent(
          this.#sections.map(({ name }) => name),
          this.#sections.map(({ samples }) => samples),
        ) as ValueTypeIndex,
        comments: [...(metadata.comments ?? []), ...this.#comments],
      }),
    );
  }

  get #hasChildren(): boolean {
    return this.#columns.some(({ title }) => title === 'Children');
  }

  /**
   * Adds the stacks of a command. What ends in a function is its self percentage: stacks that the call graphs cut off
   * above it are part of others, and what is in none of its stacks has no callers.
   */
  #addCommand(
    command: string,
    event: EventIndex,
    rows: readonly ReportRow[],
    paths: readonly GraphPath[],
    isCalleeFirst: boolean,
    repetition: Repetition,
  ): void {
    const thread = this.#builder.thread(-1, -1, command);
    const bySymbol = Map.groupBy(wholeStacks(paths, isCalleeFirst, repetition), ({ rootFirst }) => rootFirst.at(-1)!);
    const self = new Map<string, number>();
    for (const row of rows) self.set(row.symbol, (self.get(row.symbol) ?? 0) + row.self);
    for (const symbol of new Set([...self.keys(), ...bySymbol.keys()])) {
      const stacks = bySymbol.get(symbol) ?? [];
      const inStacks = stacks.reduce((sum, { percent }) => sum + percent, 0);
      const stated = self.get(symbol) ?? inStacks;
      if (stated === 0) continue;
      const rest = stated - inStacks;
      const isCut = rest > HALF * (stacks.length + 1);
      const scale = isCut ? 1 : stated / inStacks;
      for (const { rootFirst, percent } of stacks)
        this.#builder.sample({ stack: this.#stack(rootFirst), thread, event }, rounded(percent * scale));
      if (!isCut) continue;
      this.#builder.sample({ stack: this.#stack([symbol]), thread, event }, rounded(rest));
      if (paths.length === 0) continue;
      this.#builder.diagnostics.add('unlisted-callers', 'Functions have weight whose callers the report leaves out.', {
        severity: 'info',
        remedy: `Run ${AGAIN}, which leaves none out.`,
      });
    }
  }

  #stack(rootFirst: readonly string[]): StackIndex {
    let stack = NO_STACK;
    for (const symbol of rootFirst) {
      const [, digits] = ADDRESS.exec(symbol) ?? [];
      const inline = INLINED.test(symbol);
      const func = this.#builder.function(this.#functionOf(symbol.replace(INLINED, '')));
      const address = digits === undefined ? null : BigInt(`0x${digits}`);
      stack = this.#builder.stack(stack, this.#builder.frame({ func, inline, address }));
    }
    return stack;
  }

  #functionOf(symbol: string): FunctionKey {
    const module = ADDRESS.exec(symbol)?.[2] ?? this.#modules.get(symbol) ?? '';
    if (ADDRESS.test(symbol) || symbol === '[unknown]') return unresolvedFunction(module);
    return { name: symbol, module, kind: module === '' ? FunctionKind.unknown : kindOfModule(module) };
  }

  /** The last call graph of a text that ends within it has names and percentages that may be cut. */
  #dropLastGraph(line: number): void {
    const row = this.#sections.at(-1)!.rows.at(-1)!;
    row.branches.length = 0;
    this.#note('truncated-input', 'The input ends within a call graph, which was skipped.', line);
  }

  line({ text, number, isUnfinished }: TextLine): void {
    this.#length += text.length;
    this.#isInGraph = false;
    if (text.startsWith('#')) return this.#comment(text, number);
    const isRow = /^ +\d+\.\d+%/.test(text) && this.#columns.length > 0;
    if (isRow && isUnfinished)
      return this.#note('truncated-input', 'The last row has no line end and was skipped.', number);
    if (isRow) return this.#row(text, number);
    const read = this.#graph?.line(text.trimEnd()) ?? (text.trim() === '' ? 'read' : 'unknown');
    if (read === 'counted') {
      throw unsupported(`call graphs with counts; run ${AGAIN}`, number);
    }
    if (read === 'unknown') this.#skip(number);
    this.#isInGraph = read === 'read' && text !== '';
  }

  #comment(text: string, line: number): void {
    const [, count, kind, name] = EVENT.exec(text) ?? [];
    if (kind === 'events') {
      throw unsupported('a report of a group of events; run `perf report --stdio --no-group`', line);
    }
    if (name !== undefined) {
      this.#graph = null;
      this.#columns = [];
      this.#section(name, samplesOf(count!));
      this.#comments.push(`${count} samples of ${name}`);
    } else if (SEPARATED.test(text)) {
      throw unsupported('a report with a field separator; run `perf report --stdio` without -t', line);
    } else if (text.startsWith('# Event count')) this.#comments.push(text.slice(2).trim());
    else if (HEADINGS.test(text)) this.#headings = text;
    else if (DOTS.test(text) && this.#headings !== '') this.#layOut(text, line);
    else this.#header.add(text);
  }

  #layOut(dots: string, line: number): void {
    const starts = [...dots.matchAll(/\.+/g)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    }));
    this.#columns = starts.map(({ start, end }, place) => ({
      title: this.#headings.slice(place === 0 ? 1 : start, starts[place + 1]?.start ?? Infinity).trim(),
      start: place === 0 ? 0 : start,
      end: place === starts.length - 1 ? Infinity : end,
    }));
    this.#headings = '';
    if (!this.#columns.some(({ title }) => title === 'Symbol')) {
      throw unsupported('a report without symbols; run `perf report --stdio -s comm,dso,sym`', line);
    }
    const skipped = this.#columns.filter(({ title }) => !READ_COLUMNS.has(title)).length;
    if (skipped === 0) return;
    this.#builder.diagnostics.add(
      'skipped-column',
      'Columns other than percentages, command, object and symbol were skipped.',
      {
        severity: 'info',
        count: skipped,
        first: { line },
      },
    );
  }

  #section(name: string, samples = 1): Section {
    const known = this.#sections.find((section) => section.name === name);
    if (known !== undefined) return known;
    if (this.#sections.length >= MAX_EVENTS) throw tooLarge(`more than ${MAX_EVENTS} events`);
    const section = { name, samples, rows: [] };
    this.#sections.push(section);
    return section;
  }

  #row(text: string, line: number): void {
    const cell = (title: string): string => {
      const column = this.#columns.find((one) => one.title === title);
      return column === undefined ? '' : text.slice(column.start, column.end).trim();
    };
    const percent = (title: string): number =>
      /^\d{1,3}\.\d+%$/.test(cell(title)) ? Number.parseFloat(cell(title)) : 0;
    const [, , symbol = ''] = SYMBOL.exec(cell('Symbol')) ?? [];
    if (symbol === '') return this.#skip(line);
    const [, digits] = ADDRESS.exec(symbol) ?? [];
    const module = cell('Shared Object') || cell('Object');
    const name = digits === undefined ? symbol : `0x${digits} (${module})`;
    const known = this.#modules.get(name);
    this.#modules.set(name, known === undefined || known === module ? module : '');
    const total = this.#hasChildren ? percent('Children') : percent('Overhead');
    const self = this.#hasChildren ? percent('Self') : total;
    const row = { command: cell('Command'), symbol: name, total, self, branches: [] };
    (this.#sections.at(-1) ?? this.#section('overhead')).rows.push(row);
    this.#graph = new GraphReader(row);
  }

  #skip(line: number): void {
    this.#note('skipped-line', 'Lines that are neither a row nor part of a call graph were skipped.', line);
  }
}

/** Returns `4K` as 4,000. */
function samplesOf(text: string): number {
  const [, digits = '1', step = ''] = /^(\d+(?:\.\d+)?)([KMG]?)/.exec(text) ?? [];
  return Number(digits) * ({ K: 1e3, M: 1e6, G: 1e9 }[step] ?? 1);
}

/**
 * Returns whether call graphs begin with callees: perf's default without children, else with callers. Rows in which
 * samples end show it: their paths begin or end with the row's function.
 */
function decideOrder(paths: readonly GraphPath[], hasChildren: boolean): boolean {
  let [calleeFirst, callerFirst] = [0, 0];
  for (const { row, names } of paths) {
    if (row.self === 0 || names.length < 2) continue;
    const [begins, ends] = [names[0] === row.symbol, names.at(-1) === row.symbol];
    if (begins && !ends && row.self > row.total - HALF) calleeFirst += 1;
    if (ends && !begins) callerFirst += 1;
  }
  return calleeFirst === callerFirst ? !hasChildren : calleeFirst > callerFirst;
}
