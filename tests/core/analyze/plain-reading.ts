import type { Reading } from '#core/analyze/reading/reading.ts';

export const PLAIN_READING: Reading = {
  granularity: null,
  inlines: true,
  labelFocus: null,
  labelIgnore: null,
  labelRoots: [],
  labelLeaves: [],
};
