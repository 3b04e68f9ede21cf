import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPodman, type Podman } from '../../../support/podman.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

/** The steps of the action and of the template, in a container without a network, as their services run them. */
const folder = mkdtempSync(join(tmpdir(), 'flamebench-ci-container-'));
const project = join(import.meta.dirname, '../../../..');
const CI = join(project, 'docs/ci');
const repository = join(folder, 'repository');
const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
let podman: Podman;

const SOURCE = `volatile unsigned long sink;
__attribute__((noinline)) void parse(void) {
  for (long i = 0; i < 100000000L; i++) sink += i;
}
__attribute__((noinline)) void render(void) {
  for (long i = 0; i < 150000000L; i++) sink ^= i;
}
int main(void) {
  parse();
  render();
  return 0;
}
`;
const CONFIG = `build: gcc -O1 -g -fno-omit-frame-pointer -o bench bench.c
benchmarks:
  - command: [./bench]
pairs: 4
mostPairs: 4
`;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { encoding: 'utf8' });

beforeAll(() => {
  for (const path of [repository, bin, home]) mkdirSync(path, { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'bench.c'), SOURCE);
  writeFileSync(join(repository, 'flamebench.yml'), CONFIG);
  git('add', '-A');
  git('commit', '-qm', 'base');
  git('checkout', '-qb', 'slow');
  // Three times as slow.
  writeFileSync(join(repository, 'bench.c'), SOURCE.replace('i < 100000000L', 'i < 300000000L'));
  git('commit', '-qam', 'slower');
  writeFileSync(join(bin, 'flamebench'), `#!/bin/sh\nexec ${process.execPath} ${LAUNCHER} "$@"\n`);
  chmodSync(join(bin, 'flamebench'), 0o755);
  podman = openPodman();
});
afterAll(() => {
  podman.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script as the runner does. perf needs its system call, which containers are refused by default. */
function runStep(script: string, env: Readonly<Record<string, string>>): string {
  const all = {
    HOME: home,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    FLAMEBENCH_LIBRARY: join(home, 'library'),
    ...env,
  };
  return podman.run(
    // Its exit code is part of what is checked.
    ['/bin/sh', '-c', 'sh -e -c "$1" >"$2" 2>&1; echo "exit $?"; cat "$2"', '-', script, join(folder, 'said')],
    ['/bin', project],
    [
      '--privileged',
      '--network=none',
      `--workdir=${repository}`,
      `--volume=${folder}:${folder}`,
      ...Object.entries(all).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ],
  );
}

const gateFile = (name: string): string => readFileSync(join(repository, 'flamebench-gate', name), 'utf8');

describe('in a container', { timeout: 240_000 }, () => {
  test('the action fails a slower function, with its changed line as a link, summary and decision', () => {
    const action = load(readFileSync(join(CI, 'action.yml'), 'utf8')) as {
      readonly runs: { readonly steps: readonly { readonly run: string }[] };
    };
    const said = runStep(action.runs.steps[0]!.run, {
      GITHUB_ACTION_PATH: CI,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'owner/project',
      FLAMEBENCH: 'flamebench',
      FLAMEBENCH_BASE: 'main',
    });
    expect(said).toMatch(/^exit 1\n/);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('decision=failed\n');
    const head = git('rev-parse', 'slow').trim();
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain(
      `\`parse\` changed in [\`bench.c:3\`](https://github.com/owner/project/blob/${head}/bench.c#L3)`,
    );
  });

  test('the template passes where nothing changed, and keeps what the job uploads', () => {
    git('checkout', '-qb', 'same', 'main');
    const { '.flamebench': job } = load(readFileSync(join(CI, 'gitlab.yml'), 'utf8')) as Record<
      '.flamebench',
      { readonly script: readonly string[] }
    >;
    const said = runStep(job.script.join('\n'), {
      CI_PROJECT_URL: 'https://gitlab.com/group/project',
      FLAMEBENCH_OPTIONS: '--base main',
    });
    expect(said).toMatch(/^exit 0\n/);
    expect(gateFile('comment.md')).toContain('passed');
    expect(gateFile('junit.xml')).toContain('failures="0"');
    expect(gateFile('report.html')).toContain('parse');
    expect(JSON.parse(gateFile('gate.json'))).toMatchObject({ decision: 'passed' });
  });
});
