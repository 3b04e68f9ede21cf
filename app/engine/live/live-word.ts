import type { z } from 'zod';
import { MAX_VIEW_WORD } from '#core/contract/limits.ts';
import { livePlanParams } from '#core/contract/live.ts';

/** What a live session is of. */
export type LiveWish = z.infer<typeof livePlanParams>;

/** Returns the word of a command line with which the window watches a process; see `LIVE_WORD`. */
export const liveToWord = (wish: LiveWish): string =>
  `live=${Buffer.from(JSON.stringify(wish), 'utf8').toString('base64url')}`;

/** Reads the part of the word after `live=`; null if `liveToWord` did not write it. */
export function liveFromWord(text: string): LiveWish | null {
  if (text.length > MAX_VIEW_WORD) return null;
  try {
    const read = livePlanParams.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
