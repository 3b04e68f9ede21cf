import type { CollectorOptions } from '#core/contract/schemas.ts';
import { checkOf } from './check.ts';
import type { LiveSource } from './collector.ts';

/** Returns the row of a collector without a live view. `found` says why. */
export const withoutLive = <Options extends CollectorOptions & { readonly seconds: number }>(
  found: string,
): LiveSource<Options> => ({
  options: (options) => options,
  seconds: ({ seconds }) => seconds,
  hasFileParts: true,
  refuse: () => checkOf('live', 'failed', found, 'record it, or watch it with perf'),
  growing: () => ({ refusal: found }),
  slower: () => null,
  start: () => {
    throw new Error('there is no live view');
  },
});
