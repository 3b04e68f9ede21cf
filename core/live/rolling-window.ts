import { LIVE_WINDOWS, type LiveWindow } from '../contract/live.ts';
import type { LiveStore } from './live-store.ts';

/** With fewer samples, the graph changes by chance at each update. */
const FEW_SAMPLES = 30;

/** The window that is shown. */
export interface RollingWindow {
  /** Seconds; null is everything. */
  readonly seconds: LiveWindow;
  /** True if the wanted one has too few samples, so that this one is longer. */
  readonly isWidened: boolean;
}

/** A widened window narrows again with this many samples, so that it does not flicker between two lengths. */
const ENOUGH_SAMPLES = 45;

/** Chooses the windows that are shown. */
export class RollingWindows {
  /** The length shown last, by wanted length. */
  readonly #shown = new Map<LiveWindow, LiveWindow>();

  /**
   * Returns the wanted window before `until` (see `LiveStore.count`), or the shortest longer one that has enough samples
   * to draw.
   */
  choose(store: Pick<LiveStore, 'count'>, wanted: LiveWindow, until: number | null = null): RollingWindow {
    const longer = LIVE_WINDOWS.slice(LIVE_WINDOWS.indexOf(wanted));
    const last = longer.indexOf(this.#shown.has(wanted) ? this.#shown.get(wanted)! : wanted);
    const seconds =
      longer.find((one, at) => one === null || store.count(one, until) >= (at < last ? ENOUGH_SAMPLES : FEW_SAMPLES)) ??
      null;
    this.#shown.set(wanted, seconds);
    return { seconds, isWidened: seconds !== wanted };
  }
}
