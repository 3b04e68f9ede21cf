import { NO_STACK, type FrameIndex, type StackIndex, type ThreadIndex, type ValueTypeIndex } from '../model/brand.ts';
import { int32Column } from '../model/column.ts';
import { ImportFailure } from '../model/failure.ts';
import { ProfileBuilder } from '../model/profile-builder.ts';
import { FunctionKind, type Profile, type ValueType } from '../model/profile.ts';
import { HEAD_BYTES } from './detect.ts';
import { countsOfLine, isComment, type Counts } from './folded-line.ts';
import type { Head, Importer, ImportSession, Verdict } from './importer.ts';
import { HASH_FACTOR, HASH_START, NameTable } from './name-table.ts';

/** One line. A stack of 100,000 frames with long names takes about 10 MB; beyond this it is no text of lines. */
const MAX_LINE_BYTES = 256 * 2 ** 20;
/** Lines after which a file that is mostly not "stack count" is given up on. */
const EARLY_LINES = 1000;
const MAX_COMMENTS = 100;
/** Names may end in a blank and a number too (`thread 12`), but not nearly all of a file. */
const TWO_COLUMN_SHARE = 0.8;

/** Folded (collapsed) stacks: `root;caller;leaf count`, one stack a line, or two counts (before, after) as difffolded.pl writes. */
export const foldedImporter: Importer = {
  id: 'folded',
  label: 'Folded stacks',
  extensions: ['folded', 'collapsed', 'folded.txt', 'collapsed.txt', 'txt'],
  keeps: 'stacks, weights (integers and fractions), both columns of a diff, the order of lines, comments',
  loses: 'nothing; the format itself has no times, threads, modules or units',
  recognizedBy: 'lines of frames joined by `;`, then a blank and a number',
  specification: 'https://github.com/brendangregg/FlameGraph#2-fold-stacks',
  sniff: sniffFolded,
  start: () => new FoldedSession(),
};

const NEWLINE = 0x0a;
const SEMICOLON = 0x3b;

function sniffFolded(head: Head, fileName: string): Verdict {
  let valid = 0;
  let invalid = 0;
  let joined = 0;
  for (const [start, end] of linesOf(head.bytes, head.complete)) {
    if (isComment(head.bytes, start, end)) continue;
    const counts = countsOfLine(head.bytes, start, end, false);
    if (counts === null) invalid += 1;
    else if (counts !== 'blank') {
      valid += 1;
      const semicolon = head.bytes.indexOf(SEMICOLON, start);
      if (semicolon >= 0 && semicolon < counts.stackEnd) joined += 1;
    }
  }
  if (valid > invalid && joined > 0) return 'yes';
  if (valid > 0 && invalid === 0 && /\.(folded|collapsed)(\.txt)?(\.gz|\.zst)?$/i.test(fileName)) return 'maybe';
  const oneLongLine = valid + invalid === 0 && !head.complete && head.bytes.includes(SEMICOLON);
  return oneLongLine && !head.bytes.includes(NEWLINE) && !head.bytes.includes(0) ? 'maybe' : 'no';
}

/** Whole lines as [start, end); an unfinished last one only where `complete`. */
function* linesOf(bytes: Uint8Array, complete: boolean): Generator<readonly [number, number]> {
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 && !complete) return;
    const end = newline < 0 ? bytes.length : newline;
    yield [start, end];
    start = end + 1;
  }
}

class FoldedSession implements ImportSession {
  #builder: ProfileBuilder | null = null;
  #thread = 0 as ThreadIndex;
  #twoColumns = false;
  readonly #names = new NameTable();
  /** name row → frame */
  readonly #frames = int32Column();
  /** Bytes of the unfinished line (before the layout is known: all bytes), `#carried` of them. */
  #carry = new Uint8Array(HEAD_BYTES);
  #carried = 0;
  #line = 0;
  #valid = 0;
  #skipped = 0;
  #firstSkipped = 0;
  readonly #comments: string[] = [];

