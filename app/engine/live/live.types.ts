import type { LiveLimits, LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument, CollectorOptions } from '#core/contract/schemas.ts';
import type { LiveSnapshot } from '#core/live/live-store.ts';
import type { RollingWindow } from '#core/live/rolling-window.ts';
import type { AnyCollector, AnyPlan, Clock } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';
import type { Library } from '../library/library.ts';
import type { Journal } from '../targets/journal.ts';
import type { PinnedBaseline, PinnedCapture, PinnedMoment } from './pinned.ts';
import type { Reconnected } from './reconnect.ts';

export interface LiveRequest {
  readonly targetId: string;
  readonly target: Target;
  readonly plan: AnyPlan;
  /** Seconds after which it ends; null: when it is stopped. */
  readonly seconds: number | null;
  readonly limits: LiveLimits;
  /** The recording that `LiveContext.collector` reads; absent: it collects by itself. */
  readonly recordingId?: string;
}

export interface LiveContext {
  readonly clock: Clock;
  readonly collector: AnyCollector;
  /** Where raw output is kept, if asked for. */
  readonly library?: Pick<Library, 'create'> | undefined;
  /** Journal of started processes, written before each start. */
  readonly journal?: Pick<Journal, 'begin'> | undefined;
  /**
   * Looks for the program's next process once this one has ended. The target must stay open for that time, so this is
   * for sessions whose owner outlives them.
   */
  readonly offersSuccessor: boolean;
  /** Plans the same collection with other options; null if it is impossible. If absent, the rate can't be lowered. */
  readonly replan?: ((options: CollectorOptions) => Promise<AnyPlan | null>) | undefined;
  /** Reopens the target's lost connection. If absent, a session ends with its connection. */
  readonly reconnect?: (() => Promise<Reconnected>) | undefined;
}

/** The last `seconds` (null for all) before `until`; see `LiveStore.count`. */
export interface LivePart {
  readonly seconds: number | null;
  readonly until: number | null;
}

/** A program that is being watched. Nothing is on disk until it is saved. */
export interface LiveSession {
  readonly id: string;
  readonly status: LiveStatus;
  /** Calls the listener immediately and at each update. Returns the function that unsubscribes. */
  onStatus(listener: (status: LiveStatus) => void): () => void;
  /**
   * Returns the samples of the rolling window that ends at `until` (see `LiveStore.count`), which is longer than
   * `wanted` if that has too few.
   */
  rolling(wanted: LiveWindow, until?: number | null): LiveSnapshot & RollingWindow;
  /** Discards the samples so far and continues to collect. */
  reset(): void;
  /** Saves the samples of a {@link LivePart} as a capture of the library. Rejects without samples. */
  save(library: Pick<Library, 'create'>, part: LivePart): Promise<CaptureDocument>;
  /**
   * Pins the window, or a capture, as the baseline. Throws without samples, or if the capture has another value type.
   */
  pin(from: PinnedMoment | PinnedCapture): void;
  unpin(): void;
  /** The baseline; null if nothing is pinned. */
  readonly pinned: PinnedBaseline | null;
  /** Ends collecting; the samples stay until the session is forgotten. Idempotent. */
  stop(): Promise<void>;
  /** Resolves when the first samples have arrived, or when it has ended without any. */
  readonly begun: Promise<void>;
  /** Resolves when nothing runs on the target any more; never rejects. */
  readonly ended: Promise<void>;
}
