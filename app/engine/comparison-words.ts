import { SIDES, type Side } from '#core/contract/side.ts';

/**
 * Matches a word that puts a file on a side of a comparison: `before=a.pb.gz`. A desktop shell turns every word that it
 * passes on into a path.
 */
export const SIDE_WORD = /^(?:.*?[\\/])?(before|after)=(.+)$/s;

/** Returns the words that request a comparison, for programs that take files to open. */
export const comparisonWords = (sides: Readonly<Record<Side, readonly string[]>>): string[] =>
  SIDES.flatMap((side) => sides[side].map((word) => `${side}=${word}`));

/** Matches the word that asks for a live session; see `liveToWord`. */
export const LIVE_WORD = /^(?:.*?[\\/])?live=([\w-]+)$/s;

/** Matches the word with the view in which the others open; see `viewToWord`. */
export const VIEW_WORD = /^(?:.*?[\\/])?view=([\w-]+)$/s;
