import { parseRe2, type RegexNode } from './re2-syntax.ts';

/** More states than any drop_frames list has; RE2's own limit is a program of some megabytes. */
const MAX_STATES = 20_000;
/**
 * Maximum steps for all texts together; a Go heap profile's list takes a few thousand per name. Takes about three
 * seconds.
 */
const MAX_STEPS = 1e9;

const NONE = -1;

/**
 * A regular expression from a file: RE2 syntax, matched by following all states at once (Thompson 1968), so that no
 * pattern takes more than pattern × text steps. The constructor throws a SyntaxError for unsupported syntax.
 */
export class LinearRegex {
  /**
   * Per state: a character to match, an assertion, or a fork (both null), followed by `#next` (and `#other` for a
   * fork).
   */
  readonly #char: (((char: string) => boolean) | null)[] = [];
  readonly #assert: (((before: string, after: string) => boolean) | null)[] = [];
  readonly #next: number[] = [];
  readonly #other: number[] = [];
  readonly #start: number;
  readonly #accept: number;
  /** Number of compiled nodes, with repetitions counted each time, because an empty group produces no state. */
  #compiled = 0;
  #steps = 0;

  constructor(pattern: string) {
    const tree = parseRe2(pattern);
    this.#accept = this.#state(NONE, NONE);
    this.#start = this.#compile(tree, this.#accept);
  }

  /** Returns whether the whole of `text` matches. Throws a RangeError once all texts together have taken too long. */
  matches(text: string): boolean {
    let now: number[] = [];
    const marks = new Uint8Array(this.#next.length);
    let before = '';
    let states = [this.#start];
    const chars = [...text, ''];
    for (const char of chars) {
      now = [];
      marks.fill(0);
      for (const state of states) this.#follow(state, before, char, marks, now);
      if (char === '') break;
      states = now.filter((state) => this.#char[state]?.(char) === true).map((state) => this.#next[state]!);
      if (states.length === 0) return false;
      before = char;
    }
    return now.includes(this.#accept);
  }

  /**
   * Adds to `found` every state that is reachable from `from` without consuming a character and that waits for one (or
   * accepts).
   */
  #follow(from: number, before: string, after: string, marks: Uint8Array, found: number[]): void {
    const pending = [from];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (marks[state] === 1) continue;
      marks[state] = 1;
      if (++this.#steps > MAX_STEPS) throw new RangeError('the regular expression takes too long');
      if (state === this.#accept || this.#char[state] !== null) found.push(state);
      else if (this.#assert[state]?.(before, after) !== false) {
        pending.push(this.#next[state]!);
        if (this.#other[state] !== NONE) pending.push(this.#other[state]!);
      }
    }
  }

  #state(next: number, other: number): number {
    if (this.#next.length >= MAX_STATES) throw new SyntaxError('the regular expression is too long');
    this.#char.push(null);
    this.#assert.push(null);
    this.#other.push(other);
    return this.#next.push(next) - 1;
  }

  /** Returns the first state of `node`, whose end continues at `next`. */
  #compile(node: RegexNode, next: number): number {
    if (++this.#compiled > MAX_STATES) throw new SyntaxError('the regular expression is too long');
    switch (node.kind) {
      case 'char': {
        const state = this.#state(next, NONE);
        this.#char[state] = node.test;
        return state;
      }
      case 'assert': {
        const state = this.#state(next, NONE);
        this.#assert[state] = node.test;
        return state;
      }
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.#compile(part, after), next);
      case 'choice': {
        const starts = node.options.map((option) => this.#compile(option, next));
        return starts.reduceRight((rest, start) => this.#state(start, rest));
      }
      case 'repeat':
        return this.#compileRepeat(node, next);
    }
  }

  #compileRepeat({ part, min, max }: RegexNode & { kind: 'repeat' }, next: number): number {
    let after = next;
    if (max === Infinity) {
      const fork = this.#state(NONE, next);
      this.#next[fork] = this.#compile(part, fork);
      after = fork;
    } else {
      for (let copy = min; copy < max; copy++) after = this.#state(this.#compile(part, after), next);
    }
    for (let copy = 0; copy < min; copy++) after = this.#compile(part, after);
    return after;
  }
}
