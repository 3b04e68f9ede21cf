import type { ThreadIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { formatValue } from '../../units/format.ts';
import { addCallGraph } from './call-graph-stacks.ts';
import { CallGraphBuilder, SELF, type CallGraph } from './call-graph.ts';
import type { CallgrindEvent } from './events.ts';

/** A thread's costs in one part of a recording. */
interface Section {
  readonly row: number;
  readonly pid: number;
  readonly tid: number;
  readonly part: string;
}

/** The data after one header: own costs, and the totals that the file states for them. */
interface Dump {
  readonly self: Float64Array;
  totals: Float64Array | null;
}

interface Place {
  readonly object: string;
  readonly file: string;
}

/** `fn=(12) name`: a name and its number, or a number defined before. */
const NAME = /^\((\d+)\)(?:\s+(.*))?$/;
const SPECIFICATION = /^(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn|jfi|jfn|job|calls|jump|jcnd)=(.*)$/;
/** Functions without a symbol, possibly recursive; cachegrind's name for them. */
const UNRESOLVED = /^(?:0x[0-9a-f]+(?:'\d+)?|\?\?\?)$/;
/** Costs below this share of the whole are not visible, so a diagnostic about them is only information. */
const MINOR_SHARE = 0.01;
/** Name spaces of numbers. */
const SPACES: Readonly<Record<string, 'object' | 'file' | 'function'>> = {
  ob: 'object',
  cob: 'object',
  job: 'object',
  fl: 'file',
  fi: 'file',
  fe: 'file',
  cfi: 'file',
  cfl: 'file',
  jfi: 'file',
  fn: 'function',
  cfn: 'function',
  jfn: 'function',
};

/** Functions, their lines and calls, after the header. */
export class CallgrindBody {
  readonly #builder: ProfileBuilder;
  readonly #note: ProfileBuilder['diagnostics']['atLine'];
  readonly #columns: number;
  readonly #numbers: CallgrindNumbers;
  readonly #names = {
    object: new Map<string, string>(),
    file: new Map<string, string>(),
    function: new Map<string, string>(),
  };
  readonly #graph: CallGraphBuilder;
  /** By process, thread and part. */
  readonly #sections = new Map<string, Section>();
  #section: Section | null = null;
  #dump: Dump;
  #object = '';
  #file = '';
  #ownFile = '';
  #node = -1;
  #calledPlace: Partial<Place> = {};
  #called = -1;
  /** Line of the `calls=` whose costs come next; 0: none. */
  #callLine = 0;

  constructor(columns: number) {
    this.#columns = columns;
    this.#builder = new ProfileBuilder(columns);
    this.#note = this.#builder.diagnostics.atLine;
    this.#graph = new CallGraphBuilder(columns);
    this.#numbers = new CallgrindNumbers(columns);
    this.#dump = { self: new Float64Array(columns), totals: null };
  }

  /** Must be called at each header: a file may contain several dumps, even of one section. */
  beginDump(): void {
    this.#checkTotals();
    this.#dump = { self: new Float64Array(this.#columns), totals: null };
  }

  /** `header` holds the header lines read so far. */
  beginSection(header: ReadonlyMap<string, string>): void {
    const [pid, tid] = [idOf(header.get('pid')), idOf(header.get('thread'))];
    const part = header.get('part') ?? '';
    const key = `${pid} ${tid} ${part}`;
    let section = this.#sections.get(key);
    if (section === undefined) {
      const row = this.#sections.size;
      section = { row, pid, tid, part };
      this.#sections.set(key, section);
    }
    this.#section = section;
    this.#node = this.#called = -1;
    this.#numbers.setPositions((header.get('positions') ?? 'line').split(/\s+/));
  }

  /** `totals` comes at the end of a part and is more reliable than `summary` at its start. */
  expectTotals(key: 'summary' | 'totals', value: string): void {
    const costs = new CallgrindNumbers(this.#columns).read(`0 ${value.trim()}`)?.costs;
    if (costs === undefined || (key === 'summary' && this.#dump.totals !== null)) return;
    this.#dump.totals = Float64Array.from({ length: this.#columns }, (_, column) => costs[column] ?? 0);
  }

  line(text: string, number: number): void {
    const [, key, value] = SPECIFICATION.exec(text) ?? [];
    if (key === undefined) return this.#costs(text, number);
    if (this.#callLine > 0) this.#cutCall();
    if (key === 'calls') this.#callLine = number;
    else if (key === 'jump' || key === 'jcnd') this.#note('jumps', 'Jumps were left out.', number, 'info');
    else this.#name(key, this.#nameOf(SPACES[key]!, value!));
  }

  /** Returns the builder with all samples, costs multiplied by the events' scales. */
  finish(events: readonly CallgrindEvent[], lines: number): ProfileBuilder {
    if (this.#callLine > 0) this.#cutCall();
    this.#checkTotals();
    const graph = this.#graph.finish();
    if (graph.callee.length === 0) throw malformed('no function has costs', lines);
    const used = new Set(graph.section);
    const parts = new Set([...this.#sections.values()].flatMap(({ row, part }) => (used.has(row) ? [part] : [])));
    const sections = [...this.#sections.values()].map(({ row, pid, tid, part }) => ({
      thread: used.has(row) ? this.#builder.thread(pid, tid, '') : (0 as ThreadIndex),
      labelSet: used.has(row) && parts.size > 1 ? this.#builder.labelSet([{ key: 'part', text: part }]) : undefined,
    }));
    const scales = events.map(({ scale }) => scale);
    const self = ownCosts(graph);
    const made = addCallGraph(this.#builder, graph, sections, scales);
    this.#noteApproximation(made);
    this.#noteClaims(made.claimed, self, events);
    return this.#builder;
  }

  #name(key: string, name: string): void {
    if (key === 'ob') this.#object = name;
    else if (key === 'fl' || key === 'fi' || key === 'fe') this.#file = name;
    else if (key === 'cob') this.#calledPlace = { ...this.#calledPlace, object: name };
    else if (key === 'cfi' || key === 'cfl') this.#calledPlace = { ...this.#calledPlace, file: name };
    else if (key === 'fn') {
      this.#ownFile = this.#file;
      this.#node = this.#nodeOf(name, { object: this.#object, file: this.#file });
    } else if (key === 'cfn') {
      this.#called = this.#nodeOf(name, { object: this.#object, file: this.#file, ...this.#calledPlace });
      this.#calledPlace = {};
    }
  }

  #costs(text: string, number: number): void {
    const read = this.#numbers.read(text);
    if (read === null)
      return this.#note('skipped-line', 'Lines that are neither costs nor names were skipped.', number);
    const isCall = this.#callLine > 0;
    this.#callLine = 0;
    if (this.#node < 0) return this.#note('skipped-line', 'Costs without a function were skipped.', number);
    if (read.costs.some((cost) => cost > Number.MAX_SAFE_INTEGER)) {
      this.#note('inexact-weight', 'Costs beyond 2^53 are rounded to 53 significant bits.', number);
    }
    const line = this.#file === this.#ownFile ? read.line : 0;
    if (!isCall) {
      this.#graph.addSelf(this.#node, line, read.costs);
      read.costs.forEach((cost, column) => (this.#dump.self[column]! += cost));
    } else if (this.#called < 0) this.#note('skipped-line', 'Calls without a function were skipped.', number);
    else this.#graph.addCall(this.#node, this.#called, line, read.costs);
  }

  #nameOf(space: 'object' | 'file' | 'function', text: string): string {
    const [, id, name] = NAME.exec(text) ?? [];
    if (id === undefined) return text;
    const known = this.#names[space];
    if (name !== undefined && name !== '') known.set(id, name);
    return known.get(id) ?? text;
  }

  #nodeOf(name: string, { object, file }: Place): number {
    const module = known(object);
    const isUnresolved = UNRESOLVED.test(name);
    const kind = isUnresolved ? FunctionKind.unresolved : module === '' ? FunctionKind.unknown : FunctionKind.user;
    const func = this.#builder.function({ name: demangle(name) ?? name, module, file: known(file), kind });
    return this.#graph.node(this.#section!.row, func);
  }

  #cutCall(): void {
    this.#note('skipped-line', 'Calls without costs were skipped.', this.#callLine);
    this.#callLine = 0;
  }

  #checkTotals(): void {
    const { self, totals } = this.#dump;
    if (totals === null || totals.every((total, column) => total === self[column])) return;
    this.#builder.diagnostics.add('totals-differ', 'Costs do not add up to the total that the file states.', {
      remedy: 'Check that the whole file was copied.',
    });
  }

  #noteApproximation({ unfollowed, circled }: { readonly unfollowed: number; readonly circled: number }): void {
    if (circled > 0) {
      const message =
        'Functions call one another in cycles: their order in stacks, and so their totals, are estimates.';
      this.#builder.diagnostics.add('call-circles', message, { severity: 'info', count: circled });
    }
    if (unfollowed === 0) return;
    const percent = (unfollowed * 100).toPrecision(2);
    this.#builder.diagnostics.add(
      'calls-too-small',
      `Calls too small to follow, ${percent} % of the costs at most, are attributed to functions without callers.`,
      { severity: unfollowed < MINOR_SHARE ? 'info' : 'warning' },
    );
  }

  #noteClaims(claimed: Float64Array, self: Float64Array, events: readonly CallgrindEvent[]): void {
    let worst = 0;
    const shareOf = (column: number): number => claimed[column]! / Math.max(1, self[column]!);
    for (let column = 1; column < claimed.length; column++) if (shareOf(column) > shareOf(worst)) worst = column;
    if (claimed[worst] === 0) return;
    const { type, unit, scale } = events[worst]!;
    const claim = formatValue(claimed[worst]! * scale, unit);
    const spent = formatValue(self[worst]! * scale, unit);
    this.#builder.diagnostics.add(
      'calls-claim-more',
      `Calls claim ${claim} of ${type} more than the called functions cost; totals are sums of self costs (${spent}).`,
      { severity: shareOf(worst) < MINOR_SHARE ? 'info' : 'warning' },
    );
  }
}

