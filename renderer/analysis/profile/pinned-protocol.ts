import type { LiveChanges } from '#core/contract/live.ts';
import type { JudgedKind } from '#core/live/baseline/baseline.ts';
import type { Profile } from '#core/model/profile.ts';

/** How long and at which rate a side was sampled; null if unknown. */
export interface PinnedFacts {
  readonly name: string;
  readonly seconds: number | null;
  readonly rateHz: number | null;
}

/** The baseline of a live profile, with the function indices of its snapshots. */
export interface PinnedSide {
  readonly profile: Profile;
  readonly before: PinnedFacts;
  readonly after: PinnedFacts;
  /** Null selects the default. */
  readonly asked: JudgedKind | null;
  readonly isJudged: boolean;
  readonly changes: LiveChanges;
}

/** An analysis next to its baseline: normalised values by function row. */
export interface PinnedRows {
  readonly kind: JudgedKind;
  readonly unit: string;
  readonly formula: string;
  /** The live window's size as a multiple of the baseline's, by which its values are divided; null: as measured. */
  readonly size: number | null;
  /** False: too few functions tell a change of the code from one of load or machine. */
  readonly isDecided: boolean;
  readonly warnings: readonly string[];
  /** Values of the whole. */
  readonly totals: { readonly before: number; readonly after: number };
  readonly self: Deltas;
  readonly total: Deltas;
}

export interface Deltas {
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** By row: 1 grew, −1 shrank, 2 same, 3 not enough samples yet, 0 not judged. */
  readonly change: Int8Array;
  /** By row: samples missing for a verdict; NaN if none are, or the baseline is too short. */
  readonly missing: Float64Array;
}
