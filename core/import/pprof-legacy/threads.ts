import { malformed } from '../../model/failure.ts';
import type { LegacyThread } from './stacks.ts';
import { addressesIn, PLAIN_FACTS, type Section, type SectionContext, type SectionFacts } from './section.ts';
import type { TextLine } from '../text/text-lines.ts';

const THREAD = /^--- Thread [0-9a-f]+ \(name: (.*)\/(\d+)\) stack: ---$/i;
const WITHOUT_STACKS = /^---- no stack trace for\b/;

/** The stacks of a program's threads at one moment (threadz), each a sample of weight 1. */
export class ThreadsSection implements Section {
  readonly #context: SectionContext;
  #thread: LegacyThread | null = null;
  #addresses: bigint[] = [];
  #isSame = false;
  #ended = false;

  constructor(header: TextLine, context: SectionContext) {
    this.#context = context;
    this.addLine(header);
  }

  addLine(line: TextLine): boolean {
    const { text } = line;
    const [found, name = '', tid = ''] = THREAD.exec(text) ?? [];
    if (found !== undefined) {
      this.#endThread();
      this.#thread = { name, tid: Number(tid) };
    } else if (this.#thread === null || this.#ended) return true;
    else if (WITHOUT_STACKS.test(text)) {
      this.#ended = true;
      const message = 'Stacks of some threads could not be taken and are missing.';
      this.#context.diagnostics.atLine('missing-stacks', message, line.number);
    } else if (text.includes('same as previous thread')) this.#isSame = true;
    else {
      const addresses = addressesIn(text) ?? [];
      if (addresses.length === 0) return false;
      for (const address of addresses) this.#addresses.push(address);
    }
    return true;
  }

  finish(): SectionFacts {
    this.#endThread();
    const { stacks } = this.#context;
    if (stacks.samples.length === 0) throw malformed('there is no thread');
    stacks.dropRepeatedLeaves();
    const type = { type: 'thread', unit: 'count' };
    return { ...PLAIN_FACTS, sampleTypes: [type], period: { ...type, value: 1 } };
  }

  #endThread(): void {
    const thread = this.#thread;
    if (thread === null) return;
    const { stacks } = this.#context;
    const last = stacks.samples.at(-1)?.locations ?? new Int32Array(0);
    stacks.samples.push({
      locations: this.#isSame ? last : stacks.callers(this.#addresses, true),
      values: [1],
      thread,
    });
    this.#thread = null;
    this.#addresses = [];
    this.#isSame = false;
  }
}
