import type { Clock } from './collector.ts';

/** The clocks of this machine. */
export const SYSTEM_CLOCK: Clock = { now: Date.now, monotonic: () => performance.now() };
