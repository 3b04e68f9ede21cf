import type { Diagnostic } from '#core/model/diagnostics.ts';

/** The samples that a session lacks: those that its collector lost, and those that the CPU time used should have given. */
export class LiveLosses {
  #lost = 0;
  /** The current run, and the samples that were lost or missed before it. */
  #run = { number: 0, before: 0 };
  /** About samples that are missing in this run; null if none are. */
  #missed: Diagnostic | null = null;
  #isOver = false;
  #beforeReset = 0;

  /** Those that the collector lost in all runs, and missed in those that have ended. */
  get lost(): number {
    return this.#lost;
  }

  get #all(): number {
    return this.#lost + (this.#isOver ? 0 : (this.#missed?.count ?? 0));
  }

  /** Takes what a run, counted from 0, has lost so far; returns how many more that are. */
  add(run: number, lost: number): number {
    if (run > this.#run.number) {
      this.#run = { number: run, before: this.#all };
      this.#missed = null;
    }
    const more = Math.max(0, this.#run.before + lost - this.#lost);
    this.#lost += more;
    return more;
  }

  /** Takes what the current run has missed so far; returns whether it is the first of this run. */
  miss(missed: Diagnostic): boolean {
    const isFirst = this.#missed === null;
    this.#missed = missed;
    return isFirst;
  }

  /** Takes what the last run has lost, which includes what it missed; returns how many more that are. */
  end(lost: number): number {
    this.#isOver = true;
    return this.add(this.#run.number, lost);
  }

  /** Begins to count anew for {@link sinceReset}. */
  reset(): void {
    this.#beforeReset = this.#all;
  }

  get sinceReset(): { readonly lost: number; readonly diagnostics: readonly Diagnostic[] } {
    const lost = Math.max(0, this.#all - this.#beforeReset);
    return { lost, diagnostics: this.#missed === null || lost === 0 ? [] : [this.#missed] };
  }
}
