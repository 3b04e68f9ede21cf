import type { FrameIndex, FunctionIndex } from '../../model/brand.ts';
import { ByteTable, doubled } from '../../model/intern/byte-table.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { PairTable } from '../../model/intern/pair-table.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { decodeText } from '../../model/decode-text.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';
import { isUnresolved, type FrameLine } from './frame-line.ts';

/** Programs are loaded at multiples of it. */
const PAGE = 4096;

/** Value in {@link FrameLines.frameOf} of a line that is not exactly one frame; see {@link FrameLines.expand}. */
export const SPECIAL = -1;

/** A line that -F srcline prints below a frame. */
export interface SourceLine {
  /** Empty if perf found none. */
  readonly file: string;
  readonly line: number;
  /** The frame above is inlined, which perf prints here with -F srcline. */
  readonly inlined: boolean;
}

interface PendingFrame {
  readonly name: number;
  readonly addressHigh: number;
  readonly addressLow: number;
  readonly inlined: boolean;
}

/** Functions of one name in one module. */
interface SameName {
  readonly first: FunctionIndex;
  /** False for code that was compiled just in time, of which one function has many addresses, and for the kernel's. */
  readonly areApart: boolean;
  /** Where in its page the first one's code starts, as soon as a frame says it. */
  start: number;
  others: Map<number, FunctionIndex> | null;
}

const NO_START = -1;

/**
 * Maps each distinct line of the input's frame blocks to its frame. A line is parsed once, however often it occurs.
 *
 * Every frame keeps its address. Measured on a capture of `go build -a std` (221 MB, 2.1 M frames, 59,481 distinct
 * lines): 550,623 stack rows with all addresses, 461,233 with addresses only at leaves and unresolved frames, 407,134
 * without any. The additional third provides call sites for source and assembly views, and makes a line a frame, so
 * that no frame depends on its position in the stack.
 */
