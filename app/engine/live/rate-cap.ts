/** Readings above the bound, one after another, before the rate is lowered: a burst of new symbols is not a habit. */
const READINGS = 3;

/** Decides when a collector takes more of the target's CPU than it may. */
export class RateCap {
  /** CPUs; null: no bound. */
  readonly #bound: number | null;
  #above = 0;

  constructor(bound: number | null) {
    this.#bound = bound;
  }

  /** Takes a reading in CPUs and returns whether the rate must be lowered now. */
  isExceeded(cpus: number): boolean {
    this.#above = this.#bound !== null && cpus > this.#bound ? this.#above + 1 : 0;
    if (this.#above < READINGS) return false;
    this.#above = 0;
    return true;
  }
}
