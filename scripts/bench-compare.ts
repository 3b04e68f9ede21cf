import { wholeProfile } from '#core/analyze/view-stacks.ts';
import { patternsHere } from '#core/analyze/resolve-transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree, widthTree } from '#core/compare/delta-tree.ts';
import { judgePaths } from '#core/compare/judge-paths.ts';
import type { ComparedCapture } from '#core/compare/measure-capture.ts';
import { captureFacts } from '#core/compare/read-facts.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../tests/support/byte-source.ts';
import { foldedTree } from '../tests/renderer/harness/million-nodes.ts';
import { benchTable, median, secondsRow, type BenchRow } from './bench-table.ts';

/** What issue 4 asks for. */
const LIMIT = { treeSeconds: 1, significanceSeconds: 3 };
const RUNS = 3;
const MILLION = 1_000_000;

/** Comparing two profiles of 1,000,000 call-tree nodes each. */
export async function benchCompare(): Promise<BenchRow[]> {
  const captures = await Promise.all([captureOf('before', 1), captureOf('after', 2)]);
  return coreRows(...captures);
}

async function captureOf(name: string, seed: number): Promise<ComparedCapture> {
  const bytes = new TextEncoder().encode(foldedTree(MILLION, seed));
  const profile = await importProfile(byteSource(bytes, `${name}.folded`));
  const { facts } = captureFacts(null, profile, name);
  return { profile, selection: wholeProfile(profile), transforms: [], facts };
}

/** As the compare worker does it, in Node. */
async function coreRows(before: ComparedCapture, after: ComparedCapture): Promise<BenchRow[]> {
  const compared: Took[] = [];
  const built: Took[] = [];
  const judged: Took[] = [];
  let rows = 0;
  let tested = 0;
  for (let run = 0; run < RUNS; run++) {
    const comparison = await timed(compared, () => compareFunctions([before], [after], { patterns: patternsHere }));
    const tree = await timed(built, () => {
      const made = buildDeltaTree(comparison);
      for (const width of ['before', 'after', 'union'] as const) widthTree(made, width);
      return made;
    });
    const paths = await timed(judged, () => judgePaths(comparison, tree));
    rows = tree.length;
    tested = paths.tested.length;
  }
  const count = (value: number): string => value.toLocaleString('en');
  const row = (what: string, steps: readonly (readonly Took[])[], limit: number, how: string): BenchRow => {
    const sum = (kind: keyof Took): number =>
      steps.reduce((seconds, runs) => seconds + median(runs.map((took) => took[kind])), 0);
    const note = `${how}; ${sum('processor').toFixed(2)} s of processor; median of ${RUNS}`;
    return secondsRow(what, sum('clock'), limit, note);
  };
  return [
    row('compare: union and delta', [built], LIMIT.treeSeconds, `${count(rows)} rows in three widths`),
    row(
      'compare: significance',
      [compared, judged],
      LIMIT.significanceSeconds,
      `functions measured, matched and judged, ${count(tested)} paths judged`,
    ),
  ];
}

/** Seconds. */
interface Took {
  readonly clock: number;
  /** Of this thread: the same on a busy machine. */
  readonly processor: number;
}

async function timed<T>(runs: Took[], act: () => T | Promise<T>): Promise<T> {
  const begin = performance.now();
  const used = process.threadCpuUsage();
  const result = await act();
  const { user, system } = process.threadCpuUsage(used);
  runs.push({ clock: (performance.now() - begin) / 1000, processor: (user + system) / 1e6 });
  return result;
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchCompare())}\n`);
