import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import { reportNewerFormat } from '../../model/newer-format.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import { type Profile, type ProfileMetadata, FunctionKind } from '../../model/profile.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree, type IndentedRow } from '../stacks/indented-tree.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';

/** Of macOS 10.15 to 15. */
const NEWEST_VERSION = 7;

const TITLE = /^Analysis of sampling (.+) \(pid (\d{1,9})\) every (\d+) (milli|micro)seconds?/;
const GRAPH = /^Call graph:\s*$/;
const ROW = /^ {4}([ +!:|]*)(\d+) (.*)$/;
const THREAD = /^Thread_(\d+)/;
const FIELD = /^([A-Z][A-Za-z/ ]*): +(\S.*)$/;

export class SampleSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #rows = new IndentedTree(this.#builder, (row) => this.#sample(row));
  readonly #frame = memo((text: string): FrameIndex => {
    const { func, address, file, line } = parseMacosFrame(text);
    const frame = this.#builder.frame({ func: this.#builder.function(func), address });
    return line === 0 ? frame : this.#builder.frameAtSource(frame, file, line, false);
  });
  #thread: ThreadIndex | null = null;
  #part: 'head' | 'graph' | 'rest' = 'head';
  #graphLineNumber = 1;
  #pid = -1;
  #rateHz: number | null = null;
  readonly #fields = new Map<string, string>();

  finish(lastLine: number): Profile {
    // A row's own weight follows from the rows below it, so an incomplete graph would give wrong numbers.
    if (this.#part !== 'rest') {
      const what = this.#part === 'head' ? 'there is no call graph' : 'the input ends within the call graph';
      throw malformed(`${what}; check that the whole report was saved`, lastLine);
    }
    if (this.#thread === null) {
      throw malformed('the call graph is empty; check that the whole report was saved', this.#graphLineNumber);
    }
    const version = Number(this.#fields.get('Report Version') ?? 0);
    reportNewerFormat(this.#builder.diagnostics, { format: 'sample report', version, newest: NEWEST_VERSION });
    const profile = this.#builder.finish([{ type: 'samples', unit: 'count' }], {
      format: 'macos-sample',
      ...this.#metadata(),
    });
    return diagnoseUnresolved(profile, 'Build the binaries with symbols, or keep their dSYM where Spotlight finds it.');
  }

  #metadata(): Partial<ProfileMetadata> {
    const field = (name: string): string | null => this.#fields.get(name) ?? null;
    return {
      rateHz: this.#rateHz,
      tool: field('Analysis Tool') ?? 'sample',
      command: field('Path'),
      kernel: field('OS Version'),
      arch: field('Code Type'),
      startTime: startOf(field('Date/Time') ?? ''),
    };
  }

  line(line: TextLine): void {
    if (this.#part === 'graph') this.#graphLine(line);
    else if (this.#part === 'rest') return;
    else if (GRAPH.test(line.text)) {
      this.#part = 'graph';
      this.#graphLineNumber = line.number;
    } else this.#headLine(line.text);
  }

  #headLine(text: string): void {
    const [, , pid, interval, unit] = TITLE.exec(text) ?? [];
    if (pid !== undefined) {
      this.#pid = Number(pid);
      const perSecond = unit === 'milli' ? 1e3 : 1e6;
      if (Number(interval) > 0) this.#rateHz = perSecond / Number(interval);
    }
    const [, name, value] = FIELD.exec(text) ?? [];
    if (name !== undefined && !this.#fields.has(name)) this.#fields.set(name, value!.trim());
  }

  #graphLine({ text, number }: TextLine): void {
    if (text.trim() === '') {
      this.#rows.finish();
      this.#part = 'rest';
      return;
    }
    if (!/^ {4}/.test(text)) {
      const message =
        'a row of the call graph lacks its leading spaces, which give the nesting; save the report again, unformatted';
      throw malformed(message, number);
    }
    const [, indent, digits, name = ''] = ROW.exec(text) ?? [];
    if (indent === undefined) throw malformed('no count and frame', number);
    if (indent.length % 2 === 1) throw malformed('indented by half a level', number);
    const count = Number(digits);
    if (!Number.isSafeInteger(count)) throw malformed('a count beyond 2^53', number);
    this.#row(indent.length / 2, count, name, number);
  }

  /** Depth 0 is a thread. */
  #row(depth: number, count: number, name: string, line: number): void {
    this.#rows.add(depth, depth === 0 ? null : this.#frame(name), [count], line);
    if (depth > 0) return;
    const tid = Number(THREAD.exec(name)?.[1] ?? -1);
    this.#thread = this.#builder.thread(this.#pid, tid, name.trim().replace(/\s+/g, ' '));
  }

  #sample({ stack, weights, below, line }: IndentedRow): void {
    const self = weights[0]! - below[0]!;
    if (self < 0) this.#note('uneven-counts', 'Rows have more samples than the row above that contains them.', line);
    if (self > 0) this.#builder.sample({ stack, thread: this.#thread! }, self);
  }
}

