import type { Side } from '../contract/side.ts';

/** A difference between the sides and its effect on the result. */
export interface CompareWarning {
  /** Stable kebab-case id. */
  readonly code: string;
  /** One sentence: the difference and its effect. */
  readonly message: string;
  /** The rule to enable: its id, or the name of a choice that is not a rule. */
  readonly rule?: string;
  /** The functions that are probably one. */
  readonly pairs?: readonly Readonly<Record<Side, string>>[];
}
