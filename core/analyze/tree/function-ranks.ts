import type { Profile } from '../../model/profile.ts';

/**
 * Returns the rank of every function in `rows` by name, then module, then index. Compares UTF-16 code units, so the
 * order does not depend on the locale. Functions that do not occur have rank 0.
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

/** Returns the rows ordered by the rank of their functions, using a counting sort. */
export function rowsByRank(func: Int32Array, rank: Int32Array, rankCount: number): Int32Array {
  const start = new Int32Array(rankCount + 1);
  for (const row of func) start[rank[row]! + 1]! += 1;
  for (let place = 0; place < rankCount; place++) start[place + 1]! += start[place]!;
  const order = new Int32Array(func.length);
  for (let row = 0; row < func.length; row++) {
    const place = rank[func[row]!]!;
    order[start[place]!] = row;
    start[place]! += 1;
  }
  return order;
}