/** Parses `2019-07-04 10:21:28.347 -0600` to nanoseconds since 1970; null if it is not such a date. */
function startOf(text: string): bigint | null {
  const [, date, time, hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?) ([+-]\d\d)(\d\d)$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${date}T${time}${hours}:${minutes}`);
  return Number.isNaN(milliseconds) ? null : BigInt(milliseconds) * 1_000_000n;
}

interface MacosFrame {
  readonly func: FunctionKey;
  /** null if the line has none, or several. */
  readonly address: bigint | null;
  /** Location that was executing; empty and 0 if unknown. */
  readonly file: string;
  readonly line: number;
}

/** Text before the addresses of a row, and before its module. */
const [ADDRESSES, MODULE] = ['  [0x', '  (in '] as const;
const PLACE = /(?:  load address 0x[0-9a-f]+)? \+ (?:0x[0-9a-f]+|[\d,.]+)$/;
/** LLVM's mark of a function that link-time optimisation made visible. */
const LLVM = / \(\.llvm\.[0-9A-F]+\)$/;

/**
 * Parses `main  (in rg) + 41  [0x10384b549]  main.rs:12`, a row without its indentation and count; each part after the
 * name may be missing.
 */
function parseMacosFrame(text: string): MacosFrame {
  const opening = text.lastIndexOf(ADDRESSES);
  const closing = opening < 0 ? -1 : text.indexOf(']', opening);
  const named = (closing < 0 ? text : text.slice(0, opening)).replace(PLACE, '');
  const inModule = named.endsWith(')') ? named.lastIndexOf(MODULE) : -1;
  const module = inModule < 0 ? '' : named.slice(inModule + MODULE.length, -1);
  const name = (inModule < 0 ? named : named.slice(0, inModule)).replace(LLVM, '');
  const isUnresolved = name === '???' || /^0x[0-9a-f]+$/.test(name);
  const func: FunctionKey = isUnresolved
    ? unresolvedFunction(module)
    : { name: demangle(name) ?? name, module, kind: FunctionKind.user };
  const address = closing < 0 ? '' : text.slice(opening + 3, closing);
  return {
    func,
    address: /^0x[0-9a-f]{1,16}$/.test(address) ? BigInt(address) : null,
    ...(closing < 0 ? NOWHERE : sourceOf(text.slice(closing + 1))),
  };
}

const NOWHERE = { file: '', line: 0 };

/** Parses `  main.rs:12`. */
function sourceOf(text: string): { readonly file: string; readonly line: number } {
  const colon = text.lastIndexOf(':');
  const digits = text.slice(colon + 1);
  return text.startsWith('  ') && colon > 2 && /^\d{1,9}$/.test(digits)
    ? { file: text.slice(2, colon), line: Number(digits) }
    : NOWHERE;
}
