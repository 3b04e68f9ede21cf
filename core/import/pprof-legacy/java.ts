import { JAVA_HEADER } from './headers.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { FunctionKind } from '../../model/profile.ts';
import { scaleOf } from './heap.ts';
import {
  addressesOf,
  attributeOf,
  integer,
  PLAIN_FACTS,
  whole,
  type Section,
  type SectionContext,
  type SectionFacts,
} from './section.ts';
import type { LegacyName, LegacyStacks } from './stacks.ts';
import type { TextLine } from '../text/text-lines.ts';

const SAMPLE = /^(\d+) +(\d+) +@(.*)$/;
const LOCATION = /^(0x[0-9a-f]{1,16})\s+(\S.*)$/i;
const NANOSECONDS_PER_MILLISECOND = 1e6;
/**
 * Rate of the Java agent's heap profiles, which don't state it. The same as in pprof (profile/legacy_java_profile.go).
 */
const HEAP_RATE = 524_288;

/** Heap and contention profiles of Java: attributes, samples, then the names of their locations. */
export class JavaSection implements Section {
  readonly #context: SectionContext;
  readonly #isHeap: boolean;
  #unit: string | null = null;
  #period = 0;
  #durationNs: number | null = null;
  #inLocations = false;

  constructor(header: TextLine, context: SectionContext) {
    this.#context = context;
    this.#isHeap = JAVA_HEADER.exec(header.text)?.[1] === 'heapz';
  }

  addLine(line: TextLine): boolean {
    if (this.#inLocations) return this.#location(line);
    const [, second = '', first = '', rest] = SAMPLE.exec(line.text) ?? [];
    if (rest !== undefined) {
      const addresses = addressesOf(rest);
      if (addresses === null) return false;
      this.#sample(integer(first, line, this.#context), integer(second, line, this.#context), addresses, line);
      return true;
    }
    if (this.#attribute(line)) return true;
    this.#inLocations = LOCATION.test(line.text);
    return this.#inLocations && addJavaLocation(line, this.#context);
  }

  finish(): SectionFacts {
    if (this.#unit === null) throw malformed('a Java profile that does not state its resolution');
    const unit = this.#unit;
    return {
      ...PLAIN_FACTS,
      sampleTypes: this.#isHeap
        ? [
            { type: 'inuse_objects', unit: 'count' },
            { type: 'inuse_space', unit },
          ]
        : [
            { type: 'contentions', unit: 'count' },
            { type: 'delay', unit },
          ],
      period: this.#period === 0 ? null : { type: 'contentions', unit: 'count', value: this.#period },
      durationNs: this.#durationNs,
      hasAddresses: false,
    };
  }

  /** Like pprof, skips lines that are not locations, but counts them. */
  #location(line: TextLine): boolean {
    if (line.text.startsWith('---')) return false;
    if (!addJavaLocation(line, this.#context))
      this.#context.diagnostics.atLine('skipped-line', 'Unrecognized lines were skipped.', line.number);
    return true;
  }

  /** `amount` is in bytes or a time. */
  #sample(count: number, amount: number, addresses: readonly bigint[], line: TextLine): void {
    const { stacks } = this.#context;
    const locations = Int32Array.from(addresses, (address) => stacks.row(address));
    if (this.#isHeap && count === 0) throw malformed('a sample of zero objects', line.number);
    const scale = this.#isHeap ? scaleOf([count, amount], HEAP_RATE) : this.#period || 1;
    stacks.samples.push({
      locations,
      values: [count, amount].map((value) => whole(value * scale, line, this.#context)),
      ...(this.#isHeap ? { labels: [{ key: 'bytes', number: Math.trunc(amount / count), unit: 'bytes' }] } : {}),
    });
  }

  #attribute(line: TextLine): boolean {
    const attribute = attributeOf(line.text);
    if (attribute === null) return false;
    const { name, value } = attribute;
    if (name === 'format' && value !== 'java') {
      throw unsupported(`a profile of format ${value}; only java is known`, line.number);
    }
    if (name === 'resolution') this.#unit = value;
    if (name !== 'sampling period' && name !== 'ms since reset') return true;
    if (!/^\d+$/.test(value)) return false;
    const number = integer(value, line, this.#context);
    if (name === 'sampling period') this.#period = number;
    else this.#durationNs = number * NANOSECONDS_PER_MILLISECOND;
    return true;
  }
}

/** Parses ` 0x00000003 com.example.Work.run (Work.java:12)`; returns false if the line has another form. */
export function addJavaLocation(line: TextLine, { stacks }: { readonly stacks: LegacyStacks }): boolean {
  const [, address, text = ''] = LOCATION.exec(line.text.trim()) ?? [];
  if (address === undefined) return false;
  const row = stacks.rowOf(BigInt(address));
  if (row >= 0) stacks.names.set(row, javaName(text));
  return true;
}

/** Parses `name (file:line)`, `name (library)`, or only a name. */
function javaName(text: string): LegacyName {
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  if (open > 0) {
    const name = text.slice(0, open).trimEnd();
    const place = text.slice(open + 2, -1);
    const colon = place.lastIndexOf(':');
    if (colon <= 0 || !/^-?\d+$/.test(place.slice(colon + 1))) {
      return { func: { name, module: place, kind: FunctionKind.user }, line: 0 };
    }
    return {
      func: { name, file: place.slice(0, colon), kind: FunctionKind.jit },
      line: Number(place.slice(colon + 1)),
    };
  }
  if (text.includes('generated stub/JIT')) return { func: { name: 'STUB', kind: FunctionKind.jit }, line: 0 };
  // States of the virtual machine, such as GC.
  return { func: { name: text, kind: FunctionKind.synthetic }, line: 0 };
}
