import { LIVE_WINDOWS, type LiveWindow } from '../contract/live.ts';
import type { LiveStore } from './live-store.ts';

/** With fewer samples, the graph changes by chance at each update. */
export const FEW_SAMPLES = 30;

/** The window that is shown. */
export interface RollingWindow {
  /** Seconds; null is everything. */
  readonly seconds: LiveWindow;
  /** True if the wanted one has too few samples, so that this one is longer. */
  readonly isWidened: boolean;
}

/** Returns the wanted window, or the shortest longer one that has enough samples to draw. */
export function rollingWindow(store: Pick<LiveStore, 'count'>, wanted: LiveWindow): RollingWindow {
  const longer = LIVE_WINDOWS.slice(LIVE_WINDOWS.indexOf(wanted));
  const seconds = longer.find((one) => one === null || store.count(one) >= FEW_SAMPLES) ?? null;
  return { seconds, isWidened: seconds !== wanted };
}
