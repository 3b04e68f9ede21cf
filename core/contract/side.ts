/** The sides of a comparison, in reading order. */
export const SIDES = ['before', 'after'] as const;
export type Side = (typeof SIDES)[number];

export const otherSide = (side: Side): Side => (side === 'before' ? 'after' : 'before');
