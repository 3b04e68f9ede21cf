/** Fragment of the address of a worker that reads a part of a source for another one. */
export const PART_WORKER = '#part';
/** Name of a worker that serves a comparison; others serve a profile. */
export const COMPARE_WORKER = 'compare';
