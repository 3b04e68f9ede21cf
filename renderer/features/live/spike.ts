/** Seconds that the shortcut for a spike saves. */
export const SPIKE_SECONDS = 30;
