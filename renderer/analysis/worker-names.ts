/** Name of a worker that serves a comparison; others serve a profile. */
export const COMPARE_WORKER = 'compare';
