import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAUNCHER, runCli, type CliRun } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-ci-'));
const repository = join(folder, 'repository');
const library = join(folder, 'library');
const CI = join(import.meta.dirname, '../../../../docs/ci');
/** Written by hooks, which must not run. */
const hookRan = join(folder, 'hook-ran');

const SOURCE = `volatile unsigned long sink;
__attribute__((noinline)) void parse(void) {
  for (long i = 0; i < 150000000L; i++) sink += i;
}
__attribute__((noinline)) void render(void) {
  for (long i = 0; i < 200000000L; i++) sink ^= i;
}
int main(void) {
  parse();
  render();
  return 0;
}
`;
const CONFIG = `build: test -z "$SECRET_TOKEN" && cc -O1 -g -fno-omit-frame-pointer -o bench bench.c
benchmarks:
  - name: '@all'
    command: [./bench]
pairs: 4
mostPairs: 4
owners:
  - functions: ^parse$
    owner: '@parsers'
`;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { encoding: 'utf8' });
const gate = (...args: readonly string[]): Promise<CliRun> =>
  runCli(['ci', '--library', library, ...args], { cwd: repository, env: { SECRET_TOKEN: 'nothing for builds' } });
const out = (name: string): string => readFileSync(join(folder, name), 'utf8');

beforeAll(() => {
  mkdirSync(repository);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'bench.c'), SOURCE);
  writeFileSync(join(repository, 'flamebench.yml'), CONFIG);
  git('add', '-A');
  git('commit', '-qm', 'base');
  git('checkout', '-qb', 'slow');
  // Three times as slow; its own rules must not count.
  writeFileSync(join(repository, 'bench.c'), SOURCE.replace('i < 150000000L', 'i < 450000000L'));
  writeFileSync(join(repository, 'flamebench.yml'), 'benchmarks: [{command: "true"}]\n');
  git('commit', '-qam', 'slower');
  const hook = join(repository, '.git/hooks/post-checkout');
  mkdirSync(join(repository, '.git/hooks'), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch ${hookRan}\n`);
  chmodSync(hook, 0o755);
  writeFileSync(join(repository, 'bench.c'), '// in progress\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a gate must leave as it is. */
const stateOfRepository = (): string =>
  [git('status', '--porcelain'), git('for-each-ref'), git('worktree', 'list'), git('config', '--local', '--list')].join(
    '',
  );

interface Document {
  readonly decision: string;
  readonly benchmarks: {
    readonly name: string;
    readonly pairs: number;
    readonly found: { readonly function: string; readonly place: object | null; readonly owner: string | null }[];
    readonly selfTest: { readonly splits: number } | null;
    readonly explanation: { readonly alternatives: { readonly id: string; readonly status: string }[] };
  }[];
  readonly notes: string[];
}

describe('two commits', { timeout: 240_000 }, () => {
  test('fail with the function, its owner and the changed line; the repository stays as it is', async () => {
    const before = stateOfRepository();
    const files = ['comment.md', 'report.html', 'junit.xml', 'regressions.sarif', 'state.json'];
    const [comment, html, junit, sarif, state] = files.map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const outputs = ['--comment', comment, '--html', html, '--junit', junit, '--sarif', sarif, '--state', state];
    const { code, stdout, stderr } = await gate('--base', 'main', ...outputs, '--json');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('check out and build: test -z'),
    });
    const found = JSON.parse(stdout) as Document;
    expect(found.decision).toBe('failed');
    const [benchmark] = found.benchmarks;
    expect(benchmark).toMatchObject({
      name: '@all',
      pairs: 4,
      found: [{ function: 'parse', place: { file: 'bench.c', line: 3 }, owner: '@parsers' }],
    });
    expect(benchmark!.selfTest!.splits).toBeGreaterThan(0);
    expect(benchmark!.explanation.alternatives).toContainEqual(
      expect.objectContaining({ id: 'order', status: 'rejected' }),
    );
    expect(found.notes).toEqual(['1 uncommitted file of this checkout was not measured']);
    expect(out('comment.md')).toMatch(/^## Flamebench failed: 1 of 1 benchmark: @&#8203;all$/m);
    expect(out('comment.md')).toContain('`parse` changed in `bench.c:3`');
    expect(out('comment.md')).toContain('could not have been seen');
    // As the comment does.
    for (const text of [out('report.html'), out('comment.md')])
      expect(text).toContain('the sides were recorded in turn');
    expect(out('junit.xml')).toMatch(/<testsuite name="@all" tests="1" failures="1" skipped="0" errors="0">/);
    expect(JSON.parse(out('regressions.sarif'))).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          results: [
            {
              locations: [{ physicalLocation: { artifactLocation: { uri: 'bench.c' }, region: { startLine: 3 } } }],
            },
          ],
        },
      ],
    });
    expect(JSON.parse(out('state.json'))).toMatchObject({ runs: [{ decision: 'failed', isSelfTest: false }] });
    expect(stateOfRepository()).toBe(before);
    expect(existsSync(hookRan)).toBe(false);
  });

  test('compared with itself, the base passes, and the state counts it', async () => {
    const state = join(folder, 'state.json');
    const { code, stdout } = await gate('--base', 'main', '--self-test', '--state', state);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain(
      'of 1 gate of a program against itself on runners like this one, 0 failed and 0 were inconclusive',
    );
  });

  test('checkouts go away with a process that was killed', async () => {
    const child = spawn(
      process.execPath,
      [LAUNCHER, 'ci', '--library', library, '--base', 'main', '--pairs', '20', '--most-pairs', '20'],
      {
        cwd: repository,
      },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const places = (): string[] => [...said.matchAll(/ sh (\S+\/checkout) /g)].map(([, place]) => place!);
    while (places().length < 2 && child.exitCode === null) await setTimeout(50);
    expect(places().map((place) => existsSync(place))).toEqual([true, true]);
    child.kill('SIGKILL');
    for (let tries = 0; tries < 200 && places().some((place) => existsSync(place)); tries++) await setTimeout(50);
    expect(places().map((place) => existsSync(place))).toEqual([false, false]);
  });
});

test.each([
  [['--base', 'nope'], 2, 'nope is not a commit here'],
  [['--base', '--upload-pack=x'], 2, 'is not a commit here'],
  [[], 2, 'no base; give --base REF'],
  [['--base', 'main', '--build', 'echo broken >&2; exit 3'], 4, 'failed with 3: broken; nothing was compared'],
  [['--base', 'main', '--pairs', '4', '--', './missing'], 4, 'the benchmark exited with 127'],
  [['--base', 'main', '--fail-on', 'self(parse)', '--', 'x'], 2, 'not of the form'],
  [['--base', 'main', '--pairs', '10', '--most-pairs', '5'], 2, '--most-pairs 5 is below --pairs 10'],
  [['--', 'a', '--', 'b', '--', 'c'], 2, 'two programs are wanted'],
  [['--base', 'main', '--', 'a', '--', 'b'], 2, '--base and --build are for commits'],
  [['--base', 'main', '--comment', 'x', '--junit', 'x'], 2, 'two outputs have one name'],
])('refuses %j', { timeout: 120_000 }, async (args, code, message) => {
  const run = await gate(...args);
  expect(run.stderr).toContain(message);
  expect(run.code).toBe(code);
});

test('refuses a stranger’s code with the repository’s secrets, and a state that is none', async () => {
  const event = { GITHUB_EVENT_NAME: 'pull_request_target' };
  expect(await runCli(['ci', '--', 'a', '--', 'b'], { env: event })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('use the event pull_request'),
  });
  const state = join(folder, 'other.json');
  writeFileSync(state, '{"runs": 1}');
  expect(await gate('--base', 'main', '--state', state)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is not a state of the gate'),
  });
});

describe('templates', () => {
  const bin = join(folder, 'bin');
  /** Says what it was called with, writes a comment, and exits as asked. */
  beforeAll(() => {
    mkdirSync(bin);
    const fake = `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/called\nprev=\nfor word in "$@"; do [ "$prev" != --comment ] || echo '## from the gate' > "$word"; prev=$word; done\nexit "$FAKE_EXIT"\n`;
    writeFileSync(join(bin, 'flamebench'), fake);
    chmodSync(join(bin, 'flamebench'), 0o755);
  });
  const called = (): string[] => out('called').trim().split('\n');

  interface Action {
    readonly inputs: Record<string, { readonly default: string }>;
    readonly runs: {
      readonly steps: { readonly run: string; readonly shell: string; readonly env: Record<string, string> }[];
    };
  }
  /** Runs the steps of the composite action as the runner does, with these inputs. */
  function runAction(
    inputs: Readonly<Record<string, string>>,
    exit: number,
  ): { code: number | null; output: string; summary: string } {
    const action = load(readFileSync(join(CI, 'action.yml'), 'utf8')) as Action;
    const [step, ...others] = action.runs.steps;
    expect(others).toEqual([]);
    const values = Object.entries(step!.env).map(([name, value]) => {
      const [, input] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)!;
      return [name, inputs[input!] ?? action.inputs[input!]!.default] as const;
    });
    // Nothing of a pull request may be part of the script.
    expect(step!.run).not.toContain('${{');
    const [output, summary] = [join(folder, 'github-output'), join(folder, 'github-summary')];
    for (const file of [output, summary]) rmSync(file, { force: true });
    const { status } = spawnSync(step!.shell, ['-e', '-c', step!.run], {
      cwd: folder,
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        ...Object.fromEntries(values),
        GITHUB_ACTION_PATH: CI,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        FAKE_EXIT: String(exit),
      },
    });
    return { code: status, output: readFileSync(output, 'utf8'), summary: readFileSync(summary, 'utf8') };
  }

  test('the action passes its inputs as words, writes the summary and the decision', () => {
    const base = '$(touch hacked); "x"';
    expect(runAction({ base, command: './bench --all', pairs: '6' }, 1)).toEqual({
      code: 1,
      output: 'decision=failed\n',
      summary: '## from the gate\n',
    });
    expect(called()).toEqual(
      expect.arrayContaining(['ci', '--base', base, '--pairs', '6', '--', 'sh', '-c', './bench --all']),
    );
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
    expect(runAction({}, 5)).toMatchObject({ code: 5, output: 'decision=inconclusive\n' });
    expect(runAction({ inconclusive: 'pass' }, 5)).toMatchObject({ code: 0, output: 'decision=inconclusive\n' });
    expect(runAction({}, 4)).toMatchObject({ code: 4, output: 'decision=error\n' });
    expect(called()).not.toContain('--base');
  });

  test('the GitLab job runs the gate, keeps its files, and lets an inconclusive one pass with a warning', () => {
    const { '.flamebench': job } = load(readFileSync(join(CI, 'gitlab.yml'), 'utf8')) as Record<
      '.flamebench',
      {
        readonly script: string[];
        readonly after_script: string[];
        readonly allow_failure: object;
        readonly artifacts: { readonly reports: { readonly junit: string } };
      }
    >;
    rmSync(join(folder, 'flamebench-gate'), { recursive: true, force: true });
    const run = (lines: readonly string[]) =>
      spawnSync('sh', ['-e', '-c', lines.join('\n')], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env['PATH']}`, FAKE_EXIT: '1', FLAMEBENCH_OPTIONS: '--pairs 6' },
      });
    expect(run(job.script).status).toBe(1);
    expect(called().slice(-2)).toEqual(['--pairs', '6']);
    expect(called()).toContain(job.artifacts.reports.junit);
    expect(job.allow_failure).toEqual({ exit_codes: 5 });
    expect(run(job.after_script)).toMatchObject({ status: 0, stdout: '## from the gate\n' });
    const kept = ['comment.md', 'gate.json'];
    expect(readdirSync(join(folder, 'flamebench-gate')).toSorted()).toEqual(kept);
    const options = called().slice(0, -2);
    rmSync(join(folder, 'flamebench-gate'), { recursive: true });
    runAction({}, 1);
    expect(readdirSync(join(folder, 'flamebench-gate')).toSorted()).toEqual(kept);
    expect(called().toSorted()).toEqual(options.toSorted());
  });

  test('use options that exist', async () => {
    const { stdout } = await runCli(['ci', '--help']);
    const text = readFileSync(join(CI, 'gate.sh'), 'utf8') + readFileSync(join(CI, 'gitlab.yml'), 'utf8');
    for (const [option] of text.matchAll(/(?<=\s)--[a-z][a-z-]+/g)) expect(stdout).toContain(option);
  });
});
