import type { FrameIndex } from '../../model/brand.ts';
import { memo } from '../../model/memo.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder, type FunctionKey, type ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { withoutBytesLiteral } from '../text/python-bytes.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';
import { RecipeSamples, recipeValueTypes, type RecipeRow } from '../recipes/recipe-rows.ts';
import { readRecipeHeader, readRecipeMark, RecipeRowReader, RecipeTurn, type RecipeHeader } from './recipe-output.ts';
import { JSON_LINE, rowsOfJson } from './json-lines.ts';
import { COUNT, COUNTED_PROCESS, MAP_END, MAP_START, PROCESS } from './patterns.ts';
import { INEXACT_WEIGHT, UNCOUNTED_STACK } from '../common-diagnostics.ts';

interface Process {
  readonly comm: string;
  readonly pid: number;
}

const NO_PROCESS: Process = { comm: '', pid: -1 };
/** Limit of a profile's column. */
const MAX_MAPS = 254;
/** Rows that a map holds by default (BPFTRACE_MAX_MAP_KEYS); Flamebench sets a multiple. */
const MAP_KEYS = 4096;

export class BpftraceSession implements LineSession {
  #builder = new ProfileBuilder(1);
  /** Returns the frame of a line after `k ` or `u `: the kernel's, or the user's. */
  readonly #frame = memo((key: string): FrameIndex => {
    const { func, address } = parseBpfFrame(key.slice(2), key.startsWith('k'));
    return this.#builder.frame({ func: this.#builder.function(func), address });
  });
  /** The current stack, leaf first. */
  #stack: string[] = [];
  #stackLine = 0;
  #process = NO_PROCESS;
  /** The current map; null outside of one. */
  #map: string | null = null;
  readonly #maps: string[] = [];
  /** Number of rows by map. */
  readonly #rowCounts = new Map<string, number>();
  #rateHz: number | null = null;
  #isTime = false;
  #recipe: RecipeHeader | null = null;
  #samples: RecipeSamples | null = null;
  /** The current row of a recipe's map. */
  #row: RecipeRowReader | null = null;
  readonly #turn = new RecipeTurn((row) => this.#addRow(row));

  finish(lastLine: number): Profile {
    this.#turn.flush();
    const { diagnostics, sampleCount } = this.#builder;
    if (this.#stack.length > 0 || this.#map !== null || this.#row !== null) {
      diagnostics.add(...UNCOUNTED_STACK, { first: { line: this.#stackLine } });
    }
    if (sampleCount === 0) throw malformed('no stack is followed by its count', lastLine);
    this.#samples?.diagnoseLoss(
      'bpftrace recorded more stacks than its map holds, or than it could print in time.',
      'Record one process or a lower rate.',
    );
    this.#diagnoseFullMaps();
    const profile = this.#builder.finish(this.#valueTypes(), {
      format: 'bpftrace',
      rateHz: this.#rateHz,
      durationNs: this.#samples?.durationNs ?? null,
    });
    return diagnoseUnresolved(profile);
  }

  /** Each map counts one thing; bcc's tools count one. */
  #valueTypes(): ValueTypeKey[] {
    if (this.#recipe !== null) return recipeValueTypes(this.#recipe);
    const unit = this.#isTime ? 'microseconds' : 'count';
    return this.#maps.map((type, event) => ({ type, unit, event, column: 0 }));
  }

  line(line: TextLine): void {
    const { text, number } = line;
    if (this.#row !== null) return this.#recipeLine(text, number);
    if (this.#map !== null) return this.#mapLine(text, number);
    if (this.#recipe !== null && this.#readMark(text, this.#recipe)) return;
    const [, map, keys = ''] = MAP_START.exec(text) ?? [];
    if (map !== undefined) return this.#startMap(map, keys, number);
    if (text.trim() === '') return;
    if (JSON_LINE.test(text)) return this.#jsonLine(line);
    if (!/^\s/.test(text)) return this.#header(text, number);
    this.#toolLine(line);
  }

  /** Reads the maps of a line of JSON like those of text. */
  #jsonLine({ text, number }: TextLine): void {
    const read = rowsOfJson(text);
    if (read === null) {
      const message = 'Lines of JSON that are not complete were skipped.';
      return this.#builder.diagnostics.atLine('truncated-input', message, number);
    }
    if (read.isOther) this.#skip(number);
    for (const row of read.rows) {
      for (const part of row.split('\n')) this.line({ text: part, number, isUnfinished: false });
      // A key that is no stack ends nothing.
      this.#map = null;
      this.#dropStack();
    }
  }

  #startMap(map: string, keys: string, line: number): void {
    this.#dropStack();
    this.#stackLine = line;
    if (this.#recipe !== null) {
      if (!this.#recipe.maps.includes(map)) return this.#skip(line);
      this.#row = new RecipeRowReader(this.#recipe);
      return this.#recipeLine(keys, line);
    }
    const [, key, value] = MAP_END.exec(keys) ?? [];
    if (value === undefined) {
      this.#map = map;
      if (keys.trim() !== '') this.#process = processOf(keys.replace(/,\s*$/, ''));
      return;
    }
    // `@[, comm]: 5`: the stack is empty. Other keys belong to maps without stacks.
    if (!keys.startsWith(',')) return this.#skip(line);
    this.#process = processOf(key!);
    this.#addRowOfMap(map, value, line);
  }

  #recipeLine(text: string, line: number): void {
    const row = this.#row!.push(text);
    if (row === null) return;
    this.#row = null;
    if (row === 'malformed') return this.#skip(line);
    if (row.weight > Number.MAX_SAFE_INTEGER) this.#noteInexact(line);
    this.#turn.add(row);
  }

  #addRow(row: RecipeRow): void {
    const { stacks } = this.#recipe!;
    const frames = row.stacks.flatMap((lines, space) =>
      lines.map((text) => this.#frame(`${stacks[space] === 'kernel' ? 'k' : 'u'} ${text}`)),
    );
    this.#samples!.add(row, frames);
  }

  /** Reads a line that a script prints between its rows; returns whether it is one. */
  #readMark(text: string, recipe: RecipeHeader): boolean {
    const [, name, total] = /^@(\w+): (\d{1,19})$/.exec(text) ?? [];
    const samples = this.#samples!;
    if (name === recipe.total) samples.total = Number(total);
    const mark = readRecipeMark(text);
    if (mark?.kind === 'nanoseconds') samples.durationNs = mark.nanoseconds;
    else if (mark !== null) this.#turn.mark(mark);
    return name === recipe.total || mark !== null;
  }

  /** A map that is full drops further stacks, of which bpftrace prints nothing. */
  #diagnoseFullMaps(): void {
    for (const [map, rows] of this.#rowCounts) {
      if (rows % MAP_KEYS !== 0) continue;
      this.#builder.diagnostics.add(
        'full-map',
        `@${map} has ${rows} rows, the most that it holds: bpftrace dropped further stacks.`,
        { remedy: 'Set BPFTRACE_MAX_MAP_KEYS (before bpftrace 0.18: BPFTRACE_MAP_KEYS_MAX) to a larger number.' },
      );
    }
  }

  #mapLine(text: string, line: number): void {
    const [, keys = '', value] = MAP_END.exec(text) ?? [];
    if (value === undefined) {
      const frame = text.trim();
      if (frame !== '' && frame !== ',') this.#stack.push(frame);
      return;
    }
    if (keys !== '') this.#process = processOf(keys);
    const map = this.#map!;
    this.#map = null;
    this.#addRowOfMap(map, value, line);
  }

  /** Reads a line of bcc's tools. */
  #toolLine({ text, number }: TextLine): void {
    const [, comm, pid] = PROCESS.exec(text) ?? COUNTED_PROCESS.exec(text) ?? [];
    if (comm !== undefined) {
      this.#process = { comm: withoutBytesLiteral(comm), pid: Number(pid) };
      return;
    }
    const count = COUNT.exec(text)?.[1];
    if (count !== undefined) return this.#toolCount(count, number);
    if (this.#stack.length === 0) this.#stackLine = number;
    this.#stack.push(text.trim());
  }

  /** If neither stack could be unwound, bcc prints no frames, only the process and count. */
  #toolCount(count: string, line: number): void {
    if (this.#stack.length === 0) {
      if (this.#process === NO_PROCESS) return this.#skip(line);
      this.#builder.diagnostics.add(
        'stackless-block',
        'Blocks have a process and a count but no frame: they count as samples without a stack.',
        { first: { line }, remedy: 'Record with frame pointers, or with a larger --stack-storage-size.' },
      );
    }
    this.#add('', count, line);
  }

  /** Reads the lines before a tool's stacks, prompts, and what was cut out of a listing. */
  #header(text: string, line: number): void {
    const recipe = this.#builder.sampleCount === 0 ? readRecipeHeader(text) : null;
    if (recipe !== null) {
      this.#recipe = recipe;
      this.#rateHz = recipe.rateHz;
      this.#builder = new ProfileBuilder(recipeValueTypes(recipe).length);
      this.#samples = new RecipeSamples(this.#builder, recipe);
      return;
    }
    const rate = /^Sampling at (\d+) Hertz\b/.exec(text)?.[1];
    if (rate !== undefined && Number(rate) > 0) this.#rateHz = Number(rate);
    this.#isTime ||= /^Tracing (?:off-CPU|blocked) time \(us\)/.test(text);
    if (!/^(?:Sampling|Tracing|Attaching|Detaching|[#$%^])/.test(text)) this.#skip(line);
  }

  #addRowOfMap(map: string, value: string, line: number): void {
    this.#rowCounts.set(map, (this.#rowCounts.get(map) ?? 0) + 1);
    this.#add(map, value, line);
  }

  #add(map: string, value: string, line: number): void {
    const weight = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isFinite(weight)) {
      this.#dropStack();
      return this.#skip(line);
    }
    if (weight > Number.MAX_SAFE_INTEGER) this.#noteInexact(line);
    const { comm, pid } = this.#process;
    const thread = this.#builder.thread(pid, -1, comm);
    const event = this.#builder.event(this.#eventOf(map === '' ? (this.#isTime ? 'off-cpu' : 'samples') : `@${map}`));
    this.#builder.sample({ stack: this.#stackRow(), thread, event }, weight);
    this.#dropStack();
  }

  #eventOf(map: string): string {
    if (this.#maps.includes(map)) return map;
    if (this.#maps.length > MAX_MAPS) return this.#maps[MAX_MAPS]!;
    const isOther = this.#maps.length === MAX_MAPS;
    if (isOther) this.#builder.diagnostics.add('many-events', `Maps after the first ${MAX_MAPS} are counted as one.`);
    this.#maps.push(isOther ? '(other maps)' : map);
    return this.#maps.at(-1)!;
  }

  #stackRow() {
    const delimiter = this.#stack.indexOf(DELIMITER);
    return this.#builder.stackOf(
      this.#stack.map((text, index) => this.#frame(`${index < delimiter ? 'k' : 'u'} ${text}`)),
    );
  }

  #dropStack(): void {
    this.#stack = [];
    this.#process = NO_PROCESS;
  }

  #noteInexact(line: number): void {
    this.#builder.diagnostics.atLine(...INEXACT_WEIGHT, line);
  }

  #skip(line: number): void {
    this.#builder.diagnostics.atLine('skipped-line', 'Lines outside of any stack were skipped.', line);
  }
}

