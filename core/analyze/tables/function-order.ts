import type { Profile } from '../../model/profile.ts';

/**
 * Rank of every function that occurs in `rows`, by name, then module, then index; the order is by UTF-16 code units, so that it is the
 * same everywhere. Functions that don't occur have rank 0.
 */
export function functionRanks(profile: Profile, rows: Int32Array): { rank: Int32Array; count: number } {
  const { name, module, length } = profile.functions;
  const { strings } = profile;
  const occurs = new Uint8Array(length);
  for (const func of rows) occurs[func] = 1;
  const present: number[] = [];
  for (let func = 0; func < length; func++) if (occurs[func] === 1) present.push(func);
  present.sort((a, b) => {
    if (name[a] !== name[b]) return strings[name[a]!]! < strings[name[b]!]! ? -1 : 1;
    if (module[a] !== module[b]) return strings[module[a]!]! < strings[module[b]!]! ? -1 : 1;
    return a - b;
  });
  const rank = new Int32Array(length);
  present.forEach((func, place) => {
    rank[func] = place;
  });
  return { rank, count: present.length };
}
