import { numbers } from '../renderer/harness/million-nodes.ts';

/** A repeatable source of choices. */
export interface Random {
  /** 0 … 1 */
  readonly share: () => number;
  /** A whole number in [0, count). */
  readonly below: (count: number) => number;
  readonly chance: (share: number) => boolean;
  /** Throws where there is nothing to pick. */
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
