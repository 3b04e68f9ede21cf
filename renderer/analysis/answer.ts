import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { SourceLocation } from '#core/model/diagnostics.ts';

export interface FoundPlace {
  readonly func: FunctionIndex;
  /** Null where the tree does not have that place. */
  readonly node: CallNodeIndex | null;
}

/** Refused as `stale` where the window has asked for another analysis since. */
export type OfRevision<T> = T & { readonly revision: number };

/** Why a request failed, as data: what happened, where, and what to do. */
export interface Failure {
  /** `unrecognized`, `malformed`, `unsupported`, `too-large`, `unreadable`, `bad-pattern`, `slow-pattern`, `stale`, `withdrawn`, `internal`. */
  readonly code: string;
  readonly message: string;
  readonly location: SourceLocation | null;
  readonly remedy: string | null;
  /** For a bug report; not shown first. */
  readonly details: string | null;
}
