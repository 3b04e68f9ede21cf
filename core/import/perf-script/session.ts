import type { StackIndex } from '../../model/brand.ts';
import { BYTE_TABLE_PADDING, ByteTable, doubled } from '../../model/intern/byte-table.ts';
import { lineTooLong } from '../text/text-lines.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { decodeText } from '../../model/decode-text.ts';
import type { ImportSession } from '../importer.ts';
import { CARRIAGE_RETURN, HASH_SIGN, NEWLINE, skipBlanks, BLANK, TAB } from './bytes.ts';
import { HeaderComments } from './comments.ts';
import { EventLine } from './event-line.ts';
import { FrameLine, frameOfEventLine, looksLikeFrame } from './frame-line.ts';
import { FrameLines, SPECIAL, type SourceLine } from './frames.ts';
import { SampleRows } from './samples.ts';
import { NOT_UTF8 } from '../common-diagnostics.ts';
import { PerfWarnings } from './warnings.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';

/**
 * Small enough that text passes through the processor's cache without evicting the tables: a tenth faster than a
 * megabyte.
 */
const BUFFER_BYTES = 2 ** 17 + 2 ** 13;
/** Names of a megabyte are accepted; perf does not print longer lines than this. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** Results for a line of a frame block that is not a frame. */
const SKIPPED = -1;
const NEXT_SAMPLE = -2;

/**
 * Reads `perf script` text line by line, as bytes. Nearly all lines are frames, and nearly all of these occurred
 * before: a new frame line is parsed, others are looked up by their bytes. The first guesses are the lines that last
 * followed the preceding one (a caller follows its callee), at the cost of one comparison; in a capture of a Go build
 * they are right for four of five lines.
 */
export class PerfScriptSession implements ImportSession {
  #bytes = new Uint8Array(BUFFER_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #filled = 0;
  /** Number of finished lines, for locations. */
  #line = 0;
  /** 1-based; 0: none was skipped. */
  #firstSkipped = 0;
  #sawEvent = false;
  #unterminated = false;
  #first = true;

  readonly #builder = new ProfileBuilder(1);
  readonly #lines = new ByteTable();
  readonly #frames = new FrameLines(this.#builder);
  readonly #samples = new SampleRows(this.#builder);
  readonly #comments = new HeaderComments();
  readonly #warnings = new PerfWarnings();
  readonly #event = new EventLine();
  readonly #frame = new FrameLine();

