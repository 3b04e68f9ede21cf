import { malformed, unsupported } from '../../model/failure.ts';
import { HIDDEN_RUNTIME } from './go.ts';
import {
  addressesOf,
  integer,
  PLAIN_FACTS,
  whole,
  type Section,
  type SectionContext,
  type SectionFacts,
} from './section.ts';
import type { TypeAndUnit } from '../pprof/tables.ts';
import type { TextLine } from '../text/text-lines.ts';

/** Numbers in use and allocated, each as objects and bytes. */
export const PAIRS = String.raw`(\d+): *(\d+) *\[ *(\d+): *(\d+) *\]`;
const HEADER = new RegExp(String.raw`^heap profile: *${PAIRS} *@ *([a-z_0-9]+)/?(\d*)`, 'i');
const SAMPLE = /^(-?\d+): *(-?\d+) *\[ *(\d+): *(\d+) *\] @(.*)$/;

export const ALLOCATED: readonly TypeAndUnit[] = [
  { type: 'alloc_objects', unit: 'count' },
  { type: 'alloc_space', unit: 'bytes' },
];
export const IN_USE: readonly TypeAndUnit[] = [
  { type: 'inuse_objects', unit: 'count' },
  { type: 'inuse_space', unit: 'bytes' },
];
const EITHER: readonly TypeAndUnit[] = [
  { type: 'objects', unit: 'count' },
  { type: 'space', unit: 'bytes' },
];

/**
 * Sampling rate of allocations: one in `rate` bytes on average; null if all are recorded, or if the rate is unknown.
 */
type SampleRate = number | null;

/** A count of objects and their bytes. */
export type Pair = readonly [count: number, bytes: number];

/**
 * Returns the number of allocations that a sample of this size represents if one in `rate` bytes is sampled (a Poisson
 * process): 1 divided by its probability, 1 − exp(−size / rate). Like pprof's `scaleHeapSample`
 * (profile/legacy_profile.go) and jeprof's `AdjustSamples`.
 */
export function scaleOf([count, bytes]: Pair, rate: SampleRate): number {
  if (count === 0 || bytes === 0) return 0;
  return rate === null || rate <= 1 ? 1 : 1 / (1 - Math.exp(-(bytes / count) / rate));
}

/** The header's information about the numbers below it. */
interface HeapHeader {
  readonly rate: SampleRate;
  /** As pprof states it. */
  readonly period: number;
  readonly tool: string | null;
  /** In use, then allocated. */
  readonly totals: readonly [Pair, Pair];
}

/** Heap profiles of tcmalloc, gperftools' heap profiler and Go, and growth profiles. `header` is their first line. */
export class HeapSection implements Section {
  readonly #context: SectionContext;
  readonly #header: HeapHeader;
  /** Whether allocations are distinguished from memory in use. */
  readonly #hasAllocated: boolean;
  #objects = 0;
  readonly #headerLine: TextLine;

  constructor(header: TextLine, context: SectionContext) {
    this.#context = context;
    this.#headerLine = header;
    this.#header = readHeader(header, context);
    const [inUse, allocated] = this.#header.totals;
    const differs = [0, 1].some((at) => allocated[at] !== inUse[at] && allocated[at] !== 0);
    this.#hasAllocated = differs && !isGrowth(header.text);
  }

