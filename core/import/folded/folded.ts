import {
  NO_STACK,
  type FrameIndex,
  type StackIndex,
  type ThreadIndex,
  type ValueTypeIndex,
} from '../../model/brand.ts';
import { BYTE_TABLE_PADDING, ByteTable } from '../../model/intern/byte-table.ts';
import { malformed, unrecognized } from '../../model/failure.ts';
import { linesOf, lineTooLong } from '../text/text-lines.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { withoutBytesLiteral } from '../text/python-bytes.ts';
import { decodeText } from '../../model/decode-text.ts';
import { HEAD_BYTES } from '../detect.ts';
import { countsOfLine, isComment, type Counts } from './line.ts';
import type { Head, Importer, ImportSession, SniffResult } from '../importer.ts';
import { INEXACT_WEIGHT, NOT_UTF8 } from '../common-diagnostics.ts';

/**
 * Maximum bytes of one line. A stack of 100,000 frames with long names takes about 10 MB; beyond this limit the input
 * is not text with lines.
 */
const MAX_LINE_BYTES = 256 * 2 ** 20;
/** Number of lines after which a file that is mostly not "stack count" is rejected. */
const EARLY_LINES = 1000;
const MAX_COMMENTS = 100;
const MAX_COMMENT_BYTES = 1000;
/** Names may also end in a space and a number (`thread 12`), but not in nearly all lines of a file. */
const TWO_COLUMN_SHARE = 0.8;

/**
 * Folded (collapsed) stacks: `root;caller;leaf count`, one stack per line, or two counts (before, after) as written by
 * difffolded.pl.
 */
export const foldedImporter = {
  id: 'folded',
  label: 'Folded stacks',
  extensions: ['folded', 'collapsed', 'folded.txt', 'collapsed.txt', 'txt'],
  keeps:
    'stacks, weights (integers and fractions, also negative), both columns of a diff, the order of lines, comments',
  loses: 'nothing; the format itself has no times, threads, modules or units',
  differences: true,
  recognizedBy: 'lines of frames joined by `;`, then a blank and a number',
  specification: 'https://github.com/brendangregg/FlameGraph#2-fold-stacks',
  sniff: sniffFolded,
  start: () => new FoldedSession(),
} satisfies Importer;

const NEWLINE = 0x0a;
const SEMICOLON = 0x3b;

