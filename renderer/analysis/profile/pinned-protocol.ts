import type { LiveChanges } from '#core/contract/live.ts';
import type { JudgedKind } from '#core/live/baseline/baseline.ts';
import type { Profile } from '#core/model/profile.ts';

/** How long and how densely a side was sampled. Null: unknown. */
export interface PinnedFacts {
  readonly name: string;
  readonly seconds: number | null;
  readonly rateHz: number | null;
}

/** What a live profile is compared with, in the functions of its snapshots. */
export interface PinnedSide {
  readonly profile: Profile;
  readonly before: PinnedFacts;
  readonly after: PinnedFacts;
  /** Null: the default. */
  readonly asked: JudgedKind | null;
  readonly isJudged: boolean;
  readonly changes: LiveChanges;
}

/** The baseline's numbers of an analysis: normalised values by row of its functions. */
export interface PinnedRows {
  readonly kind: JudgedKind;
  readonly unit: string;
  readonly formula: string;
  readonly warnings: readonly string[];
  /** Of everything. */
  readonly totals: { readonly before: number; readonly after: number };
  readonly self: Deltas;
  readonly total: Deltas;
}

export interface Deltas {
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** 1: grew, −1: shrank, 0: neither has been found. */
  readonly change: Int8Array;
}
