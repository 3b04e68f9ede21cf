import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-overloads-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { ...process.env, LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '', HOME: folder };
const file = join(folder, 'perf.data');

/** Both files have a `static` function of one name. */
const CPP = `volatile long sum;
extern "C" void other(int);
__attribute__((noinline)) void work(int n) { for (long i = 0; i < n * 1000000L; i++) sum += i; }
__attribute__((noinline)) void work(double n) { for (long i = 0; i < n * 3000000L; i++) sum += i; }
extern "C" { static __attribute__((noinline)) void spin(int n) { for (long i = 0; i < n * 2000000L; i++) sum += i; } }
int main() { work(60); work(60.0); spin(60); other(60); }
`;
const C = `extern volatile long sum;
static __attribute__((noinline)) void spin(int n) { for (long i = 0; i < n * 4000000L; i++) sum += i; }
void other(int n) { spin(n); }
`;

function run(command: string, ...args: string[]): string {
  const stdio = ['ignore' as const, 'pipe' as const, 'ignore' as const];
  return execFileSync(command, args, { env, encoding: 'utf8', stdio, cwd: folder, maxBuffer: 1 << 28 });
}

beforeAll(() => {
  writeFileSync(join(folder, 'a.cpp'), CPP);
  writeFileSync(join(folder, 'b.c'), C);
  run('cc', '-O1', '-fno-omit-frame-pointer', '-c', 'b.c');
  run('c++', '-O1', '-fno-omit-frame-pointer', '-o', 'a', 'a.cpp', 'b.o');
  run('perf', 'record', '-q', '-e', 'cpu-clock:u', '-g', '-o', file, '--', './a');
});

it.each(['perf.data', 'perf script'])('keeps functions of one name in %s apart, like perf report', async (from) => {
  const report = run('perf', 'report', '-i', file, '--no-children', '-g', 'none', '-s', 'sym', '--stdio', '-q');
  const expected = (name: string): (string | undefined)[] =>
    [...report.matchAll(/^\s*([\d.]+)%\s+\[\.\] (work|spin)\s*$/gm)].flatMap((row) =>
      row[2] === name ? [row[1]] : [],
    );
  const bytes = from === 'perf.data' ? readFileSync(file) : Buffer.from(run('perf', 'script', '-i', file));
  const symbols = createLocalSymbols({ recordedBefore: Date.now() + 1000, environment: env });
  const profile = await importProfile(byteSource(bytes, 'input'), { symbols });
  const view = buildStackView(profile, wholeProfile(profile));
  const { func, self } = functionStats(view);
  const nameOf = (row: number): string => profile.strings[profile.functions.name[row]!]!;
  for (const name of ['work', 'spin']) {
    const found = [...func.keys()].filter((row) => nameOf(func[row]!) === name).map((row) => self[row]! / view.total);
    expect(expected(name)).toHaveLength(2);
    expect(found.sort((a, b) => b - a).map((share) => (100 * share).toFixed(2))).toEqual(expected(name));
  }
});
