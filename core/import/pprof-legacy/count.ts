import { COUNT_HEADER } from './headers.ts';
import { addressesOf, integer, PLAIN_FACTS, type Section, type SectionContext, type SectionFacts } from './section.ts';
import type { TextLine } from '../text/text-lines.ts';

const SAMPLE = /^(\d+) @(.*)$/;

/** Profiles of Go that count stacks: goroutine, threadcreate, and a program's own. */
export class CountSection implements Section {
  readonly #context: SectionContext;
  readonly #type: string;
  readonly #total: number;
  readonly #header: TextLine;
  #count = 0;

  constructor(header: TextLine, context: SectionContext) {
    const [, type = '', total = ''] = COUNT_HEADER.exec(header.text) ?? [];
    this.#context = context;
    this.#header = header;
    this.#type = type;
    this.#total = integer(total, header, context);
  }

  addLine(line: TextLine): boolean {
    const [, digits = '', rest] = SAMPLE.exec(line.text) ?? [];
    const addresses = rest === undefined ? null : addressesOf(rest);
    if (addresses === null) return false;
    const { stacks } = this.#context;
    const count = integer(digits, line, this.#context);
    stacks.samples.push({ locations: stacks.callers(addresses, false), values: [count] });
    this.#count += count;
    return true;
  }

  finish(): SectionFacts {
    if (this.#count !== this.#total) {
      const message = `The first line states ${this.#total} stacks, but there are ${this.#count}: some are missing.`;
      this.#context.diagnostics.add('total-differs', message, { first: { line: this.#header.number } });
    }
    const type = { type: this.#type, unit: 'count' };
    return { ...PLAIN_FACTS, sampleTypes: [type], period: { ...type, value: 1 } };
  }
}
