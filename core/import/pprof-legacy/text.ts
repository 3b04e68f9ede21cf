import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { ImportFailure } from '../../model/failure.ts';
import type { LegacyProfile } from './build.ts';
import { ContentionSection } from './contention.ts';
import { CountSection } from './count.ts';
import { GoComments } from './go.ts';
import { legacyKind, type LegacyKind } from './headers.ts';
import { HeapSection } from './heap.ts';
import { JavaSection } from './java.ts';
import { JemallocSection } from './jemalloc.ts';
import { isMemoryMapHeader, LegacyMaps } from './maps.ts';
import type { Section, SectionContext } from './section.ts';
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
  readonly #comments: GoComments;
  readonly #head: string;
  #section: Section | null = null;
  /** What comes after the samples. */
  #after: 'samples' | 'map' | 'other' = 'samples';

  /** `head`: the first lines. */
  constructor(head: string, diagnostics: DiagnosticCounter) {
    this.#diagnostics = diagnostics;
    this.#comments = new GoComments(this.#stacks, diagnostics);
    this.#head = head;
  }

  addLine(whole: TextLine): void {
    const line = { ...whole, text: whole.text.trim() };
    const { text, number } = line;
    if (text === '') return;
    if (line.isLatin1) {
      this.#note('not-utf8', 'Names that are not valid UTF-8 were read as Latin-1.', number, 'info');
    }
    if (isMemoryMapHeader(text)) this.#after = 'map';
    else if (this.#after === 'map') this.#addMapping(line);
    else if (text.startsWith('#')) this.#comments.addLine(line);
    else if (this.#section === null) this.#section = this.#start(line);
    else if (this.#after === 'samples') this.#addSample(line);
  }

  finish(): LegacyProfile {
    if (this.#section === null) throw new ImportFailure('malformed', 'there are only comments', { line: 1 });
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
    if (kind === null) throw new ImportFailure('malformed', 'no valid first line of a profile', { line: line.number });
    return SECTIONS[kind](line, { stacks: this.#stacks, diagnostics: this.#diagnostics });
  }

  #addMapping(line: TextLine): void {
    const { text, number, isUnfinished } = line;
    if (isUnfinished) this.#noteUnfinished(number);
    if (this.#maps.addLine(text)) return;
    refuseSecond(line);
    this.#note('skipped-line', 'Unrecognized lines were skipped.', number);
  }

  #addSample(line: TextLine): void {
    const { text, number, isUnfinished } = line;
    if (this.#section!.addLine(line)) {
      if (isUnfinished) this.#noteUnfinished(number);
      return;
    }
    refuseSecond(line);
    if (isUnfinished) {
      this.#note('truncated-input', 'The input ends within a line, which was skipped.', number);
    } else if (text.startsWith('---')) {
      this.#after = 'other';
      this.#note('skipped-section', 'A section that is neither samples nor a memory map was skipped.', number, 'info');
    } else throw new ImportFailure('malformed', 'no sample of this kind of profile', { line: number });
  }

  #noteUnfinished(line: number): void {
    this.#note('unfinished-line', 'The last line has no line end and may be truncated.', line, 'info');
  }

  #note(code: string, message: string, line: number, severity: 'info' | 'warning' = 'warning'): void {
    this.#diagnostics.add(code, message, { severity, first: { line } });
  }
}

function refuseSecond({ text, number }: TextLine): void {
  if (legacyKind(text, '') === null) return;
  throw new ImportFailure('malformed', 'two profiles in one file; open each separately', { line: number });
}
