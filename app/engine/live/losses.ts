import type { Diagnostic } from '#core/model/diagnostics.ts';

/** Counts the samples that a session lost, as its collector reports them or the CPU time used implies. */
export class LiveLosses {
  #lost = 0;
  /** Number of the current run, and the samples that earlier runs lost or missed. */
  #run = { number: 0, before: 0 };
  /** What this run's collector says about missing samples; null if none are missing. */
  #missed: Diagnostic | null = null;
  #isOver = false;
  #beforeReset = 0;

  /** Samples that the collector lost in all runs, and that ended runs missed. */
  get lost(): number {
    return this.#lost;
  }

  get #all(): number {
    return this.#lost + (this.#isOver ? 0 : (this.#missed?.count ?? 0));
  }

  /** Takes the total that a run, counted from 0, has lost so far; returns the increase. */
  add(run: number, lost: number): number {
    if (run > this.#run.number) {
      this.#run = { number: run, before: this.#all };
      this.#missed = null;
    }
    const more = Math.max(0, this.#run.before + lost - this.#lost);
    this.#lost += more;
    return more;
  }

  /** Takes what the current run has missed so far; returns whether it had missed nothing before. */
  miss(missed: Diagnostic): boolean {
    const isFirst = this.#missed === null;
    this.#missed = missed;
    return isFirst;
  }

  /** Takes the total of the last run, which includes what it missed; returns the increase. */
  end(lost: number): number {
    this.#isOver = true;
    return this.add(this.#run.number, lost);
  }

  /** Restarts the count of {@link sinceReset}. */
  reset(): void {
    this.#beforeReset = this.#all;
  }

  get sinceReset(): { readonly lost: number; readonly diagnostics: readonly Diagnostic[] } {
    const lost = Math.max(0, this.#all - this.#beforeReset);
    return { lost, diagnostics: this.#missed === null || lost === 0 ? [] : [this.#missed] };
  }
}
