import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPerfEnds } from '../../support/perf-recording.ts';
import { callCli } from '../../support/call-cli.ts';
import { runCli } from '../../support/run-cli.ts';
import { compileTwoBuilds } from '../../support/two-builds.ts';

const folder = mkdtempSync(join(tmpdir(), 'two-builds-'));
const library = join(folder, 'library');

checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

interface Diff {
  readonly functions: readonly { name: string; module: string; presence: string; delta: { self: number } }[];
  readonly matching: {
    readonly merges: readonly { rule: string; functions: readonly { name: string }[] }[];
    readonly programs: readonly { before: string; after: string; common: number; isMerged: boolean }[];
  };
  readonly warnings: readonly { code: string; rule?: string; message: string }[];
}

async function diff(...args: string[]): Promise<Diff> {
  const { code, stdout, stderr } = await callCli(['diff', ...args, '--json', '--library', library]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Diff;
}

const presenceOf = ({ functions }: Diff, name: string): string | undefined =>
  functions.find((one) => one.name === name)?.presence;

describe('server-old and server-new, recorded alternately', () => {
  let experiment = '';

  beforeAll(async () => {
    const { before: old, after: fresh } = compileTwoBuilds(folder);
    const options = ['--interleave', '--repeat', '3', '--rate', '997', '--event', 'cpu-clock', '--library', library];
    const run = await runCli(['record', 'perf', ...options, '--', old, '--', fresh]);
    expect(run.code, run.stderr).toBe(0);
    experiment = /^Next: flamebench diff (experiment-\S+) --library \S+$/m.exec(run.stderr)![1]!;
  }, 180_000);

  test('are matched as one program: common functions are on both sides', async () => {
    const found = await diff(experiment);
    expect(found.matching.programs).toMatchObject([{ before: 'server-old', after: 'server-new', isMerged: true }]);
    expect(['main', 'parse', 'route', 'respond'].map((name) => presenceOf(found, name))).toEqual(
      Array.from({ length: 4 }, () => 'both'),
    );
    expect(presenceOf(found, 'trace')).toBe('only-after');
    expect(found.functions.find(({ name }) => name === 'parse')!.delta.self).toBeGreaterThan(0);
    expect(found.functions.find(({ name }) => name === 'parse')!.module).toBe('server-old → server-new');
    const merged = found.matching.merges.find(({ rule }) => rule === 'executable');
    expect(merged?.functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['parse', 'route', 'respond']));
    expect(found.warnings.map(({ code }) => code)).not.toContain('mostly-unmatched');
  });

  test('share nothing if the rule is off, as the first line says', async () => {
    const off = ['--rules-off', 'executable'];
    const found = await diff(experiment, ...off);
    expect(
      found.functions
        .filter(({ name }) => name === 'parse')
        .map(({ presence }) => presence)
        .sort(),
    ).toEqual(['only-after', 'only-before']);
    expect(found.warnings[0]).toMatchObject({ code: 'mostly-unmatched', rule: 'executable' });
    const { stdout } = await callCli(['diff', experiment, ...off, '--library', library]);
    expect(stdout).toMatch(
      /^warning: 1?\d\d? % of the weight is in functions that are on one side only: .*“Two builds of one program” \(executable\), which is off/,
    );
    expect(stdout).toContain('rules off: Two builds of one program');
  });

  test('form one experiment, named after both programs', async () => {
    const { stdout } = await callCli(['experiments', '--library', library, '--json']);
    const { experiments } = JSON.parse(stdout) as { experiments: { experiment: { name: string } }[] };
    expect(experiments.map((one) => one.experiment.name)).toEqual(['server-old → server-new']);
  });

  test('are recognised from perf.data alone, and from its text alone', async () => {
    const recorded = ['server-old', 'server-new'].map((name) => {
      const raw = join(folder, `${name}.perf.data`);
      execFileSync('perf', ['record', '-q', '-e', 'cpu-clock', '-F', '499', '-g', '-o', raw, '--', join(folder, name)]);
      const text = execFileSync('perf', ['script', '-i', raw, '-F', 'comm,pid,tid,time,event,period,ip,sym,dso'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
      });
      writeFileSync(`${raw}.txt`, text);
      return raw;
    });
    for (const files of [recorded, recorded.map((path) => `${path}.txt`)]) {
      const found = await diff(...files);
      expect(found.matching.programs).toMatchObject([{ before: 'server-old', after: 'server-new', isMerged: true }]);
    }
  });
});

test('matches two Go builds as one program with pprof', async () => {
  const program = (rounds: number): string => `package main

import (
	"os"
	"runtime/pprof"
)

//go:noinline
func parse(seed uint32) uint32 {
	for i := 0; i < ${rounds}; i++ {
		seed = seed*1664525 + 1013904223
	}
	return seed
}

//go:noinline
func route(seed uint32) uint32 {
	for i := 0; i < 20000; i++ {
		seed = seed*1664525 + 1013904223
	}
	return seed
}

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	sum := uint32(0)
	for i := uint32(0); i < 6000; i++ {
		sum += parse(i) + route(i)
	}
	pprof.StopCPUProfile()
	file.Close()
	os.Exit(int(sum & 0))
}
`;
  const profiles = [20_000, 60_000].map((rounds, place) => {
    const name = `go-server-${place === 0 ? 'old' : 'new'}`;
    const build = join(folder, name);
    mkdirSync(build);
    writeFileSync(join(build, 'main.go'), program(rounds));
    execFileSync('go', ['build', '-o', join(build, name), 'main.go'], {
      cwd: build,
      env: { ...process.env, GO111MODULE: 'off' },
    });
    execFileSync(join(build, name), [join(build, 'cpu.pb.gz')]);
    return join(build, 'cpu.pb.gz');
  });
  const found = await diff(...profiles);
  expect(found.matching.programs).toMatchObject([{ before: 'go-server-old', after: 'go-server-new', isMerged: true }]);
  expect(['main.main', 'main.parse', 'main.route'].map((name) => presenceOf(found, name))).toEqual([
    'both',
    'both',
    'both',
  ]);
}, 180_000);