  push(chunk: Uint8Array): void {
    let at = 0;
    if (this.#builder === null) {
      if (this.#carried + chunk.length < HEAD_BYTES) return this.#keep(chunk);
      const rest = this.#joinCarried(chunk);
      this.#begin(rest.subarray(0, HEAD_BYTES), false);
      return this.#parse(rest, 0);
    }
    if (this.#carried > 0) {
      const newline = chunk.indexOf(NEWLINE);
      this.#keep(newline < 0 ? chunk : chunk.subarray(0, newline));
      if (newline < 0) return;
      const end = this.#carried;
      this.#carried = 0;
      this.#parseLine(this.#carry, 0, end);
      at = newline + 1;
    }
    this.#parse(chunk, at);
  }

  finish(): Profile {
    if (this.#builder === null) {
      const all = this.#carry.slice(0, this.#carried);
      this.#carried = 0;
      this.#begin(all, true);
      this.#parse(all, 0);
    }
    if (this.#carried > 0) this.#parseLine(this.#carry, 0, this.#carried);
    this.#refuseIfMostlySkipped();
    if (this.#valid === 0) throw new ImportFailure('unrecognized', 'no line is "stack count"');
    return this.#builder!.finish(this.#twoColumns ? DIFF_VALUE_TYPES : VALUE_TYPES, {
      format: 'folded',
      defaultValueType: (this.#twoColumns ? 1 : 0) as ValueTypeIndex,
      comments: this.#comments,
    });
  }

  /** Two columns where nearly all lines of the head end in two numbers. */
  #begin(head: Uint8Array, complete: boolean): void {
    let lines = 0;
    let doubles = 0;
    for (const [start, end] of linesOf(head, complete)) {
      if (isComment(head, start, end) || isCounts(countsOfLine(head, start, end, false)) === false) continue;
      lines += 1;
      if (isCounts(countsOfLine(head, start, end, true))) doubles += 1;
    }
    this.#twoColumns = lines > 0 && doubles >= lines * TWO_COLUMN_SHARE;
    this.#builder = new ProfileBuilder(this.#twoColumns ? 2 : 1);
    this.#thread = this.#builder.thread(-1, -1, '');
  }

  #parse(bytes: Uint8Array, from: number): void {
    let start = from;
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, start);
      if (newline < 0) break;
      this.#parseLine(bytes, start, newline);
      start = newline + 1;
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
  }

  #parseLine(bytes: Uint8Array, start: number, end: number): void {
    this.#line += 1;
    if (isComment(bytes, start, end)) return this.#comment(bytes, start, end);
    const counts = countsOfLine(bytes, start, end, this.#twoColumns);
    if (counts === 'blank') return;
    if (counts === null) return this.#skip();
    const builder = this.#builder!;
    const stack = this.#stack(bytes, start, counts.stackEnd);
    if (counts.first > Number.MAX_SAFE_INTEGER || counts.second > Number.MAX_SAFE_INTEGER) {
      builder.diagnostics.add('inexact-weight', 'Weights beyond 2^53 are rounded to 53 significant bits.', {
        first: { line: this.#line },
      });
    }
    this.#valid += 1;
    builder.sample({ stack, thread: this.#thread }, counts.first, counts.second);
  }

  /** Interns the frames of `bytes[start, end)`, joined by semicolons, root first. */
  #stack(bytes: Uint8Array, start: number, end: number): StackIndex {
    const builder = this.#builder!;
    let stack = NO_STACK;
    let nameStart = start;
    let hash = HASH_START;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === SEMICOLON) {
        stack = builder.stack(stack, this.#frame(bytes, nameStart, at, hash));
        nameStart = at + 1;
        hash = HASH_START;
      } else {
        hash = Math.imul(hash ^ byte, HASH_FACTOR);
      }
    }
    return builder.stack(stack, this.#frame(bytes, nameStart, end, hash));
  }

  #frame(bytes: Uint8Array, start: number, end: number, hash: number): FrameIndex {
    const row = this.#names.intern(bytes, start, end, hash);
    if (row === this.#frames.length) this.#frames.push(this.#newFrame(row));
    return this.#frames.get(row) as FrameIndex;
  }

  #newFrame(row: number): FrameIndex {
    const builder = this.#builder!;
    const { text, latin1 } = this.#names.text(row);
    if (latin1) {
      builder.diagnostics.add('not-utf8', 'Names that are not valid UTF-8 were read as Latin-1.', {
        severity: 'info',
        first: { line: this.#line },
      });
    }
    const { kind, inline } = describeName(text);
    return builder.frame({ func: builder.function({ name: text, kind }), inline });
  }

  #comment(bytes: Uint8Array, start: number, end: number): void {
    if (this.#comments.length >= MAX_COMMENTS) return;
    const text = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 1000)));
    this.#comments.push(text.replace(/^(#+|\/\/+)\s*/, '').trimEnd());
  }

  #skip(): void {
    this.#skipped += 1;
    if (this.#skipped === 1) this.#firstSkipped = this.#line;
    this.#builder!.diagnostics.add(
      'skipped-line',
      this.#twoColumns
        ? 'Lines that are not "stack before after" were skipped.'
        : 'Lines that are not "stack count" were skipped.',
      { first: { line: this.#line } },
    );
    if (this.#skipped + this.#valid === EARLY_LINES) this.#refuseIfMostlySkipped();
  }

  #refuseIfMostlySkipped(): void {
    if (this.#skipped <= this.#valid) return;
    const lines = this.#skipped + this.#valid;
    throw new ImportFailure('malformed', `${this.#skipped} of ${lines} lines are not "stack count"`, {
      line: this.#firstSkipped,
    });
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#carried + bytes.length;
    if (length > MAX_LINE_BYTES) {
      throw new ImportFailure('too-large', `a line of more than ${MAX_LINE_BYTES / 2 ** 20} MiB`, {
        line: this.#line + 1,
      });
    }
    if (length > this.#carry.length) {
      const carry = new Uint8Array(Math.max(length, this.#carry.length * 2));
      carry.set(this.#carry.subarray(0, this.#carried));
      this.#carry = carry;
    }
    this.#carry.set(bytes, this.#carried);
    this.#carried = length;
  }

  /** What was carried, then `chunk`; without a copy where nothing was carried. */
  #joinCarried(chunk: Uint8Array): Uint8Array {
    if (this.#carried === 0) return chunk;
    const joined = new Uint8Array(this.#carried + chunk.length);
    joined.set(this.#carry.subarray(0, this.#carried));
    joined.set(chunk, this.#carried);
    this.#carried = 0;
    return joined;
  }
}

const VALUE_TYPES: ValueType[] = [{ type: 'samples', unit: 'count', event: -1, column: 0 }];
const DIFF_VALUE_TYPES: ValueType[] = [
  { type: 'before', unit: 'count', event: -1, column: 0 },
  { type: 'after', unit: 'count', event: -1, column: 1 },
];

function isCounts(counts: Counts | 'blank' | null): counts is Counts {
  return counts !== null && counts !== 'blank';
}

/**
 * What a name says of itself: `_[k]` kernel, `_[j]` `_[1]` compiled at run time, `_[i]` inlined, `_[0]` interpreted (async-profiler,
 * stackcollapse-perf.pl --all). The annotation stays part of the name.
 */
function describeName(name: string): { kind: FunctionKind; inline: boolean } {
  const annotation = name.length > 4 && name.endsWith(']') && name.startsWith('_[', name.length - 4) ? name.at(-2) : '';
  if (annotation === 'k') return { kind: FunctionKind.kernel, inline: false };
  if (annotation === 'j' || annotation === '1') return { kind: FunctionKind.jit, inline: false };
  if (annotation === 'i') return { kind: FunctionKind.jit, inline: true };
  if (annotation === '0') return { kind: FunctionKind.interpreted, inline: false };
  if (/^(\[[^\s=\]]+\]|0x[0-9a-fA-F]+)$/.test(name)) return { kind: FunctionKind.unresolved, inline: false };
  return { kind: FunctionKind.unknown, inline: false };
}
