import type { Side } from '#core/contract/schemas.ts';

/** Asks for a word on a side of a comparison: `before=a.pb.gz`. A desktop shell makes a path of every word that it passes on. */
export const SIDE_WORD = /^(?:.*?[\\/])?(before|after)=(.+)$/s;

/** The words by which a comparison is asked for, of programs that take files to open. */
export const comparisonWords = (sides: Readonly<Record<Side, readonly string[]>>): string[] =>
  (['before', 'after'] as const).flatMap((side) => sides[side].map((word) => `${side}=${word}`));
