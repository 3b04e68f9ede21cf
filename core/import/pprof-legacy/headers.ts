/** The first lines are enough to distinguish Java's contention profiles from those of C++. */
const HEAD_BYTES = 1024;

export function headOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
}

/** Start of a text profile: the line and, for Java's, the lines below it. */
const HEAP_HEADER = /^heap profile: *\d/;
export const JEMALLOC_HEADER = /^heap_v2\/(\d+)$/;
/** `goroutine profile: total 12`. */
export const COUNT_HEADER = /^(\S+) profile: total (\d+)$/;
const THREADS_HEADER = /^--- (?:threadz \d+ ---|Thread [0-9a-f]+ \(name: .*\/\d+\) stack: ---)/i;
export const JAVA_HEADER = /^--- (heapz|contentionz) 1 ---$/;
/** C++ writes neither of them. */
const JAVA_ATTRIBUTE = /^\s*(?:format|resolution)\s*=/m;
const CONTENTION_HEADER = /^--- (?:contentionz \d+ ---|mutex:|contention:)/;

export type LegacyKind = 'heap' | 'jemalloc' | 'count' | 'threads' | 'java' | 'contention';

/**
 * Returns the kind of text profile that starts with `line`, the first line that is not a comment; null if there is
 * none. `head` is the start of the input, because contention profiles begin the same way in Java and C++.
 */
export function legacyKind(line: string, head: string): LegacyKind | null {
  if (HEAP_HEADER.test(line)) return 'heap';
  if (JEMALLOC_HEADER.test(line)) return 'jemalloc';
  if (COUNT_HEADER.test(line)) return 'count';
  if (THREADS_HEADER.test(line)) return 'threads';
  if (JAVA_HEADER.test(line) && (line.includes('heapz') || JAVA_ATTRIBUTE.test(head))) return 'java';
  return CONTENTION_HEADER.test(line) ? 'contention' : null;
}

/** Words of 4 or 8 bytes, in either byte order. */
interface Words {
  readonly bytesEach: 4 | 8;
  readonly isLittleEndian: boolean;
}

export interface CpuHeader extends Words {
  readonly isJava: boolean;
  readonly periodMicroseconds: number;
}

const LAYOUTS: readonly Words[] = [
  { bytesEach: 4, isLittleEndian: true },
  { bytesEach: 4, isLittleEndian: false },
  { bytesEach: 8, isLittleEndian: true },
  { bytesEach: 8, isLittleEndian: false },
];
export const HEADER_WORDS = 5;
/**
 * Reads the header of gperftools' CPU profiler: the words 0, 3, 0 (1: Java), period in µs, 0. null if `bytes` don't
 * begin with it. Source: https://gperftools.github.io/gperftools/cpuprofile-fileformat.html
 */
export function readCpuHeader(bytes: Uint8Array): CpuHeader | null {
  for (const layout of LAYOUTS) {
    if (bytes.length < HEADER_WORDS * layout.bytesEach) continue;
    const words = new WordReader(bytes, 0, layout);
    const [zero, length, version, period, padding] = Array.from({ length: HEADER_WORDS }, () => words.next());
    if (zero !== 0n || length !== 3n || version! > 1n || padding !== 0n) continue;
    if (period! > 0n && period! <= MAX_PERIOD) {
      return { ...layout, isJava: version === 1n, periodMicroseconds: Number(period) };
    }
  }
  return null;
}

/** A day. */
const MAX_PERIOD = 86_400_000_000n;

export class WordReader {
  byte: number;
  readonly #view: DataView;
  readonly #words: Words;

  constructor(bytes: Uint8Array, byte: number, words: Words) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.byte = byte;
    this.#words = words;
  }

  /** Number of whole words left. */
  get left(): number {
    return Math.floor((this.#view.byteLength - this.byte) / this.#words.bytesEach);
  }

  next(): bigint {
    const { bytesEach, isLittleEndian } = this.#words;
    const at = this.byte;
    this.byte += bytesEach;
    if (bytesEach === 8) return this.#view.getBigUint64(at, isLittleEndian);
    return BigInt(this.#view.getUint32(at, isLittleEndian));
  }
}
