/** Returns an integer from 0 to `below` − 1. */
export type Random = (below: number) => number;

/** Returns a 32-bit pseudo-random generator that yields the same numbers for the same seed. */
export function createRandom(start: number): Random {
  let state = (start * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
