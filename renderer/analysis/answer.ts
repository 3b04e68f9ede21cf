import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { SourceLocation } from '#core/model/diagnostics.ts';

export interface FoundPlace {
  readonly func: FunctionIndex;
  /** Null if the tree does not contain the place. */
  readonly node: CallNodeIndex | null;
}

/**
 * Parameters that refer to one analysis; the request is refused as `stale` if the window has since requested a newer
 * one.
 */
export type OfRevision<T> = T & { readonly revision: number };

/** Describes why a request failed: what happened, where, and what to do about it. */
export interface Failure {
  /**
   * `unrecognized`, `malformed`, `unsupported`, `too-large`, `unreadable`, `bad-pattern`, `slow-pattern`, `stale`,
   * `withdrawn` or `internal`.
   */
  readonly code: string;
  readonly message: string;
  readonly location: SourceLocation | null;
  readonly remedy: string | null;
  /** Details for a bug report; the window shows them on demand. */
  readonly details: string | null;
}