/** Parses the keys of a map other than the stack: `bash`, `bash, 1234`. */
function processOf(keys: string): Process {
  const [, comm = keys, pid] = /^(.*), (\d{1,9})$/.exec(keys) ?? [];
  return { comm, pid: pid === undefined ? -1 : Number(pid) };
}

interface BpfFrame {
  readonly func: FunctionKey;
  /** null if the line has none. */
  readonly address: bigint | null;
}

/** Between the kernel's part of a stack and the user's, with bcc's -d. */
const DELIMITER = '--';

/** `ffffffff816d2f25 schedule`, as bcc prints with -v and bpftrace in its mode `perf`. */
const WITH_ADDRESS = /^([0-9a-f]{8,16}) (\S.*)$/;
/** `0x7f12`: no symbol. */
const ONLY_ADDRESS = /^0x([0-9a-f]{1,16})$/;
/** `schedule+36`, `schedule+0x24`, each also with ` (/path/of/module)` or ` [module]`. */
const SYMBOL = /^(.+?)(?:\+(?:0x[0-9a-f]+|\d+))?(?: \((.+)\)| \[([^\]]+)\])?$/;

/** Parses a frame's line without leading and trailing spaces. `isKernel`: it is above the delimiter. */
function parseBpfFrame(line: string, isKernel: boolean): BpfFrame {
  if (line === DELIMITER) return { func: { name: '-', kind: FunctionKind.synthetic }, address: null };
  const [, bare] = ONLY_ADDRESS.exec(line) ?? [];
  if (bare !== undefined) return { func: unresolvedFunction(''), address: BigInt(`0x${bare}`) };
  const [, digits, named = line] = WITH_ADDRESS.exec(line) ?? [];
  const rest = withoutBytesLiteral(named);
  const address = digits === undefined ? null : BigInt(`0x${digits}`);
  const [, symbol = rest, path, name] = SYMBOL.exec(rest) ?? [];
  const module = path ?? name ?? '';
  if (symbol === '[unknown]' || (address !== null && ONLY_ADDRESS.test(symbol))) {
    return { func: unresolvedFunction(module === '[unknown]' ? '' : module), address };
  }
  const kind = isKernel ? FunctionKind.kernel : module === '' ? FunctionKind.unknown : kindOfModule(module);
  return { func: { name: demangle(symbol) ?? symbol, module, kind }, address };
}
