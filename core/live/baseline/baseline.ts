import type { Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import type { LiveRange, LiveStore, TimedWeights } from '../live-store.ts';
import { ChangeJudge, LEAST_WINDOWS, type JudgedState, type JudgedWindow } from './change-judge.ts';
import { WindowSizes } from './window-size.ts';
import { WindowSums } from './window-sums.ts';

const SECOND = 1e9;
/** Longest part of a capture whose windows are summed, in seconds. */
const MAX_WINDOWS = 3600;

/** What has changed since the pin, by normalisation. */
export const JUDGED_KINDS = ['per-second', 'share'] as const;
export type JudgedKind = (typeof JUDGED_KINDS)[number];

export interface FunctionState {
  /** → functions of the store. */
  readonly func: number;
  readonly of: 'self' | 'total';
  readonly state: JudgedState['state'];
  /** Samples that are missing for a verdict; null if it is known, or the baseline is too short for one. */
  readonly missing: number | null;
}

/** What the rolling window is compared with. */
export interface PinnedProfile {
  readonly name: string;
  /** In the store's tables; see `LiveStore.snapshot` and `LiveStore.adopt`. */
  readonly profile: Profile;
  /** Seconds that it covers; null if unknown. */
  readonly seconds: number | null;
  readonly samples: number;
  /** The part that it covers, in the profile's own time; null if its samples have no times. */
  readonly range: LiveRange | null;
  /** Its rows at their times, as in `LiveStore.rowsOf`. Absent: those of the profile. */
  readonly rows?: TimedWeights;
}

type Store = Pick<LiveStore, 'functionsOf' | 'newest'>;

/** A pinned profile, and the changes found since. */
export class LiveBaseline {
  readonly pinned: PinnedProfile;
  /** Number of one-second windows in the baseline; with fewer than {@link LEAST_WINDOWS} nothing is judged. */
  readonly windows: number;
  readonly #store: Store;
  readonly #sums: WindowSums;
  readonly #sizes: WindowSizes;
  /** Mean number of samples in a second of the baseline. */
  readonly #samplesPerWindow: number;
  readonly #judges: Readonly<Record<JudgedKind, ChangeJudge>>;

  constructor(store: Store, pinned: PinnedProfile) {
    this.#store = store;
    this.pinned = pinned;
    const { windows, unit } = readWindows(store, pinned);
    this.windows = windows.length;
    const busy = windows.filter(({ total }) => total > 0);
    const mean = busy.reduce((sum, { total }) => sum + total, 0) / Math.max(1, busy.length);
    this.#samplesPerWindow = mean / unit;
    const sizes = new WindowSizes(windows, unit);
    const sized = windows.flatMap((window) => sizes.divide(window) ?? []);
    this.#sizes = new WindowSizes(windows, unit);
    this.#judges = {
      'per-second': new ChangeJudge(sized, unit),
      share: new ChangeJudge(busy.map(toShares), mean > 0 ? unit / mean : 1),
    };
    this.#sums = new WindowSums((stack) => store.functionsOf(stack), (store.newest ?? 0) + 1);
  }

  /** Whether the baseline is long enough to find changes. */
  get isJudged(): boolean {
    return this.windows >= LEAST_WINDOWS;
  }

  /**
   * Size of the last ten seconds as a multiple of the baseline's, by the typical function. Changes per second are
   * relative to it. Null before the first of them, or if too few functions have enough samples.
   */
  get size(): number | null {
    return this.#sizes.recent;
  }

  /** Adds samples that arrived after the pin. */
  add(rows: TimedWeights, gaps: readonly LiveRange[]): void {
    this.#sums.add(rows);
    for (const window of this.#sums.close(this.#store.newest ?? 0, gaps)) {
      const sized = this.#sizes.divide(window);
      if (sized !== null) this.#judges['per-second'].add(sized);
      if (window.total > 0) this.#judges.share.add(toShares(window));
    }
  }

  /**
   * Returns what is known of the functions that are judged; totals of functions that call nothing are their self weight,
   * too. Null: too few functions tell a change per second from one of load or machine, so that nothing is decided.
   */
  states(kind: JudgedKind): FunctionState[] | null {
    if (kind === 'per-second' && !this.#sizes.isKnown) return null;
    return [...this.#judges[kind].states()].map(([key, { state, missing }]) => ({
      func: Math.floor(key / 2),
      of: key % 2 === 0 ? 'total' : 'self',
      state,
      missing: missing === null ? null : Math.ceil(missing * this.#samplesPerWindow),
    }));
  }
}

const toShares = ({ weights, total }: JudgedWindow): JudgedWindow => ({
  weights: new Map([...weights].map(([key, weight]) => [key, weight / total])),
  total: 1,
});

/** Sums the whole seconds of a baseline; `unit` is the weight of a sample. */
function readWindows(
  store: Store,
  { profile, samples, range, rows }: PinnedProfile,
): { readonly windows: JudgedWindow[]; readonly unit: number } {
  const weight = Float64Array.from(sampleWeights(profile, profile.metadata.defaultValueType));
  const total = weight.reduce((sum, one) => sum + one, 0);
  const unit = total > 0 && samples > 0 ? total / samples : 1;
  const { stack, time } = profile.samples;
  if (range === null || time === null) return { windows: [], unit };
  // Older samples are in the middle of whole seconds.
  const start = Math.ceil(range.start / SECOND) * SECOND;
  const seconds = Math.min(MAX_WINDOWS, Math.floor((range.end - start) / SECOND));
  const sums = new WindowSums((at) => store.functionsOf(at), start);
  sums.add(rows ?? { stack, time, weight });
  return { windows: sums.closeUntil(seconds, []), unit };
}