function sniffFolded(head: Head, fileName: string): SniffResult {
  // Austin's lines are folded stacks, but its header states what their numbers are.
  if (/^\s*# austin: \d/.test(head.text)) return 'no';
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

class FoldedSession implements ImportSession {
  #builder: ProfileBuilder | null = null;
  #thread = 0 as ThreadIndex;
  #twoColumns = false;
  readonly #names = new ByteTable();
  /** Frame by row of `#names`; −1 if none has been created. */
  #frames = new Int32Array(1024).fill(-1);
  /** The unfinished line (before the layout is known, everything so far): `#used` bytes, then padding. */
  #bytes = new Uint8Array(HEAD_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  /** There is no newline before this position. */
  #scanned = 0;
  /** Start of the last stack within `#bytes`, −1 if it is no longer there, and its length. */
  #lastStart = -1;
  #lastLength = 0;
  /** Of its frames but the leaf: the end, counted from the stack's start, and the stack up to the frame. */
  #ends = new Int32Array(64);
  #stacks = new Int32Array(64);
  #depth = 0;
  #line = 0;
  #valid = 0;
  #skipped = 0;
  #firstSkipped = 0;
  readonly #comments: string[] = [];

  push(chunk: Uint8Array): void {
    this.#reserve(this.#used + chunk.length + BYTE_TABLE_PADDING);
    this.#bytes.set(chunk, this.#used);
    this.#used += chunk.length;
    if (this.#builder === null && this.#used < HEAD_BYTES) return;
    this.#parseLines();
  }

  finish(): Profile {
    this.#parseLines();
    if (this.#used > 0) this.#parseLine(0, this.#used);
    this.#refuseIfMostlySkipped();
    if (this.#valid === 0) throw unrecognized('no line is "stack count"');
    return this.#builder!.finish(this.#twoColumns ? DIFF_VALUE_TYPES : VALUE_TYPES, {
      format: 'folded',
      defaultValueType: (this.#twoColumns ? 1 : 0) as ValueTypeIndex,
      comments: this.#comments,
    });
  }

  /** Parses the complete lines so far and keeps the rest. */
  #parseLines(): void {
    const bytes = this.#bytes.subarray(0, this.#used);
    this.#builder ??= this.#begin(bytes.subarray(0, HEAD_BYTES));
    let start = 0;
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, Math.max(start, this.#scanned));
      if (newline < 0) break;
      this.#parseLine(start, newline);
      start = newline + 1;
    }
    this.#bytes.copyWithin(0, start, this.#used);
    this.#used -= start;
    this.#lastStart = -1;
    this.#scanned = this.#used;
    if (this.#used > MAX_LINE_BYTES) throw lineTooLong(MAX_LINE_BYTES, this.#line + 1);
  }

  /** Uses two columns if nearly all lines of the head end in two numbers. */
  #begin(head: Uint8Array): ProfileBuilder {
    let lines = 0;
    let doubles = 0;
    for (const [start, end] of linesOf(head, head.length < HEAD_BYTES)) {
      if (isComment(head, start, end) || !isCounts(countsOfLine(head, start, end, false))) continue;
      lines += 1;
      if (isCounts(countsOfLine(head, start, end, true))) doubles += 1;
    }
    this.#twoColumns = lines > 0 && doubles >= lines * TWO_COLUMN_SHARE;
    const builder = new ProfileBuilder(this.#twoColumns ? 2 : 1);
    this.#thread = builder.thread(-1, -1, '');
    return builder;
  }

  #parseLine(start: number, end: number): void {
    this.#line += 1;
    if (isComment(this.#bytes, start, end)) return this.#comment(start, end);
    const counts = countsOfLine(this.#bytes, start, end, this.#twoColumns);
    if (counts === 'blank') return;
    if (counts === null) return this.#skip();
    const stack = this.#stack(start, counts.stackEnd);
    if (Math.max(Math.abs(counts.first), Math.abs(counts.second)) > Number.MAX_SAFE_INTEGER) {
      this.#note(...INEXACT_WEIGHT);
    }
    this.#valid += 1;
    this.#builder!.sample({ stack, thread: this.#thread }, counts.first, counts.second);
  }

  /**
   * Interns the frames between `start` and `end`, joined by semicolons, root first. Lines are mostly in order, so that a
   * stack begins like the last one.
   */
  #stack(start: number, end: number): StackIndex {
    const bytes = this.#bytes;
    const builder = this.#builder!;
    this.#depth = this.#sharedFrames(start, end);
    this.#lastStart = start;
    this.#lastLength = end - start;
    let stack = this.#depth === 0 ? NO_STACK : (this.#stacks[this.#depth - 1]! as StackIndex);
    let nameStart = this.#depth === 0 ? start : start + this.#ends[this.#depth - 1]! + 1;
    for (let at = nameStart; at < end; at++) {
      if (bytes[at] !== SEMICOLON) continue;
      stack = builder.stack(stack, this.#frame(nameStart, at));
      nameStart = at + 1;
      if (this.#depth === this.#ends.length) {
        this.#ends = longer(this.#ends);
        this.#stacks = longer(this.#stacks);
      }
      this.#ends[this.#depth] = at - start;
      this.#stacks[this.#depth] = stack;
      this.#depth += 1;
    }
    return builder.stack(stack, this.#frame(nameStart, end));
  }

  /** Returns the number of frames with which the last stack begins like that between `start` and `end`, except leaves. */
  #sharedFrames(start: number, end: number): number {
    const last = this.#lastStart;
    if (last < 0) return 0;
    const view = this.#view;
    const length = Math.min(this.#lastLength, end - start) - 4;
    // Four bytes at a time; the rest of a stack is read as if it were new.
    let equal = 0;
    while (equal <= length && view.getInt32(last + equal) === view.getInt32(start + equal)) equal += 4;
    let frames = this.#depth;
    while (frames > 0 && this.#ends[frames - 1]! >= equal) frames -= 1;
    return frames;
  }

  #frame(start: number, end: number): FrameIndex {
    const row = this.#names.intern(this.#view, start, end);
    if (row >= this.#frames.length) this.#frames = longer(this.#frames);
    const known = this.#frames[row]!;
    return known >= 0 ? (known as FrameIndex) : (this.#frames[row] = this.#newFrame(start, end));
  }

  #newFrame(start: number, end: number): FrameIndex {
    const { text: written, latin1 } = decodeText(this.#bytes.subarray(start, end));
    const text = withoutBytesLiteral(written);
    if (latin1) this.#note(...NOT_UTF8, 'info');
    const { kind, inline } = describeName(text);
    const builder = this.#builder!;
    return builder.frame({ func: builder.function({ name: text, kind }), inline });
  }

  #comment(start: number, end: number): void {
    if (this.#comments.length >= MAX_COMMENTS) return;
    const text = new TextDecoder().decode(this.#bytes.subarray(start, Math.min(end, start + MAX_COMMENT_BYTES)));
    this.#comments.push(text.replace(/^(#+|\/\/+)\s*/, '').trimEnd());
  }

  #skip(): void {
    this.#skipped += 1;
    if (this.#skipped === 1) this.#firstSkipped = this.#line;
    const shape = this.#twoColumns ? 'stack before after' : 'stack count';
    this.#note('skipped-line', `Lines that are not "${shape}" were skipped.`);
    if (this.#skipped + this.#valid === EARLY_LINES) this.#refuseIfMostlySkipped();
  }

  #note(code: string, message: string, severity: 'info' | 'warning' = 'warning'): void {
    this.#builder!.diagnostics.add(code, message, { severity, first: { line: this.#line } });
  }

  #refuseIfMostlySkipped(): void {
    if (this.#skipped <= this.#valid) return;
    const lines = this.#skipped + this.#valid;
    throw malformed(`${this.#skipped} of ${lines} lines are not "stack count"`, this.#firstSkipped);
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    bytes.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

function longer(frames: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(frames.length * 2).fill(-1);
  grown.set(frames);
  return grown;
}

const VALUE_TYPES = [{ type: 'samples', unit: 'count' }];
const DIFF_VALUE_TYPES = ['before', 'after'].map((type) => ({ type, unit: 'count' }));

function isCounts(counts: Counts | 'blank' | null): counts is Counts {
  return counts !== null && counts !== 'blank';
}

/**
 * Reads a name's annotation: `_[k]` kernel, `_[j]` `_[1]` compiled at run time, `_[i]` inlined, `_[0]` interpreted
 * (async-profiler, stackcollapse-perf.pl --all). The annotation stays part of the name.
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
