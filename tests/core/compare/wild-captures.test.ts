import { expect, test } from 'vitest';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from './captures.ts';
import { poisson, randomOf, zipf } from './simulate.ts';

const FUNCTIONS = 12;

/** Makes runs of a program; in the first one, `parse` (the third function) takes `times` its weight. */
function runs(name: string, count: number, random: () => number, times = 1) {
  return Array.from({ length: count }, (_, run) => {
    const lines = zipf(FUNCTIONS, 3000).map((rate, func) => {
      const samples = poisson(rate * (func === 2 && run === 0 ? times : 1), random);
      return `main;${func === 2 ? 'parse' : `f${func}`} ${samples}`;
    });
    return captureOf(profileFromText(lines.join('\n')), { name: `${name}_${run + 1}`, isWholeRun: true });
  });
}

const namedIn = async (before: ReturnType<typeof runs>, after: ReturnType<typeof runs>): Promise<string[]> =>
  (await compareRaw(before, after)).warnings.flatMap(({ code, message }) => (code === 'wild-capture' ? [message] : []));

test('one wild capture of five is named, with what the others show, and is not dropped', async () => {
  const random = randomOf(4);
  const [before, after] = [runs('base', 5, random), runs('outl', 5, random, 4)];
  const [message, ...others] = await namedIn(before, after);
  expect(others).toEqual([]);
  expect(message).toMatch(
    /^outl_1 differs from the other 4 captures of its side \(parse ×[34]\.\d\); it counts like them\. Without it, parse (shows no clear change|did not)/,
  );
  const { design } = await compareRaw(before, after);
  expect(design.after.groups.flat()).toHaveLength(5);
});

test('none is named of three, nor among runs that differ by chance or in size', async () => {
  const random = randomOf(5);
  expect(await namedIn(runs('base', 3, random), runs('outl', 3, random, 4))).toEqual([]);
  let named = 0;
  for (let comparison = 0; comparison < 60; comparison++) {
    named += (await namedIn(runs('a', 4, random), runs('b', 5, random))).length;
  }
  expect(named).toBe(0);
});
