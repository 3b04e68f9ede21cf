import { expect, test } from 'vitest';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { judgementText } from '#core/compare/verdict-words.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { describeChange } from '#core/compare/describe-change.ts';
import { describePath, judgePaths } from '#core/compare/judge-paths.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { captureOf, compareRaw } from './captures.ts';

/**
 * Makes a run in which `caller` calls `leaf` and an unnamed library function. `cut` samples lack the root. All counts
 * are in samples.
 */
function run(leaf: number, unnamed: number, cut: number): Profile {
  const sample = (frames: readonly string[]): string =>
    `app 12/34 10.000001: 1000000 cpu-clock: \n${frames.map((frame, at) => `\t 55a0${1000 + at} ${frame}\n`).join('')}\n`;
  return readPerfScript(
    [
      sample(['leaf+0x1 (/srv/app)', 'caller+0x1 (/srv/app)', 'main+0x1 (/srv/app)']).repeat(leaf),
      sample(['[unknown] (/lib/libx.so)', 'caller+0x1 (/srv/app)', 'main+0x1 (/srv/app)']).repeat(unnamed),
      sample(['leaf+0x1 (/srv/app)', 'caller+0x1 (/srv/app)']).repeat(cut),
    ].join(''),
  );
}
const facts = (profile: Profile): Partial<CaptureFacts> => {
  const quality = captureQuality(profile);
  return { host: 'here', durationSeconds: 10, isWholeRun: true, ...(quality === null ? {} : { quality }) };
};
const side = (...profiles: Profile[]) => profiles.map((profile) => captureOf(profile, facts(profile)));

async function compared(unnamed: number, cut: number) {
  const before = side(run(500, unnamed, cut), run(505, unnamed + 1, cut), run(495, unnamed, cut));
  const after = side(run(900, unnamed * 2, cut), run(905, unnamed * 2 + 1, cut), run(895, unnamed * 2, cut));
  const comparison = await compareRaw(before, after);
  const { strings, functions } = comparison.matched.table;
  const of = (name: string, metric: 'self' | 'total') =>
    comparison[metric][Array.from(functions.name, (row) => strings[row]).indexOf(name)]!;
  const nameOf = (func: number): string => (func < 0 ? 'root' : strings[functions.name[func]!]!);
  const tree = buildDeltaTree(comparison);
  return { of, nameOf, tree, comparison, warnings: comparison.warnings.map(({ code }) => code) };
}

test('judges complete captures', async () => {
  const { of, warnings } = await compared(10, 0);
  expect(of('caller', 'total')).toMatchObject({ verdict: 'grew' });
  expect(of('leaf', 'self')).toMatchObject({ verdict: 'grew' });
  expect(warnings).not.toContain('withheld-totals');
});

test('withholds total weights above truncated stacks, but not self weights', async () => {
  const { of, warnings } = await compared(10, 400);
  expect(of('caller', 'total')).toMatchObject({ verdict: 'unknown', withheld: 'truncated stacks' });
  expect(judgementText(of('caller', 'total'), null)).toBe('unknown (truncated stacks)');
  expect(of('leaf', 'self')).toMatchObject({ verdict: 'grew' });
  expect(warnings).toContain('withheld-totals');
});

test('withholds all verdicts, of functions and of call paths, if many samples are missing', async () => {
  const sparse = (leaf: number) => {
    const profile = run(leaf, 10, 0);
    return captureOf(profile, { ...facts(profile), quality: captureQuality(profile, { lost: 200 })! });
  };
  const comparison = await compareRaw([sparse(500), sparse(505)], [sparse(900), sparse(905)]);
  const changed = [...comparison.self, ...comparison.total].filter(({ delta }) => delta !== 0);
  expect(changed.length).toBeGreaterThan(0);
  for (const judgement of changed) {
    expect(judgement).toMatchObject({ verdict: 'unknown', withheld: 'missing samples' });
    expect(judgementText(judgement, null)).toBe('unknown (missing samples)');
  }
  const paths = judgePaths(comparison, buildDeltaTree(comparison)).judgements.filter(({ delta }) => delta !== 0);
  for (const { withheld } of paths) expect(withheld).toBe('missing samples');
  expect(comparison.warnings.map(({ code }) => code)).toContain('withheld-missing');
});

test.each([
  ['perf-data', /or record again with --call-graph dwarf\.$/],
  ['goroutines', /or compare goroutine profiles recorded with GODEBUG=profstackdepth=1024\.$/],
  ['jfr', /are truncated\. Compare by self\.$/],
])('advises what the recorder of %s can do about truncated stacks', async (format, message) => {
  const cut = (leaf: number) => captureOf(run(leaf, 0, 400), { ...facts(run(leaf, 0, 400)), format });
  const { warnings } = await compareRaw([cut(500)], [cut(900)]);
  expect(warnings.find(({ code }) => code === 'withheld-totals')?.message).toMatch(message);
});

test('withholds functions without a symbol if there are many', async () => {
  const { of, warnings } = await compared(200, 0);
  expect(of('[libx.so]', 'self')).toMatchObject({ verdict: 'unknown', withheld: 'no symbol' });
  expect(of('caller', 'total')).toMatchObject({ verdict: 'grew' });
  expect(warnings).toContain('withheld-unresolved');
});

test('withholds all call paths if stacks are truncated, tested or pointed at', async () => {
  const { comparison, tree } = await compared(10, 400);
  const { tested, judgements } = judgePaths(comparison, tree);
  expect(tested.length).toBeGreaterThan(3);
  for (const { delta, withheld } of judgements) expect(withheld).toBe(delta === 0 ? undefined : 'truncated stacks');
  const changed = tested[judgements.findIndex(({ delta }) => delta !== 0)]!;
  expect(describePath(comparison, tree, changed).withheld).toBe('truncated stacks');
});

test('withholds only the paths that end in a function without a symbol', async () => {
  const { comparison, tree, nameOf } = await compared(200, 0);
  const { tested, judgements } = judgePaths(comparison, tree);
  const found = new Map(judgements.map((of, place) => [nameOf(tree.func[tested[place]!]!), of]));
  expect(found.get('[libx.so]')).toMatchObject({ verdict: 'unknown', withheld: 'no symbol' });
  expect(found.get('leaf')).toMatchObject({ verdict: 'grew' });
});

test('marks a mover with a withheld verdict, with its interval, and leaves out one within the noise', async () => {
  const { comparison, tree, nameOf } = await compared(200, 0);
  const { movers } = topMovers(comparison, tree, 5);
  const unnamed = movers.find(({ func }) => nameOf(func) === '[libx.so]');
  const { headline } = describeChange(
    unnamed!.judgement,
    'self',
    createValueText('en', comparison.normalised, 400),
    null,
  );
  expect(headline).toMatch(/^differs by \+[\d.]+ % ± [\d.]+ %, but is not judged \(no symbol\)$/);
  const still = comparison.self.map((of) => ({ ...of, q: 0.9, verdict: 'unknown', withheld: 'no symbol' }) as const);
  expect(topMovers({ ...comparison, self: still, total: still }, tree, 5).movers).toEqual([]);
});
