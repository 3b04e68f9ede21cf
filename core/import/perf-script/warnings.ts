import type { DiagnosticCounter } from '../../model/diagnostics.ts';

/** First lines of what perf and its helpers print to stderr, which `perf script > out 2>&1` puts above the events. */
const KNOWN =
  /^(?:Warning:\s*$|\[ ?perf |Failed to open |no symbols found in |BFD: |(?:cmd__)?addr2line|Processed \d+ events and lost |Check IO\/CPU overload|Kernel address maps |perf: )/;
/** Characters kept of all warnings together. */
const MAX_TEXT = 500;

/** Collects perf's own warnings, which stand before the first event. */
export class PerfWarnings {
  #isWithin = false;
  #text = '';
  #count = 0;
  #firstLine = 0;

  /** Returns whether a line that is neither an event nor blank is a warning. After `Warning:`, all lines are. */
  accepts(text: string): boolean {
    if (/^Warning:\s*$/.test(text)) this.#isWithin = true;
    return this.#isWithin || KNOWN.test(text);
  }

  /** Adds a line that was accepted. `line` is 1-based. */
  add(text: string, line: number): void {
    if (this.#count++ === 0) this.#firstLine = line;
    if (this.#text.length < MAX_TEXT && !/^Warning:\s*$/.test(text)) this.#text += ` ${text.trim()}`;
  }

  diagnose(diagnostics: DiagnosticCounter): void {
    if (this.#count === 0) return;
    const message = `perf warned:${this.#text.slice(0, MAX_TEXT)}`;
    diagnostics.add('perf-warning', message, { count: this.#count, first: { line: this.#firstLine } });
  }
}