  /** Line i at 2i: the two lines that last followed it in a stack, the later one first; 0: none. */
  #next = new Int32Array(1 << 13);
  #inSample = false;
  #sampleIsWeak = false;
  #sampleLine = 0;
  /** Lines of the sample's frame block, leaf first. */
  #stack = new Int32Array(1 << 8);
  #depth = 0;
  #previous = 0;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const room = this.#bytes.length - BYTE_TABLE_PADDING - this.#filled;
      if (room === 0) {
        this.#growBuffer();
        continue;
      }
      const part = chunk.subarray(at, at + room);
      this.#bytes.set(part, this.#filled);
      at += part.length;
      // Only the new bytes are searched: the unfinished line before them may be long.
      const end = this.#filled + part.lastIndexOf(NEWLINE) + 1;
      const hasLine = end > this.#filled;
      this.#filled += part.length;
      if (hasLine) this.#parseLinesUntil(end);
    }
  }

  finish(): Profile {
    if (this.#filled > 0) {
      this.#bytes[this.#filled++] = NEWLINE;
      this.#unterminated = true;
      this.#parseLinesUntil(this.#filled);
    }
    if (this.#inSample) this.#endSample();
    if (this.#samples.length === 0) noteNoSamples(this.#builder.diagnostics, this.#sawEvent ? 0 : this.#firstSkipped);
    const { latin1Count } = this.#frames;
    if (latin1Count > 0) {
      this.#builder.diagnostics.add(...NOT_UTF8, { severity: 'info', count: latin1Count });
    }
    this.#comments.note(this.#builder.diagnostics);
    this.#warnings.diagnose(this.#builder.diagnostics);
    return diagnoseUnresolved(this.#samples.finish(this.#comments.metadata()));
  }

  #growBuffer(): void {
    if (this.#bytes.length > MAX_LINE_BYTES) throw lineTooLong(MAX_LINE_BYTES, this.#line + 1);
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#bytes.length * 2));
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** `end` is the end of a line. */
  #parseLinesUntil(end: number): void {
    const bytes = this.#bytes;
    let at = this.#first ? this.#skipByteOrderMark() : 0;
    while (at < end) at = this.#inSample ? this.#parseStack(at, end) : this.#parseOutside(at);
    bytes.copyWithin(0, end, this.#filled);
    this.#filled -= end;
  }

  #skipByteOrderMark(): number {
    this.#first = false;
    const [a, b, c] = this.#bytes;
    return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  }

  /**
   * Parses lines of a sample's stack from `start` until the sample or the buffer ends. Returns the position where it
   * stopped.
   */
  #parseStack(start: number, end: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const lines = this.#lines;
    let next = this.#next;
    let previous = this.#previous;
    let at = start;
    while (at < end) {
      let line = next[previous * 2]!;
      let lineEnd = lines.endIfAt(view, at, end, line);
      if (lineEnd <= at) {
        const latest = line;
        line = next[previous * 2 + 1]!;
        lineEnd = lines.endIfAt(view, at, end, line);
        next[previous * 2 + 1] = latest;
      }
      if (lineEnd <= at) {
        const byte = bytes[at];
        if (byte === NEWLINE || (byte === CARRIAGE_RETURN && bytes[at + 1] === NEWLINE)) {
          this.#line += 1;
          this.#endSample();
          return byte === NEWLINE ? at + 1 : at + 2;
        }
        line = lines.findLine(view, at);
        lineEnd = lines.lineEnd;
        if (line < 0) line = this.#newStackLine(at, lineEnd);
        if (line === NEXT_SAMPLE) {
          this.#endSample();
          return at;
        }
        if (line === SKIPPED) {
          this.#line += 1;
          at = lineEnd;
          continue;
        }
        next = this.#next;
      }
      next[previous * 2] = line;
      this.#line += 1;
      this.#pushLine(line);
      previous = line;
      at = lineEnd;
    }
    this.#previous = previous;
    return at;
  }

  #pushLine(line: number): void {
    if (this.#depth === this.#stack.length) this.#stack = doubled(this.#stack);
    this.#stack[this.#depth++] = line;
  }

  /** Parses a new line of a frame block. Returns its row, SKIPPED or NEXT_SAMPLE. */
  #newStackLine(start: number, lineEnd: number): number {
    const bytes = this.#bytes;
    const end = this.#contentEnd(start, lineEnd);
    if (this.#event.parseTimed(bytes, start, end)) return NEXT_SAMPLE;
    if (this.#frame.parse(bytes, start, end) && !(this.#isUnfinished(lineEnd) && !looksLikeFrame(bytes, start, end))) {
      const line = this.#addLine(start, lineEnd);
      this.#frames.defineFrame(line, this.#view, bytes, this.#frame);
      return line;
    }
    const source = this.#depth > 0 ? parseSourceLine(bytes, start, end) : null;
    if (source !== null) {
      const line = this.#addLine(start, lineEnd);
      this.#frames.defineSource(line, source);
      return line;
    }
    if (this.#depth === 0 && this.#event.parse(bytes, start, end)) return NEXT_SAMPLE;
    if (bytes[start] === HASH_SIGN) this.#comments.add(decodeText(bytes.subarray(start, end)).text);
    else if (skipBlanks(bytes, start, end) < end) this.#skipLine(lineEnd);
    return SKIPPED;
  }

  #addLine(start: number, end: number): number {
    const line = this.#lines.add(this.#view, start, end);
    if (line * 2 >= this.#next.length) this.#next = doubled(this.#next);
    return line;
  }

  /** Parses one line between samples. Returns its end. */
  #parseOutside(start: number): number {
    const bytes = this.#bytes;
    const lineEnd = bytes.indexOf(NEWLINE, start) + 1;
    const end = this.#contentEnd(start, lineEnd);
    this.#line += 1;
    if (end === start) return lineEnd;
    const event = this.#event;
    const isComment = bytes[start] === HASH_SIGN;
    if (!this.#sawEvent && !isComment && !event.parseTimed(bytes, start, end) && this.#isWarning(start, end))
      return lineEnd;
    const isEvent = isComment ? event.parseTimed(bytes, start, end) : event.parse(bytes, start, end);
    this.#sawEvent ||= isEvent && !event.weak;
    if (isEvent && event.kind === 'record') this.#noteRecord(decodeText(bytes.subarray(event.eventStart, end)).text);
    else if (isEvent) this.#beginSample(start, end, lineEnd);
    else if (isComment) this.#comments.add(decodeText(bytes.subarray(start, end)).text);
    else if (skipBlanks(bytes, start, end) < end) this.#skipLine(lineEnd);
    return lineEnd;
  }

  /** Keeps the line if it is a warning of perf. */
  #isWarning(start: number, end: number): boolean {
    const { text } = decodeText(this.#bytes.subarray(start, end));
    const isWarning = this.#warnings.accepts(text);
    if (isWarning && text.trim() !== '') this.#warnings.add(text, this.#line);
    return isWarning;
  }

  #noteRecord(text: string): void {
    const { hasTime, seconds, nanoseconds } = this.#event;
    const clock = hasTime ? BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) : null;
    noteRecord(this.#builder.diagnostics, text, this.#line, clock);
  }

  #beginSample(start: number, end: number, lineEnd: number): void {
    const event = this.#event;
    const view = this.#view;
    if (this.#isUnfinished(lineEnd) && !this.#samples.knowsEvent(event, view)) return this.#skipLine(lineEnd);
    this.#samples.begin(event, view, this.#bytes, start, this.#line);
    this.#inSample = true;
    this.#sampleIsWeak = event.weak;
    this.#sampleLine = this.#line;
    const frame = frameOfEventLine(this.#bytes, event.restStart, end);
    if (frame !== null) {
      this.#parseFrameOfEventLine(...frame);
      this.#endSample();
    }
  }

  /** Without call graphs, the only frame is on the event's line. */
  #parseFrameOfEventLine(start: number, end: number): void {
    let line = this.#lines.find(this.#view, start, end);
    if (line < 0) {
      this.#frame.parse(this.#bytes, start, end);
      line = this.#addLine(start, end);
      this.#frames.defineFrame(line, this.#view, this.#bytes, this.#frame);
    }
    this.#pushLine(line);
  }

  #endSample(): void {
    const depth = this.#depth;
    this.#inSample = false;
    this.#depth = 0;
    this.#previous = 0;
    if (depth === 0 && this.#sampleIsWeak) return this.#countSkipped(this.#sampleLine);
    if (this.#frames.hasPending) this.#frames.resolvePending(this.#stack, depth);
    this.#samples.add(this.#stackOfLines(depth));
  }

  /** Returns the stack of the sample's lines. Converts lines to frames in place. */
  #stackOfLines(depth: number): StackIndex {
    const stack = this.#stack;
    const { frameOf } = this.#frames;
    for (let index = 0; index < depth; index++) {
      const frame = frameOf[stack[index]!]!;
      if (frame === SPECIAL) return this.#stackOfSpecialLines(index, depth);
      stack[index] = frame;
    }
    return this.#builder.stackOf(stack, depth);
  }

  /**
   * Does the same if the line at `from` (and possibly later ones) is not exactly one frame; lines before it are frames
   * already.
   */
  #stackOfSpecialLines(from: number, depth: number): StackIndex {
    const { frameOf } = this.#frames;
    const leafFirst = Array.from(this.#stack.subarray(0, from));
    for (let index = from; index < depth; index++) {
      const line = this.#stack[index]!;
      if (frameOf[line] === SPECIAL) this.#frames.expand(line, leafFirst);
      else leafFirst.push(frameOf[line]!);
    }
    return this.#builder.stackOf(leafFirst);
  }

  #skipLine(lineEnd: number): void {
    const line = this.#line + (this.#inSample ? 1 : 0);
    if (!this.#isUnfinished(lineEnd)) return this.#countSkipped(line);
    if (this.#firstSkipped === 0) this.#firstSkipped = line;
    this.#builder.diagnostics.add('truncated-input', 'The input ends within a line, which was skipped.', {
      first: { line },
      remedy: 'Check that the whole output of perf script was saved.',
    });
  }

  #countSkipped(line: number): void {
    if (this.#firstSkipped === 0) this.#firstSkipped = line;
    const message = 'Lines that are neither an event nor a frame were skipped.';
    this.#builder.diagnostics.atLine('skipped-line', message, line);
  }

  /** The last line of an input without a final newline may be incomplete. */
  #isUnfinished(lineEnd: number): boolean {
    return this.#unterminated && lineEnd === this.#filled;
  }

  #contentEnd(start: number, lineEnd: number): number {
    const end = lineEnd - 1;
    return end > start && this.#bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  }
}

