import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';
import type { LegacyProfile } from './build.ts';
import { ContentionSection } from './contention.ts';
import { GoComments } from './go.ts';
import { legacyKind, COUNT_HEADER, type LegacyKind } from './headers.ts';
import { HeapSection } from './heap.ts';
import { JavaSection } from './java.ts';
import { JemallocSection } from './jemalloc.ts';
import { isMemoryMapHeader, LegacyMaps } from './maps.ts';
import { addressesOf, integer, PLAIN_FACTS, type Section, type SectionContext, type SectionFacts } from './section.ts';
import { LegacyStacks } from './stacks.ts';
import { ThreadsSection } from './threads.ts';
import type { TextLine } from '../text/text-lines.ts';

const NAMES_FROM_GO = 'Fetch the profile without `debug=1`: what Go writes then has all names.';

const SECTIONS: Readonly<Record<LegacyKind, (header: TextLine, context: SectionContext) => Section>> = {
  heap: (header, context) => new HeapSection(header, context),
  jemalloc: (header, context) => new JemallocSection(header, context),
  count: (header, context) => new CountSection(header, context),
  threads: (header, context) => new ThreadsSection(header, context),
  java: (header, context) => new JavaSection(header, context),
  contention: (_, context) => new ContentionSection(context),
};

/** Reads the lines of a text profile: comments, samples, and the memory map after them. */
export class LegacyText {
  readonly #stacks = new LegacyStacks();
  readonly #maps = new LegacyMaps();
  readonly #diagnostics: DiagnosticCounter;
  readonly #note: DiagnosticCounter['atLine'];
  readonly #comments: GoComments;
  readonly #head: string;
  #section: Section | null = null;
  /** The part of the file being read. */
  #after: 'samples' | 'map' | 'other' = 'samples';

  /** `head` holds the first lines. */
  constructor(head: string, diagnostics: DiagnosticCounter) {
    this.#diagnostics = diagnostics;
    this.#note = diagnostics.atLine;
    this.#comments = new GoComments(this.#stacks, diagnostics);
    this.#head = head;
  }

  addLine(whole: TextLine): void {
    const line = { ...whole, text: whole.text.trim() };
    const { text } = line;
    if (text === '') return;
    if (isMemoryMapHeader(text)) this.#after = 'map';
    else if (this.#after === 'map') this.#addMapping(line);
    else if (text.startsWith('#')) this.#comments.addLine(line);
    else if (this.#section === null) this.#section = this.#start(line);
    else if (this.#after === 'samples') this.#addSample(line);
  }

  finish(): LegacyProfile {
    if (this.#section === null) throw malformed('there are only comments', 1);
    const facts = this.#section.finish();
    this.#comments.finish();
    return {
      ...facts,
      stacks: this.#stacks,
      maps: this.#maps,
      diagnostics: this.#diagnostics,
      comments: this.#comments.comments,
      remedy: this.#comments.hasNames ? NAMES_FROM_GO : facts.remedy,
    };
  }

  #start(line: TextLine): Section {
    const kind = legacyKind(line.text, this.#head);
    if (kind === null) throw malformed('no valid first line of a profile', line.number);
    return SECTIONS[kind](line, { stacks: this.#stacks, diagnostics: this.#diagnostics });
  }

  #addMapping(line: TextLine): void {
    const { text, number } = line;
    if (this.#maps.addLine(text)) return;
    refuseSecond(line);
    this.#note('skipped-line', 'Unrecognized lines were skipped.', number);
  }

  #addSample(line: TextLine): void {
    const { text, number, isUnfinished } = line;
    if (this.#section!.addLine(line)) return;
    refuseSecond(line);
    if (isUnfinished) {
      this.#note('truncated-input', 'The input ends within a line, which was skipped.', number);
    } else if (text.startsWith('---')) {
      this.#after = 'other';
      this.#note('skipped-section', 'A section that is neither samples nor a memory map was skipped.', number, 'info');
    } else throw malformed('no sample of this kind of profile', number);
  }
}

function refuseSecond({ text, number }: TextLine): void {
  if (legacyKind(text, '') === null) return;
  throw malformed('two profiles in one file; open each separately', number);
}

const SAMPLE = /^(\d+) @(.*)$/;

/** Go profiles that count stacks: goroutine, threadcreate, and a program's own. */
class CountSection implements Section {
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
