import type { ShownVerdict } from '../compare/verdict-words.ts';
import type { Side } from '../contract/side.ts';

/** The function and the weight that a claim is about, as a handle for other commands. */
export interface ClaimHandle {
  readonly function: string;
  readonly module: string;
  readonly metric: 'self' | 'total';
  /** The side whose captures have it: after, unless it is gone. Null for a claim about one capture. */
  readonly side: Side | null;
}

/** One statement of a finding. */
export interface Claim {
  /** Null: the claim is about the whole. */
  readonly handle: ClaimHandle | null;
  /** Follows the function's name: `grew by 12.0 % ± 3.1 %: self from 412 µs to 461 µs (…)`. */
  readonly text: string;
  /** How its value varies between runs or within one, one sentence; null if the claim says it. */
  readonly spread: string | null;
  /** Null for a claim about one capture, and about the whole if values are shares. */
  readonly verdict: ShownVerdict | null;
}

/** rejected: the data excludes it. open: they don't, or point to it. unknown: the data does not say. */
export type AlternativeStatus = 'rejected' | 'open' | 'unknown';

/** Another cause of what the claims state. */
export interface Alternative {
  readonly id: string;
  readonly label: string;
  readonly status: AlternativeStatus;
  /** What shows it, without a period at its end. */
  readonly text: string;
}

/** What the data says of a cause. */
export type Finding = Pick<Alternative, 'status' | 'text'>;

export const rejected = (text: string): Finding => ({ status: 'rejected', text });
export const open = (text: string): Finding => ({ status: 'open', text });
export const notKnown = (text: string): Finding => ({ status: 'unknown', text });

/** A property of the machine or the recording. */
export interface EnvironmentLine {
  readonly label: string;
  /** `performance`, `4.1 → 6.1`, `6.1.0 (before only)` */
  readonly text: string;
}

/** A finding as text: what is claimed, what it rests on, and what it leaves open. All of it follows from the numbers. */
export interface Explanation {
  /** One sentence. */
  readonly answer: string;
  readonly claims: readonly Claim[];
  /** What the numbers are: captures, value, method. */
  readonly basis: readonly string[];
  readonly environment: readonly EnvironmentLine[];
  readonly alternatives: readonly Alternative[];
  /** Sentences. */
  readonly doubts: readonly string[];
}

/** Commands that show a function, each an argv: on a terminal, and in the window. */
interface Evidence {
  readonly shown: readonly string[];
  readonly opened: readonly string[];
}

/** What only whoever has the captures at hand knows. */
export interface ExplanationContext {
  /** The commands that were recorded, each an argv without secrets. */
  readonly commands: readonly (readonly string[])[];
  /** Returns what shows a claim's function; null if there is nothing. */
  readonly evidenceOf: (handle: ClaimHandle) => Evidence | null;
  /** Argv of commands that show the whole: in the window, as a report. */
  readonly open: readonly (readonly string[])[];
}
