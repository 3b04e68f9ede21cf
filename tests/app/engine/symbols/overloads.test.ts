import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-overloads-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { ...process.env, LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '', HOME: folder };

const PROGRAM = `volatile long sum;
__attribute__((noinline)) void work(int n) { for (long i = 0; i < n * 1000000L; i++) sum += i; }
__attribute__((noinline)) void work(double n) { for (long i = 0; i < n * 3000000L; i++) sum += i; }
int main() { work(60); work(60.0); }
`;

it('keeps overloaded functions of a perf.data apart, like perf report', async () => {
  const [source, program, file] = ['a.cpp', 'a', 'perf.data'].map((name) => join(folder, name));
  writeFileSync(source!, PROGRAM);
  execFileSync('c++', ['-O1', '-fno-omit-frame-pointer', '-o', program!, source!]);
  execFileSync('perf', ['record', '-q', '-e', 'cpu-clock:u', '-g', '-o', file!, '--', program!], { env });
  const report = execFileSync(
    'perf',
    ['report', '-i', file!, '--no-children', '-g', 'none', '-s', 'sym', '--stdio', '-q'],
    { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const expected = [...report.matchAll(/^\s*([\d.]+)%\s+\[\.\] work\s*$/gm)].map(([, percent]) => percent);
  const symbols = createLocalSymbols({ recordedBefore: Date.now() + 1000, environment: env });
  const profile = await importProfile(byteSource(readFileSync(file!), 'perf.data'), { symbols });
  const view = buildStackView(profile, wholeProfile(profile));
  const { func, self } = functionStats(view);
  const nameOf = (row: number): string => profile.strings[profile.functions.name[row]!]!;
  const found = [...func.keys()].filter((row) => nameOf(func[row]!) === 'work').map((row) => self[row]! / view.total);
  expect(expected).toHaveLength(2);
  expect(found.sort((a, b) => b - a).map((share) => (100 * share).toFixed(2))).toEqual(expected);
});