  addLine(line: TextLine): boolean {
    const [, inCount = '', inBytes = '', count = '', bytes = '', rest] = SAMPLE.exec(line.text) ?? [];
    const addresses = rest === undefined ? null : addressesOf(rest);
    if (addresses === null) return false;
    const { stacks } = this.#context;
    const pairs = [this.#pair(inCount, inBytes, line)];
    if (this.#hasAllocated) pairs.unshift(this.#pair(count, bytes, line));
    // Like pprof: numbers in use, otherwise numbers allocated.
    const sized = pairs.findLast(([objects]) => objects !== 0) ?? [1, 0];
    stacks.samples.push({
      locations: stacks.callers(addresses, false),
      values: pairs.flatMap((pair) => this.#unsampled(pair, line)),
      labels: [{ key: 'bytes', number: Math.trunc(sized[1] / sized[0]), unit: 'bytes' }],
    });
    this.#objects += Number(inCount);
    return true;
  }

  finish(): SectionFacts {
    const { period, tool, totals } = this.#header;
    const stated = totals[0][0];
    if (stated !== this.#objects) {
      const message = `The first line states ${stated} objects, but the samples have ${this.#objects}: some are missing.`;
      this.#context.diagnostics.add('total-differs', message, { first: { line: this.#headerLine.number } });
    }
    return {
      ...PLAIN_FACTS,
      sampleTypes: this.#hasAllocated ? [...ALLOCATED, ...IN_USE] : EITHER,
      period: { type: 'space', unit: 'bytes', value: period },
      tool,
      isDropped: isAllocator,
    };
  }

  #unsampled(pair: Pair, line: TextLine): number[] {
    const scale = scaleOf(pair, this.#header.rate);
    return pair.map((value) => whole(value * scale, line, this.#context));
  }

  #pair(count: string, bytes: string, line: TextLine): Pair {
    const pair = [integer(count, line, this.#context), integer(bytes, line, this.#context)] as const;
    if (pair[0] === 0 && pair[1] !== 0) throw malformed('a sample of zero objects that have bytes', line.number);
    return pair;
  }
}

function isGrowth(header: string): boolean {
  return /@ *(?:growth|fragmentation)z?\b/i.test(header);
}

function readHeader(line: TextLine, context: SectionContext): HeapHeader {
  const [found, ...groups] = HEADER.exec(line.text) ?? [];
  if (found === undefined) throw malformed('a heap profile whose first line is truncated or changed', line.number);
  const [inCount, inBytes, count, bytes] = groups.slice(0, 4).map((digits) => integer(digits, line, context));
  const totals = [
    [inCount!, inBytes!],
    [count!, bytes!],
  ] as const;
  const kind = groups[4]!.toLowerCase();
  const stated = groups[5] === '' ? 0 : integer(groups[5]!, line, context);
  if (kind === 'heap_v2' || kind === 'heapz_v2') return { rate: stated, period: stated, tool: 'tcmalloc', totals };
  // Go writes twice its rate, as the first of these formats did.
  if (kind === 'heap') return { rate: Math.trunc(stated / 2), period: Math.trunc(stated / 2), tool: null, totals };
  if (kind === 'heapprofile') return { rate: null, period: 1, tool: 'gperftools', totals };
  if (isGrowth(line.text)) return { rate: null, period: 1, tool: 'tcmalloc', totals };
  throw unsupported(`a heap profile of an unknown kind, ${JSON.stringify(kind)}`, line.number);
}

/**
 * Memory allocation functions of C's and C++'s libraries, tcmalloc and jemalloc; the frames that they call do not
 * belong to the caller that allocated.
 */
const ALLOCATOR =
  /^(?:tcmalloc::.*|operator (?:new|delete)(?:\[\])?|(?:tc_|je_|_rjem_|__libc_|__)?(?:c?free|[cm]alloc|p?valloc|realloc|(?:posix_)?memalign|aligned_alloc|[mrs]allocx)|tc_(?:new|delete)(?:array)?(?:_nothrow)?|do_m(?:alloc|emalign)(?:_\w+)?|(?:je_|_rjem_je_)?prof_backtrace\w*)$/;

/**
 * Returns whether pprof and jeprof remove a function at the leaf of a heap profile, with everything that it called: the
 * allocator, and all of Go's runtime except the functions that call the program's.
 */
export function isAllocator(name: string): boolean {
  if (name === HIDDEN_RUNTIME || ALLOCATOR.test(name)) return true;
  return name.startsWith('runtime.') && !/^runtime\.(?:panic|reflectcall|call\d*)$/.test(name);
}
