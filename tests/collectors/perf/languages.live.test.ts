import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandsOf } from '#collectors/collector.ts';
import { PERF_ENVIRONMENT } from '#collectors/perf/perf-environment.ts';
import { compileHot } from '../../support/hot-program.ts';
import { needing, type Need } from '../../support/needing.ts';
import { checkPerfEnds, commandScope, planFor, start } from '../../support/perf-recording.ts';

/** Records a shell that forks and executes programs in several languages, one after another. */
const folder = mkdtempSync(join(tmpdir(), 'languages-'));
checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

const CPP = `
namespace geometry {
struct Shape { volatile unsigned corners; __attribute__((noinline)) unsigned turn(unsigned rounds); };
unsigned Shape::turn(unsigned rounds) { for (unsigned i = 0; i < rounds; i++) corners += i; return corners; }
}
int main() { geometry::Shape shape{}; return shape.turn(60000000) == 1; }`;
const RUST = `
#[inline(never)]
fn turn(rounds: u64) -> u64 { let mut sum = 0; for i in 0..rounds { sum ^= std::hint::black_box(i); } sum }
fn main() { std::process::exit((turn(60_000_000) == 1) as i32) }`;
const GO = `package main
var sum uint64
//go:noinline
func turn(rounds uint64) { for i := uint64(0); i < rounds; i++ { sum ^= i } }
func main() { turn(150000000) }`;
const JS = `function turn(n) { let sum = 0; for (let i = 0; i < n; i++) sum = (sum ^ i) | 0; return sum; }
for (let i = 0; i < 60; i++) turn(2e6);`;

function source(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const built = (name: string): string => join(folder, name);
const run = (program: string, ...args: string[]): unknown =>
  execFileSync(program, args, { stdio: 'pipe', env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' } });

/** Builds the programs; returns a line that occurs in a stack of each, by shell command. */
function build(): Map<string, RegExp> {
  const { program } = compileHot(folder);
  const words = new Map([[`${program} 8000`, / mix\+0x\w+ \(\S+\/hot\)$/m]]);
  copyFileSync(program, built('brief'));
  words.set(`${built('brief')} 800`, / mix\+0x\w+ \(\S+\/brief\)$/m);
  run('g++', '-O1', '-fno-omit-frame-pointer', '-o', built('shapes'), source('shapes.cc', CPP));
  words.set(built('shapes'), / geometry::Shape::turn\+0x\w+ \(\S+\/shapes\)$/m);
  run('rustc', '-O', '-C', 'force-frame-pointers=yes', '-o', built('rusty'), source('rusty.rs', RUST));
  words.set(built('rusty'), / rusty::turn\+0x\w+ \(\S+\/rusty\)$/m);
  run('go', 'build', '-o', built('gopher'), source('gopher.go', GO));
  words.set(built('gopher'), / main\.turn\+0x\w+ \(\S+\/gopher\)$/m);
  words.set(
    `${process.execPath} --perf-basic-prof ${source('turn.js', JS)}`,
    / JS:\S*turn .*\(\/tmp\/perf-\d+\.map\)$/m,
  );
  words.set('dd if=/dev/zero of=/dev/null bs=1M count=20000 2>&1', / \w+\+0x\w+ \(\[kernel\.kallsyms\]\)$/m);
  return words;
}

const compilers: Need = {
  name: 'g++, Go and Rust',
  present: () => ['g++', 'go', 'rustc'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0),
};

needing(compilers, () => {
  test(
    'resolves the names of all languages like perf script does for the same stream',
    { timeout: 180_000 },
    async () => {
      const words = build();
      const plan = await planFor({ ...commandScope('sh', '-c', [...words.keys()].join('; ')), rateHz: 499 });
      const { recording, sink } = start(plan);
      const { primaryFile, otherFiles, state } = await recording.outcome;
      expect(state).toBe('finished');
      const text = sink.text(primaryFile);
      for (const [command, line] of words) expect([command, line.test(text)]).toEqual([command, true]);
      const [program = '', ...args] = commandsOf(plan)[1] ?? [];
      const input = sink.files.get(otherFiles[0]!)!;
      const env = { ...process.env, ...PERF_ENVIRONMENT };
      const printed = execFileSync(program, args, { input, env, maxBuffer: 1 << 28 }).toString();
      // The launcher's samples come first.
      expect(printed.endsWith(text)).toBe(true);
      for (const pid of text.match(/\/tmp\/perf-\d+\.map/g) ?? []) rmSync(pid, { force: true });
    },
  );
});

test('--call-graph dwarf gives whole stacks of a program without frame pointers', async () => {
  const { program } = compileHot(join(folder, 'without'), '-fomit-frame-pointer');
  const plan = await planFor({ ...commandScope(program, '3000'), callGraph: 'dwarf', rateHz: 199 });
  const { recording, sink } = start(plan);
  const { primaryFile } = await recording.outcome;
  expect(sink.text(primaryFile)).toMatch(/ mix\+0x\w+ .*\n.* outer\+0x\w+ .*\n.* main\+0x\w+ /);
});

/** Returns the names of a text of `perf script` that are the leaf of at least a twentieth of its samples. */
function hotLeaves(text: string): string[] {
  const leaves = [...text.matchAll(/:\s*\n\s+[0-9a-f]+ (.+?)(?:\+0x[0-9a-f]+)? \(/g)].map(([, name = '']) => name);
  const counts = Map.groupBy(leaves, (name) => name);
  return [...counts]
    .filter(([, { length }]) => length * 20 >= leaves.length)
    .map(([name]) => name)
    .toSorted();
}

test('names of a JIT dump are those that perf inject --jit gives, and no map is left', async () => {
  const argv = [process.execPath, '--perf-prof', '--no-maglev', source('turn.js', JS)];
  const inFolder = ['sh', '-c', `cd ${folder} && exec "$@"`, 'sh', ...argv];
  const { recording, sink } = start(await planFor({ ...commandScope(...inFolder), rateHz: 499 }));
  const { primaryFile, state } = await recording.outcome;
  expect(state).toBe('finished');
  const text = sink.text(primaryFile);
  const [, map = ''] = / JS:\S*turn .*\((\/tmp\/perf-\d+\.map)\)$/m.exec(text) ?? [];
  expect([map, existsSync(map)]).toEqual([expect.stringMatching(/./), false]);

  const perf = (...words: string[]): string =>
    execFileSync('perf', words, {
      cwd: folder,
      env: { ...process.env, ...PERF_ENVIRONMENT },
      stdio: 'pipe',
    }).toString();
  perf('record', '-q', '-k', 'mono', '-e', 'cpu-clock', '-F', '499', '-g', '-o', 'bare.data', ...argv);
  perf('inject', '--jit', '-i', 'bare.data', '-o', 'named.data');
  const injected = perf('script', '-i', 'named.data', '-F', 'comm,pid,time,event,ip,sym,dso');
  const compiled = (name: string): boolean => name.startsWith('JS:');
  expect(hotLeaves(text).filter(compiled)).toEqual(hotLeaves(injected).filter(compiled));
});
