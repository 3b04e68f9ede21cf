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

/** Replacements for a number: values that a format may accept or reject. */
const VALUES = [
  '-1',
  '-2e18',
  '0',
  '1',
  '4294967296',
  '9007199254740993',
  '1e308',
  '1e999',
  '0.5',
  'null',
  '""',
  '[]',
  '{}',
  '',
  '__proto__',
];
const encoder = new TextEncoder();
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Damages a file: cuts it, flips bits, sets bytes, repeats or removes a part, or replaces a number. The beginning,
 * which determines most, is hit as often as the rest.
 */
export function mutate(original: Uint8Array, random: Random): Uint8Array {
  const place = (): number => random(random(2) === 0 ? Math.min(original.length, 512) : original.length);
  switch (random(6)) {
    case 0:
      return original.slice(0, random(original.length + 1));
    case 1: {
      const [start, end] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
      return replaced(original, end, end, original.subarray(start, Math.min(end, start + 10_000)));
    }
    case 2: {
      const start = place();
      return replaced(original, start, start + 1 + random(64), new Uint8Array());
    }
    case 3: {
      let start = place();
      while (start < original.length && !isDigit(original[start]!)) start += 1;
      let end = start;
      while (end < original.length && isDigit(original[end]!)) end += 1;
      return replaced(original, start, end, encoder.encode(VALUES[random(VALUES.length)]));
    }
    default: {
      const copy = original.slice();
      for (let change = 0; change <= random(6); change++) {
        const at = place();
        copy[at] = random(2) === 0 ? copy[at]! ^ (1 << random(8)) : random(256);
      }
      return copy;
    }
  }
}

function replaced(bytes: Uint8Array, start: number, end: number, by: Uint8Array): Uint8Array {
  const rest = bytes.subarray(end);
  const result = new Uint8Array(start + by.length + rest.length);
  result.set(bytes.subarray(0, start));
  result.set(by, start);
  result.set(rest, start + by.length);
  return result;
}
