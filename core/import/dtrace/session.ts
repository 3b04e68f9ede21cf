import type { FrameIndex } from '../../model/brand.ts';
import { memo } from '../../model/memo.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import { type Profile, FunctionKind } from '../../model/profile.ts';
import { CountedStacks } from '../stacks/counted-stacks.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { HEADING, ADDRESS, IN_MODULE, isDtraceFrame } from './lines.ts';

/** `  0  64091   :tick-60s`: a probe that fired. */
const PROBE = /^\s*\d+\s+\d+\s+[^\s:]*:\S*\s*$/;
/** The count, after the aggregation's other keys: `bash  12`. */
const LAST_NUMBER = /(?:^|\s)-?\d+$/;
const MESSAGE = /^dtrace: /;
/** Rows of quantize() and lquantize(), and the line above them. */
const HISTOGRAM = /^\s+value\s+-+ Distribution -+ count|^\s+(?:[<>]=? *)?-?\d+ \|[@ ]*\d+\s*$/;
const MAX_COMMENTS = 100;
const MAX_COMMENT_LENGTH = 1000;

export class DtraceSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #stacks = new CountedStacks(this.#builder);
  /** Returns the frames of a line, innermost first. */
  readonly #framesOf = memo((text: string): readonly FrameIndex[] => {
    const { functions, address } = parseDtraceFrame(text);
    return functions.map((key, row) =>
      this.#builder.frame({ func: this.#builder.function(key), inline: row < functions.length - 1, address }),
    );
  });
  /**
   * The aggregation's keys other than the stack (`execname`, `pid`), on the line above it or before the count; and
   * their line.
   */
  #key = '';
  #keyLine = 0;
  readonly #comments: string[] = [];

  finish(lastLine: number): Profile {
    this.#stacks.finish(
      'no stack is followed by its count; aggregate by stack: `@[ustack()] = count()`',
      lastLine,
      'Check that the whole output of dtrace was saved.',
    );
    const profile = this.#builder.finish([{ type: 'samples', unit: 'count' }], {
      format: 'dtrace',
      tool: 'DTrace',
      comments: this.#comments,
    });
    return diagnoseUnresolved(
      profile,
      'Keep the process alive until dtrace has ended (`dtrace -p PID`), so that it can resolve symbols.',
    );
  }

  line(line: TextLine): void {
    const { text, number } = line;
    if (text.trim() === '' || HEADING.test(text) || PROBE.test(text)) return this.#dropKey();
    if (MESSAGE.test(text)) return this.#message(text, number);
    if (HISTOGRAM.test(text) || !/^\s/.test(text)) return this.#skip(number);
    const name = text.trim();
    if (isDtraceFrame(name)) return this.#pushFrames(name, number);
    if (this.#stacks.isEmpty) return this.#setKey(name, number);
    const [digits] = LAST_NUMBER.exec(name) ?? [];
    if (digits === undefined) return this.#pushFrames(name, number);
    const key = name.slice(0, -digits.length).trim();
    if (key !== '') this.#key = key.replace(/\s+/g, ' ');
    this.#stacks.count(digits.trim(), this.#builder.thread(-1, -1, this.#key), line);
    this.#key = '';
  }

  #pushFrames(text: string, line: number): void {
    for (const frame of this.#framesOf(text)) this.#stacks.frame(frame, line);
  }

  #setKey(text: string, line: number): void {
    this.#dropKey();
    this.#key = text.replace(/\s+/g, ' ');
    this.#keyLine = line;
  }

  /** A key without a stack belongs to an aggregation without stacks. */
  #dropKey(): void {
    if (this.#key === '' || !this.#stacks.isEmpty) return;
    this.#skip(this.#keyLine);
    this.#key = '';
  }

  #message(text: string, line: number): void {
    if (this.#comments.length < MAX_COMMENTS) this.#comments.push(text.slice(0, MAX_COMMENT_LENGTH));
    const drops = /^dtrace: (\d{1,15}) (?:\S+ )*drops?\b/.exec(text)?.[1];
    if (drops !== undefined) {
      this.#builder.diagnostics.add('lost-samples', 'DTrace dropped data.', {
        count: Number(drops),
        first: { line },
        remedy: 'Give it larger buffers: `dtrace -x aggsize=16m -b 16m`.',
      });
    } else if (/^dtrace: (?:error|failed|processing aborted)/.test(text)) {
      this.#note('dtrace-error', 'DTrace reported errors.', line);
    }
  }

  #skip(line: number): void {
    this.#note('skipped-line', 'Lines outside of any stack were skipped.', line);
  }
}

interface DtraceFrame {
  /** One function, or several if a JVM inlined functions into one another, innermost first. */
  readonly functions: readonly FunctionKey[];
  /** null if the line has none. */
  readonly address: bigint | null;
}

const OFFSET = /\+0x[0-9a-f]+$/;
/** Names of the kernels of illumos, macOS and FreeBSD and of their modules. */
const KERNEL = /^(?:unix|genunix|kernel|mach_kernel)$|\.ko$/;
const LIBRARY = /\.(?:so|dylib)\b/;

/** Parses a frame's line without leading and trailing spaces. */
function parseDtraceFrame(line: string): DtraceFrame {
  const bare = ADDRESS.exec(line)?.[1];
  if (bare !== undefined) return { functions: [unresolvedFunction('')], address: BigInt(`0x${bare}`) };
  const [, module = '', rest = line] = IN_MODULE.exec(line) ?? [];
  const symbol = rest.replace(OFFSET, '');
  const digits = ADDRESS.exec(symbol)?.[1];
  if (digits !== undefined) return { functions: [unresolvedFunction(module)], address: BigInt(`0x${digits}`) };
  const [outermost = symbol, ...inlined] = inlineChain(symbol);
  const functions = [{ name: demangle(outermost) ?? outermost, module, kind: kindOf(module) }];
  for (const name of inlined) functions.unshift({ name, module: '', kind: FunctionKind.jit });
  return { functions, address: null };
}

/** Splits a JVM's `caller->callee`, for plain names only: C++ has `operator->`, and arrows within arguments. */
function inlineChain(symbol: string): string[] {
  const chain = symbol.includes('operator->') || /[(<]/.test(symbol) ? [symbol] : symbol.split('->');
  return chain.every((name) => name !== '') ? chain : [symbol];
}

function kindOf(module: string): FunctionKind {
  if (KERNEL.test(module)) return FunctionKind.kernel;
  return LIBRARY.test(module) ? FunctionKind.user : FunctionKind.unknown;
}
