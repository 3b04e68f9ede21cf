import { numbers } from '../renderer/harness/million-nodes.ts';

/** A repeatable source of random choices. */
export interface Random {
  /** Returns a number from 0 to 1. */
  readonly share: () => number;
  /** Returns an integer in [0, count). */
  readonly below: (count: number) => number;
  readonly chance: (share: number) => boolean;
  /** Throws if the list is empty. */
  readonly pick: <T>(list: readonly T[]) => T;
}

export function createRandom(seed: number): Random {
  const share = numbers(seed);
  const below = (count: number): number => Math.floor(share() * count);
  return {
    share,
    below,
    chance: (wanted) => share() < wanted,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('nothing to pick from');
      return picked;
    },
  };
}
