import { JEMALLOC_HEADER } from './headers.ts';
import { ALLOCATED, IN_USE, isAllocator, PAIRS, scaleOf, type Pair } from './heap.ts';
import {
  addressesOf,
  integer,
  namesFromBinary,
  PLAIN_FACTS,
  type Section,
  type SectionContext,
  type SectionFacts,
} from './section.ts';
import type { TextLine } from '../text/text-lines.ts';

const NUMBERS = new RegExp(String.raw`^t(\*|\d+): *${PAIRS}(?: (.+))?$`);

const ALL_THREADS = '*';

/** Numbers of one thread, or of all: allocated, in use. */
interface Numbers {
  readonly thread: string;
  readonly pairs: readonly [Pair, Pair];
}

/**
 * Heap profiles of jemalloc: a stack, then its numbers for all threads (`t*`) and for each thread. Scaled like jeprof
 * scales those of all threads, so that the threads' sum is what jeprof shows.
 */
export class JemallocSection implements Section {
  readonly #context: SectionContext;
  readonly #rate: number;
  #stack: Int32Array | null = null;
  #numbers: Numbers[] = [];
  /** By jemalloc's number for a thread. */
  readonly #names = new Map<string, string>();

  constructor(header: TextLine, context: SectionContext) {
    this.#context = context;
    this.#rate = integer(JEMALLOC_HEADER.exec(header.text)?.[1] ?? '', header, context);
  }

  addLine(line: TextLine): boolean {
    if (line.text.startsWith('@')) {
      this.#endStack();
      const addresses = addressesOf(line.text.slice(1));
      if (addresses === null) return false;
      this.#stack = this.#context.stacks.callers(addresses, false);
      return true;
    }
    const [found, thread = '', ...fields] = NUMBERS.exec(line.text) ?? [];
    if (found === undefined) return false;
    const name = fields[4];
    if (name !== undefined) this.#names.set(thread, `${name} (thread ${thread})`);
    // Before the first stack these are totals.
    if (this.#stack === null) return true;
    const [objects, bytes, allObjects, allBytes] = fields.slice(0, 4).map((text) => integer(text, line, this.#context));
    this.#numbers.push({
      thread,
      pairs: [
        [allObjects!, allBytes!],
        [objects!, bytes!],
      ],
    });
    return true;
  }

  finish(): SectionFacts {
    this.#endStack();
    return {
      ...PLAIN_FACTS,
      sampleTypes: [...ALLOCATED, ...IN_USE],
      period: { type: 'space', unit: 'bytes', value: this.#rate },
      tool: 'jemalloc',
      remedy: namesFromBinary('jeprof --collapsed', 'FILE.folded'),
      // Its functions have no names if it was stripped.
      isDropped: (name) => isAllocator(name) || name.startsWith('[libjemalloc'),
    };
  }

  #endStack(): void {
    const all = this.#numbers.find(({ thread }) => thread === ALL_THREADS);
    const each = this.#numbers.filter(({ thread }) => thread !== ALL_THREADS);
    const others = all === undefined ? [] : [{ thread: ALL_THREADS, pairs: rest(all, each) }];
    for (const { thread, pairs } of [...each, ...others]) {
      const values = pairs.flatMap((pair, at) => {
        const scale = scaleOf(all?.pairs[at] ?? pair, this.#rate);
        return pair.map((value) => value * scale);
      });
      if (thread === ALL_THREADS && values.every((value) => value === 0)) continue;
      const name = this.#names.get(thread) ?? `thread ${thread}`;
      const named = thread === ALL_THREADS ? {} : { thread: { tid: -1, name } };
      this.#context.stacks.samples.push({ locations: this.#stack!, values, ...named });
    }
    this.#numbers = [];
  }
}

/** Returns the part of all threads' numbers that is in none of `each`. */
function rest(all: Numbers, each: readonly Numbers[]): Numbers['pairs'] {
  const left = (at: 0 | 1, part: 0 | 1): number =>
    each.reduce((sum, { pairs }) => sum - pairs[at][part], all.pairs[at][part]);
  return [
    [left(0, 0), left(0, 1)],
    [left(1, 0), left(1, 1)],
  ];
}