function ownCosts({ columns, callee, costs }: CallGraph): Float64Array {
  const sums = new Float64Array(columns);
  for (let item = 0; item < callee.length; item++) {
    if (callee[item] !== SELF) continue;
    for (let column = 0; column < columns; column++) sums[column]! += costs[item * columns + column]!;
  }
  return sums;
}

const known = (name: string): string => (name === '???' ? '' : name);

function idOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : -1;
}

/** Counters of the format are 64 bits wide. */
const MAX_NUMBER = 2 ** 64;
const NUMBER = /^(?:[+-]?\d{1,20}|[+-]?0x[0-9a-fA-F]{1,16}|\*)$/;

/** The content of a cost line; trailing numbers that are not written are 0. */
interface CostLine {
  /** Line of the function's code; 0 if the file has no lines. */
  readonly line: number;
  readonly costs: readonly number[];
}

/** Parses `[ADDRESS] LINE COST…`, whose numbers may be relative to those of the previous line: `+3`, `-3`, `*`. */
class CallgrindNumbers {
  #positions: readonly string[] = ['line'];
  #before: number[] = [];
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** From the header: `line`, `instr` or both. */
  setPositions(positions: readonly string[]): void {
    this.#positions = positions;
    this.#before = [];
  }

  /** Returns null if it is not a cost line. */
  read(text: string): CostLine | null {
    const words = text.split(/\s+/);
    const places = this.#positions.length;
    if (words.length < places || words.length > places + this.#columns) return null;
    const numbers: number[] = [];
    for (const [row, word] of words.entries()) {
      if (!NUMBER.test(word)) return null;
      const value = numberOf(word, this.#before[row] ?? 0);
      if (value < 0 || value > MAX_NUMBER) return null;
      numbers.push(value);
    }
    this.#before = numbers;
    const place = this.#positions.indexOf('line');
    return { line: place < 0 ? 0 : numbers[place]!, costs: numbers.slice(places) };
  }
}

function numberOf(word: string, before: number): number {
  if (word === '*') return before;
  const sign = word.startsWith('+') ? 1 : word.startsWith('-') ? -1 : 0;
  const value = Number(sign === 0 ? word : word.slice(1));
  return sign === 0 ? value : before + sign * value;
}