/** Maximum characters kept of a record's line, which may have any length. */
const MAX_TEXT = 200;

/** Notes a perf record that is not a sample. `text` starts at `PERF_RECORD_`. */
function noteRecord(diagnostics: DiagnosticCounter, text: string, line: number, clock: bigint | null): void {
  const lost = /^PERF_RECORD_LOST\w*:? lost (\d+)/.exec(text)?.[1];
  const first = { line };
  const moments = clock === null ? [] : [{ clock: String(clock), text: text.slice(0, MAX_TEXT) }];
  if (lost === undefined) {
    diagnostics.add('other-record', 'Records that are not samples were skipped.', { severity: 'info', first, moments });
    return;
  }
  diagnostics.add('lost-samples', 'perf lost samples because its buffer was full.', {
    count: Number(lost),
    first,
    moments,
    remedy: 'Record at a lower rate, with frame pointers instead of DWARF, or with a larger buffer (perf record -m).',
  });
}

/**
 * Headers alone are a capture in which nothing ran; other text is not a capture, whatever format was forced.
 * `otherLine` is the first line of such text, 0 if there is none.
 */
function noteNoSamples(diagnostics: DiagnosticCounter, otherLine: number): void {
  if (otherLine > 0) throw malformed('no line is a perf script event', otherLine);
  diagnostics.add('no-samples', 'The input has no samples.', {
    remedy: 'Check that the recorded process ran, and that the event works on this machine (flamebench doctor).',
  });
}

/** Longer lines are not paths. */
const MAX_BYTES = 5000;

/**
 * Parses the line that -F srcline prints below a frame, indented by two spaces: `file.c:12`, `file.c:12 (inlined)`;
 * `??:0`, `:0` or `libc.so[27b25]` without line information. null if the line is none of these.
 */
function parseSourceLine(bytes: Uint8Array, start: number, end: number): SourceLine | null {
  const isIndented = bytes[start] === BLANK && bytes[start + 1] === BLANK;
  if (!isIndented || end - start > MAX_BYTES || bytes[start + 2] === BLANK || bytes[start + 2] === TAB) return null;
  const { text } = decodeText(bytes.subarray(start + 2, end));
  const [, file, line, inlined] = /^(.*):(\d+)(?: \(discriminator \d+\))?( \(inlined\))?\s*$/.exec(text) ?? [];
  if (file !== undefined && file !== '??' && file !== '') {
    return { file, line: Number(line), inlined: inlined !== undefined };
  }
  const saysNothing = file !== undefined || /\[[0-9a-f]+\](?: \(inlined\))?\s*$/.test(text) || text.trim() === '';
  return saysNothing ? { file: '', line: 0, inlined: text.trimEnd().endsWith('(inlined)') } : null;
}
