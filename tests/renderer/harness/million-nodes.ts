/** Returns a seeded pseudo-random generator of numbers from 0 to 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const FRAMES = 14;

/**
 * Returns folded stacks whose call tree has at least `nodes` nodes of varying weight: 12 functions at each of 13
 * depths. Another seed yields other stacks.
 */
export function foldedTree(nodes: number, seed = 1): string {
  const next = numbers(seed);
  const seen = new Set<number>();
  const lines: string[] = [];
  let prefix = 0;
  for (let made = 2; made < nodes;) {
    const frames = ['main'];
    prefix = 0;
    for (let depth = 1; depth < FRAMES; depth++) {
      const step = Math.floor(next() ** 3 * 12);
      // 12 ** 13 paths of 14 frames are below 2 ** 53.
      prefix = prefix * 13 + step + 1;
      if (!seen.has(prefix)) made += 1;
      seen.add(prefix);
      frames.push(`package_${depth}::step_${step}`);
    }
    lines.push(`${frames.join(';')} ${1 + Math.floor(next() * 9)}`);
  }
  return lines.join('\n');
}
