import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { captureFacts } from '#core/compare/measure/read-facts.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../tests/support/byte-source.ts';
import { randomOf } from '../../tests/core/compare/simulate.ts';
import { findCommand } from '../components.mjs';
import { absentRow, type BenchRow } from './table.ts';

/** Pairs of captures: one of the program alone, one with busy loops beside it. */
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 20);
const LOOPS = 4;
const SECONDS = 3;
const RATE_HZ = 999;
const PER_SIDE = 5;
const COMPARISONS = 40;
/** Functions of the program; the first has a fifth of its work. */
const WORK = [200, 150, 120, 100, 80, 70, 60, 50, 50, 40, 40, 40];

/** Measures how often verdicts are false on a busy machine: on real captures of one program, and simulated. */
export async function benchTrust(): Promise<BenchRow[]> {
  const grid = execFileSync(process.execPath, [
    'tests/core/compare/simulate-sizes.ts',
    process.env['BENCH_CELLS'] ?? '1000',
  ]);
  process.stderr.write(grid);
  const missing = ['perf', 'gcc'].filter((command) => findCommand(command) === null);
  if (missing.length > 0) return [absentRow('verdicts on a busy machine', `${missing.join(' and ')} absent`)];
  const { quiet, busy } = await recordPairs();
  const rows: BenchRow[] = [];
  for (const kind of ['per-second', 'share'] as const) {
    rows.push(await falseVerdicts('alone against alone', quiet, quiet, kind));
    rows.push(await falseVerdicts(`alone against ${LOOPS} busy loops`, quiet, busy, kind));
  }
  return rows;
}

async function recordPairs(): Promise<Record<'quiet' | 'busy', ComparedCapture[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-trust-'));
  const running: ChildProcess[] = [];
  const start = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, args, { stdio: 'ignore' });
    running.push(child);
    return child;
  };
  try {
    writeFileSync(join(folder, 'steady.c'), steadyProgram());
    execFileSync('gcc', ['-O1', '-fno-omit-frame-pointer', join(folder, 'steady.c'), '-o', join(folder, 'steady')]);
    const { pid } = start(join(folder, 'steady'), []);
    const sides: Record<'quiet' | 'busy', ComparedCapture[]> = { quiet: [], busy: [] };
    for (let run = 0; run < 2 * PAIRS; run++) {
      // A B B A
      const side = (run + Math.floor(run / 2)) % 2 === 0 ? 'quiet' : 'busy';
      const loops =
        side === 'busy' ? Array.from({ length: LOOPS }, () => start('sh', ['-c', 'while :; do :; done'])) : [];
      const data = join(folder, 'perf.data');
      const record = ['record', '-q', '-e', 'cpu-clock', '-F', String(RATE_HZ), '-g', '-o', data, '-p', String(pid)];
      execFileSync('perf', [...record, '--', 'sleep', String(SECONDS)], { stdio: 'ignore' });
      for (const loop of loops) loop.kill('SIGKILL');
      const text = execFileSync('perf', ['script', '-i', data], {
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      sides[side].push(await captureOf(text, `${side} ${run + 1}`));
    }
    return sides;
  } finally {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** Returns a program that calls functions in turn, forever, each of a fixed amount of work. */
const steadyProgram = (): string =>
  [
    'static volatile unsigned sink;',
    ...WORK.map(
      (work, place) =>
        `__attribute__((noinline)) void part${place}(void) { for (unsigned i = 0; i < ${work * 100}; i++) sink += i * ${place + 3}; }`,
    ),
    `int main(void) { for (;;) { ${WORK.map((_, place) => `part${place}();`).join(' ')} } }`,
  ].join('\n');

async function captureOf(text: Uint8Array, name: string): Promise<ComparedCapture> {
  const profile = await importProfile(byteSource(text, name));
  return {
    profile,
    selection: wholeProfile(profile, profile.metadata.defaultValueType),
    transforms: null,
    facts: { ...captureFacts(null, profile, name).facts, durationSeconds: SECONDS },
  };
}

/** Compares captures drawn at random, and counts comparisons in which any function grew or shrank. */
async function falseVerdicts(
  what: string,
  one: readonly ComparedCapture[],
  other: readonly ComparedCapture[],
  kind: Normalisation,
): Promise<BenchRow> {
  let found = 0;
  const status = new Map<string, number>();
  for (let comparison = 0; comparison < COMPARISONS; comparison++) {
    const drawn = shuffled(one, comparison);
    const before = drawn.slice(0, PER_SIDE);
    const after = one === other ? drawn.slice(PER_SIDE, 2 * PER_SIDE) : shuffled(other, comparison).slice(0, PER_SIDE);
    const { self, total, sizes } = await compareFunctions(before, after, {
      normalisation: kind,
      patterns: patternsHere,
    });
    if ([...self, ...total].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank')) found += 1;
    const name = sizes?.status ?? 'shares';
    status.set(name, (status.get(name) ?? 0) + 1);
  }
  // 5 % of the comparisons plus two standard errors; shares are shown for comparison.
  const most = Math.floor(COMPARISONS * 0.05 + 2 * Math.sqrt(COMPARISONS * 0.05 * 0.95));
  return {
    what: `false verdicts, ${what}, ${kind}`,
    found: `${found} of ${COMPARISONS}`,
    limit: kind === 'share' ? null : `≤ ${most}`,
    holds: kind === 'share' ? null : found <= most,
    note: `${PAIRS} pairs of ${SECONDS} s at ${RATE_HZ} Hz, ${PER_SIDE} a side; sizes: ${[...status].map(([name, times]) => `${name} ${times}`).join(', ')}`,
  };
}

/** Returns the items in random order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomOf(seed);
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