export class FrameLines {
  /** By line: a frame, or {@link SPECIAL}. Reallocated as lines are added. */
  frameOf = new Int32Array(1 << 12);
  readonly #builder: ProfileBuilder;
  readonly #sources = new Map<number, SourceLine>();
  /** Functions inlined into one another that share a line, innermost first. */
  readonly #chains = new Map<number, readonly FrameIndex[]>();
  readonly #names = new ByteTable();
  readonly #modules = new ByteTable();
  readonly #moduleText: string[] = [''];
  readonly #nameText: string[] = [''];
  /** Row of #modules by line; 0 if the line has no module. */
  #moduleOf = new Int32Array(1 << 12);
  /** (name, module) → row */
  readonly #functionKeys = new PairTable();
  /** By row: the function, and those of its name whose code starts elsewhere in a page. */
  readonly #functions: SameName[] = [];
  /** New lines of the current sample that take their module from the next frame. */
  readonly #pending = new Map<number, PendingFrame>();
  /** (frame, source line) → frame */
  readonly #framesWithSource = new Map<number, FrameIndex>();
  readonly #latin1Names = new Set<string>();
  readonly #latin1Modules = new Set<string>();

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
  }

  /** Number of names and modules that are not valid UTF-8. */
  get latin1Count(): number {
    return this.#latin1Names.size + this.#latin1Modules.size;
  }

  /** Records a new line as the source location of the frame above it. */
  defineSource(line: number, source: SourceLine): void {
    this.#reserve(line);
    this.frameOf[line] = SPECIAL;
    this.#sources.set(line, source);
  }

  /** Notes that a new line is the frame that `parsed` describes. */
  defineFrame(line: number, view: DataView, bytes: Uint8Array, parsed: FrameLine): void {
    this.#reserve(line);
    const unresolved = isUnresolved(bytes, parsed.nameStart, parsed.nameEnd);
    const name = unresolved ? 0 : this.#name(view, bytes, parsed.nameStart, parsed.nameEnd);
    const { addressHigh, addressLow, inlined, offset } = parsed;
    if (inlined || parsed.moduleStart === parsed.moduleEnd) {
      this.frameOf[line] = SPECIAL;
      this.#pending.set(line, { name, addressHigh, addressLow, inlined });
      return;
    }
    const module = this.#module(view, bytes, parsed.moduleStart, parsed.moduleEnd);
    this.#moduleOf[line] = module;
    const start = offset < 0 || unresolved ? NO_START : (((addressLow - offset) % PAGE) + PAGE) % PAGE;
    this.#setFrame(line, name, module, addressHigh, addressLow, false, start);
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Resolves lines that are printed without a module: inlined frames and, with -F srcline, frames above their source
   * line. They have the module of the next frame that has one. `leafFirst` holds the lines of the sample that has just
   * ended.
   */
  resolvePending(leafFirst: Int32Array, depth: number): void {
    let module = 0;
    for (let index = depth - 1; index >= 0; index--) {
      const line = leafFirst[index]!;
      if (this.#moduleOf[line] !== 0) module = this.#moduleOf[line]!;
      const pending = this.#pending.get(line);
      if (pending === undefined) continue;
      this.#pending.delete(line);
      this.#setFrame(line, pending.name, module, pending.addressHigh, pending.addressLow, pending.inlined);
    }
  }

  /** Applies a {@link SPECIAL} line to the frames before it. */
  expand(line: number, leafFirst: number[]): void {
    for (const frame of this.#chains.get(line) ?? []) leafFirst.push(frame);
    const source = this.#sources.get(line);
    const above = leafFirst.length - 1;
    if (source !== undefined && above >= 0) leafFirst[above] = this.#withSource(leafFirst[above]!, line, source);
  }

  #withSource(frame: number, line: number, { file, line: sourceLine, inlined }: SourceLine): FrameIndex {
    if (file === '' && !inlined) return frame as FrameIndex;
    const key = frame * 2 ** 26 + line;
    const known = this.#framesWithSource.get(key);
    if (known !== undefined) return known;
    const withSource = this.#builder.frameAtSource(frame as FrameIndex, file, sourceLine, inlined);
    this.#framesWithSource.set(key, withSource);
    return withSource;
  }

  #setFrame(
    line: number,
    name: number,
    module: number,
    high: number,
    low: number,
    inlined: boolean,
    start = NO_START,
  ): void {
    const chain = this.#inlineChain(name, module);
    if (chain === null) {
      this.frameOf[line] = this.#builder.frameAt(this.#function(name, module, start), high, low, inlined);
      return;
    }
    const frames = chain.map((text, index) =>
      this.#builder.frameAt(this.#describe(text, this.#moduleText[module]!), high, low, index > 0),
    );
    this.frameOf[line] = SPECIAL;
    this.#chains.set(line, frames.toReversed());
  }

  /** Splits perf-map-agent's `La/B;::f->Lc/D;::g`. C++'s `operator->` is not such a chain. */
  #inlineChain(name: number, module: number): string[] | null {
    const text = this.#nameText[name]!;
    if (
      !text.includes('->') ||
      text.includes('operator->') ||
      kindOfModule(this.#moduleText[module]!) !== FunctionKind.jit
    )
      return null;
    const chain = text.split('->');
    return chain.every((part) => part !== '') && /^[^\s:]+::[^\s:]/.test(chain[0]!) ? chain : null;
  }

  /**
   * Functions of one name in one module (overloads, static functions) are told apart by where in its page their code
   * starts, which is the same in every process. A frame without a start belongs to the first function of its name.
   */
  #function(name: number, module: number, start: number): FunctionIndex {
    const row = this.#functionKeys.intern(name, module);
    const known = (this.#functions[row] ??= {
      first: this.#describe(this.#nameText[name]!, this.#moduleText[module]!),
      areApart: kindOfModule(this.#moduleText[module]!) === FunctionKind.user,
      start: NO_START,
      others: null,
    });
    if (known.start === NO_START) known.start = start;
    if (!known.areApart || start === NO_START || start === known.start) return known.first;
    known.others ??= new Map();
    let other = known.others.get(start);
    if (other === undefined) {
      other = this.#describe(this.#nameText[name]!, this.#moduleText[module]!, start);
      known.others.set(start, other);
    }
    return other;
  }

  #describe(name: string, module: string, start?: number): FunctionIndex {
    if (name === '') return this.#builder.function(unresolvedFunction(module));
    const kind = SIMPLEPERF_UNRESOLVED.test(name) ? FunctionKind.unresolved : kindOfModule(module);
    return this.#builder.function({ name: demangle(name) ?? name, module, kind, start });
  }

  #name(view: DataView, bytes: Uint8Array, start: number, end: number): number {
    const row = this.#names.intern(view, start, end);
    if (row === this.#nameText.length) this.#nameText.push(decode(bytes, start, end, this.#latin1Names));
    return row;
  }

  /** `[unknown]` does not count as a module. */
  #module(view: DataView, bytes: Uint8Array, start: number, end: number): number {
    const row = this.#modules.intern(view, start, end);
    if (row === this.#moduleText.length) {
      const text = decode(bytes, start, end, this.#latin1Modules);
      this.#moduleText.push(text === '[unknown]' ? '' : text);
    }
    return row;
  }

  #reserve(line: number): void {
    if (line < this.frameOf.length) return;
    this.frameOf = doubled(this.frameOf);
    this.#moduleOf = doubled(this.#moduleOf);
  }
}

/** Adds invalid UTF-8 to `latin1Texts`; text read as Latin-1 is distinct if its bytes are. */
function decode(bytes: Uint8Array, start: number, end: number, latin1Texts: Set<string>): string {
  const { text, latin1 } = decodeText(bytes.subarray(start, end));
  if (latin1) latin1Texts.add(text);
  return text;
}

/** `libc.so[+1a2b]` */
const SIMPLEPERF_UNRESOLVED = /^\S+\[\+[0-9a-f]+\]$/;
