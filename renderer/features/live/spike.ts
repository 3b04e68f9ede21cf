/** What one key keeps: a spike that has just passed. */
export const SPIKE_SECONDS = 30;
