import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LAUNCHER, runCli, type CliRun } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-bisect-'));
const repository = join(folder, 'repository');
const library = join(folder, 'library');
const state = join(folder, 'state.json');
const html = join(folder, 'report.html');
const temporary = join(folder, 'tmp');
/** The commit that makes `parse` slower, and one that does not compile, of those after the good one. */
const SLOW = 2;
const BROKEN = 3;
const LAST = 4;

const source = (step: number): string => `volatile unsigned long sink;
__attribute__((noinline)) void parse(void) {
  for (long i = 0; i < ${step >= SLOW ? 300_000_000 : 150_000_000}L; i++) sink += i;
}
__attribute__((noinline)) void render(void) {
  for (long i = 0; i < 150000000L; i++) sink ^= i;
}
int main(void) {
  parse();
  render();
  return 0;
}
// step ${step}
${step === BROKEN ? 'broken' : ''}
`;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { encoding: 'utf8' });
/** Has a line for each build that began. */
const built = join(folder, 'built');
const BUILD = `tail -n 2 bench.c | head -n 1 >>${built}; cc -O1 -g -fno-omit-frame-pointer -o bench bench.c 2>/dev/null`;
const cache = join(folder, 'cache');
/** Kept builds are in the cache, others in the temporary folder. */
const env = { TMPDIR: temporary, XDG_CACHE_HOME: cache };
const words = (...args: readonly string[]): string[] => ['bisect', '--library', library, '--build', BUILD, ...args];
const bisect = (...args: readonly string[]): Promise<CliRun> => runCli(words(...args), { cwd: repository });

beforeAll(() => {
  for (const path of [repository, temporary]) mkdirSync(path);
  git('init', '-q', '-b', 'main');
  for (let step = 0; step <= LAST; step++) {
    writeFileSync(join(repository, 'bench.c'), source(step));
    git('add', '-A');
    git('commit', '-qm', `step ${step}`);
  }
  git('tag', 'good', `HEAD~${LAST}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Document {
  readonly commit: { readonly subject: string } | null;
  readonly change: number;
  readonly commits: { readonly probability: number }[];
  readonly tested: { readonly hash: string }[];
  readonly skipped: { readonly hash: string; readonly why: string }[];
  readonly touched: readonly object[];
}

/** Checkouts of bisections that run, or are left behind. */
const checkouts = (): string[] =>
  [...globSync(join(temporary, '*/checkout')), ...globSync(join(cache, 'flamebench/bisect/*/*/checkout'))].filter(
    (place) => existsSync(join(place, 'bench.c')),
  );
/** Commits whose build began, in order. */
const builds = (): string[] => readFileSync(built, 'utf8').trim().split('\n');
const readKept = (): { tested: object[]; builds: { complete: string[] } } | null =>
  existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as never) : null;

/** Starts a bisection, kills it, and expects its temporary folders to go away. */
async function killed(args: readonly string[], isTime: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  while (!isTime() && child.exitCode === null) await setTimeout(10);
  expect(checkouts().length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await expect.poll(() => readdirSync(temporary), { timeout: 60_000 }).toEqual([]);
}

test('killed twice and resumed, names the commit with its probability, the function and the changed line', async () => {
  const before = git('for-each-ref') + git('worktree', 'list') + git('status', '--porcelain');
  const args = words(
    'good',
    'main',
    '--function',
    '^parse$',
    '--state',
    state,
    '--html',
    html,
    '--json',
    '--',
    './bench',
  );
  // In a build, and after the first test.
  await killed(args, () => checkouts().some((place) => !existsSync(join(place, 'bench'))));
  expect(readKept()).toMatchObject({ tested: [], builds: { complete: [] } });
  await killed(args, () => (readKept()?.tested.length ?? 0) > 0);
  const kept = readKept()!.tested;
  const steps = readKept()!.builds.complete.map((hash) => git('log', '-1', '--format=// %s', hash).trim());
  expect(steps).toEqual(expect.arrayContaining(['// step 0', `// step ${LAST}`]));
  const begun = builds().length;
  const { code, stdout, stderr } = await runCli(args, { cwd: repository, env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  // What was complete was not built again, nor anything twice; the builds are gone now.
  const later = builds().slice(begun);
  expect(later.filter((step) => steps.includes(step))).toEqual([]);
  expect(new Set(later).size).toBe(later.length);
  expect(checkouts()).toEqual([]);
  const found = JSON.parse(stdout) as Document;
  expect(found.commit).toMatchObject({ subject: `step ${SLOW}` });
  expect(found.tested.slice(0, kept.length)).toEqual(kept);
  expect(found.change).toBeGreaterThan(0.5);
  expect(found.commits[SLOW - 1]!.probability).toBeGreaterThan(0.95);
  const loop = (count: number): string => `  for (long i = 0; i < ${count}L; i++) sink += i;`;
  const hunk = [`-${loop(150_000_000)}`, `+${loop(300_000_000)}`];
  expect(found.touched).toEqual([{ function: 'parse', file: 'bench.c', line: 3, hunk }]);
  expect(readFileSync(html, 'utf8')).toContain('the sides were recorded in turn');
  for (const { why } of found.skipped) expect(why).toContain('the build of');
  expect(git('for-each-ref') + git('worktree', 'list') + git('status', '--porcelain')).toBe(before);
}, 600_000);

test.each([
  [['main', 'good', '--', './bench'], 2, 'main is no ancestor of good'],
  [['good', 'good', '--', './bench'], 2, 'good and good are one commit'],
  [['good', 'main'], 2, 'no benchmark'],
  [['nope', 'main', '--', './bench'], 2, 'nope is not a commit here'],
  [['good', 'main', '--function', '(', '--', './bench'], 2, '--function: '],
  [['good', `main~${LAST - BROKEN}`, '--', './bench'], 4, 'the build of'],
  [['good', 'main', '--state', 'bench.c', '--', './bench'], 3, 'is not a state of a bisection'],
])('refuses %j', async (args, code, message) => {
  const run = await bisect(...args);
  expect(run.stderr).toContain(message);
  expect(run.code).toBe(code);
});

test('refuses the state of another bisection', async () => {
  const other = join(folder, 'other.json');
  writeFileSync(other, JSON.stringify({ schemaVersion: 1, subject: '[]', tested: [], skipped: [] }));
  expect(await bisect('good', 'main', '--state', other, '--', './bench')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is of another bisection'),
  });
});
