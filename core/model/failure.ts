import type { SourceLocation } from './diagnostics.ts';

/** Why an input can't be read: not a supported format, broken, an unsupported variant, or beyond a stated limit. */
export type FailureClass = 'unrecognized' | 'malformed' | 'unsupported' | 'too-large';

/** `go-execution-trace`: `go tool trace`, for execution traces of Go. */
export type ReadingTool = 'go-execution-trace';

/** Thrown by importers. `message` is one line: the problem and its remedy. `location` refers to the unwrapped input. */
export class ImportFailure extends Error {
  readonly failure: FailureClass;
  readonly location: SourceLocation | null;
  /** The tool that the engine can run to read the input. */
  readonly tool: ReadingTool | null;

  constructor(
    failure: FailureClass,
    message: string,
    location: SourceLocation | null = null,
    tool: ReadingTool | null = null,
  ) {
    super(message);
    this.name = 'ImportFailure';
    this.failure = failure;
    this.location = location;
    this.tool = tool;
  }
}

const failing =
  (failure: FailureClass) =>
  (message: string, at: SourceLocation | number | null = null): ImportFailure =>
    new ImportFailure(failure, message, typeof at === 'number' ? { line: at } : at);

/** Return the failure of each class; `at` is a location, or a line, 1-based. */
export const malformed = failing('malformed');
export const tooLarge = failing('too-large');
export const unrecognized = failing('unrecognized');
export const unsupported = failing('unsupported');

/** The comparison would be meaningless. `message` is one line: what, where, what to do. */
export class CompareRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CompareRefusal';
  }
}

/** Formats a failure as the CLI and the window print it, in one line: `malformed: message (line 12)`. */
export function describeFailure(failure: ImportFailure): string {
  const { location } = failure;
  const where =
    location === null ? '' : location.line === undefined ? ` (byte ${location.byte ?? 0})` : ` (line ${location.line})`;
  return `${failure.failure}: ${failure.message}${where}`;
}

/**
 * Trees of 25,000 frames, if each node is an object in an array. Deeper nesting parses into many times the memory of
 * the text.
 */
const MAX_JSON_DEPTH = 50_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * Counts the nesting depth of UTF-8 JSON text as its bytes arrive, so that deep text can be rejected before it is
 * parsed.
 */
export class JsonDepth {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #read = 0;

  /** Throws `ImportFailure` beyond {@link MAX_JSON_DEPTH} levels. */
  push(bytes: Uint8Array): void {
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep(this.#read + at);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    this.#read += bytes.length;
  }
}

/** Throws `ImportFailure` if a JSON text within a file is nested too deep. */
export function refuseDeepJson(text: string): void {
  const depth = new JsonDepth();
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; at += PIECE) depth.push(encoder.encode(text.slice(at, at + PIECE)));
}

/** UTF-16 units encoded at a time; encoding the whole text at once would double its memory. */
const PIECE = 2 ** 16;

function tooDeep(byte: number): ImportFailure {
  return tooLarge(
    `JSON nested more than ${MAX_JSON_DEPTH.toLocaleString('en')} levels deep; export the profile again with shorter stacks`,
    { byte },
  );
}

/** Returns the message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
