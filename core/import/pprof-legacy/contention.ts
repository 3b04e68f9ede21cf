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
import type { TextLine } from '../text/text-lines.ts';

const SAMPLE = /^(\d+) +(\d+) @(.*)$/;
const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * Profiles of waiting for locks: Go's mutex and block, contentionz of C++. Waiting times are in cycles, for one of
 * `sampling period` events. Like pprof (profile/legacy_profile.go, `parseContentionSample`).
 */
export class ContentionSection implements Section {
  readonly #context: SectionContext;
  #cyclesPerSecond = 0;
  #period = 1;
  #durationNs: number | null = null;

  constructor(context: SectionContext) {
    this.#context = context;
  }

  addLine(line: TextLine): boolean {
    const [, cycles = '', count = '', rest] = SAMPLE.exec(line.text) ?? [];
    if (rest === undefined) return this.#attribute(line);
    const addresses = addressesOf(rest);
    if (addresses === null) return false;
    const { stacks } = this.#context;
    stacks.samples.push({
      locations: stacks.callers(addresses, false),
      values: [this.#contentions(integer(count, line, this.#context), line), this.#delay(cycles, line)],
    });
    return true;
  }

  finish(): SectionFacts {
    return {
      ...PLAIN_FACTS,
      sampleTypes: [
        { type: 'contentions', unit: 'count' },
        { type: 'delay', unit: 'nanoseconds' },
      ],
      period: { type: 'contentions', unit: 'count', value: this.#period },
      durationNs: this.#durationNs,
    };
  }

  #contentions(count: number, line: TextLine): number {
    return this.#period > 0 ? whole(count * this.#period, line, this.#context) : count;
  }

  /** Nanoseconds, or cycles if their rate is not stated. */
  #delay(digits: string, line: TextLine): number {
    const cycles = integer(digits, line, this.#context);
    if (this.#period <= 0 || this.#cyclesPerSecond <= 0) return cycles;
    return whole((cycles * this.#period) / (this.#cyclesPerSecond / 1e9), line, this.#context);
  }

  #attribute(line: TextLine): boolean {
    const attribute = attributeOf(line.text);
    if (attribute === null) return false;
    const { name, value } = attribute;
    if (name !== 'cycles/second' && name !== 'sampling period' && name !== 'ms since reset') return true;
    if (!/^\d+$/.test(value)) return false;
    const number = integer(value, line, this.#context);
    if (name === 'cycles/second') this.#cyclesPerSecond = number;
    else if (name === 'sampling period') this.#period = number;
    else this.#durationNs = number * NANOSECONDS_PER_MILLISECOND;
    return true;
  }
}
