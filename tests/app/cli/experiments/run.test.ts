import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import { comparedLoads } from '#app/cli/load/compared.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';
import { tempFolder } from '../../engine/support/temp-folder.ts';
import { callCli } from '../../../support/call-cli.ts';

const URL = 'http://127.0.0.1:9/';

test.each([
  [[URL], /wants two commands/],
  [[URL, '--', 'a'], /wants two commands/],
  [[URL, '--', 'a', '--', 'b', '--', 'c'], /wrap one that contains -- in sh -c/],
  [[], /wants one kind of sides/],
  [['--before-url', URL], /give --before-url and --after-url/],
  [[URL, '--switch-before', 'true'], /give --switch-before and --switch-after/],
  [[URL, '--switch-before', 'true', '--switch-after', 'true'], /need a confirmation; add --yes/],
  [[URL, '--repeat', '0', '--', 'a', '--', 'b'], /--repeat 0: not a whole number from 1 to 100/],
  [[URL, '--env', 'PORT', '--', 'a', '--', 'b'], /--env PORT: no NAME=VALUE/],
  [[URL, '--concurrency', 'many', '--', 'a', '--', 'b'], /--concurrency many: not a whole number/],
  [[URL, '--knee-latency', 'soon', '--', 'a', '--', 'b'], /--knee-latency soon: not a number/],
  [[URL, '--staircase', '--cool-down', '1', '--', 'a', '--', 'b'], /--staircase has no pauses/],
  [[URL, '--fail-on', 'p99 big', '--', 'a', '--', 'b'], /--fail-on/],
  [
    [URL, '--repeat', '100', '--concurrency', '1,2,3,4,5,6,7,8,9,10', '--profile-at', 'knee', '--', 'a', '--', 'b'],
    /1,100 runs are too many for a load test; use at most 1,000/,
  ],
  [['not a URL', '--', 'a', '--', 'b'], /URL/],
  [[URL, '--ready', '//x', '--', 'a', '--', 'b'], /URL/],
  [['http://example.org/', '--profile', 'perf', '--', 'a', '--', 'b'], /--profile records servers on this machine/],
  [[URL, '--until-decided', 'speed', '--', 'a', '--', 'b'], /--until-decided speed: unknown metric; use qps, /],
  [[URL, '--until-decided', 'cpu', '--smaller-than', '0', '--', 'a', '--', 'b'], /--smaller-than 0: no percentage/],
  [[URL, '--until-decided', 'cpu', '--repeat', '3', '--', 'a', '--', 'b'], /exclude each other/],
  [[URL, '--minutes', '3', '--', 'a', '--', 'b'], /need --until-decided/],
  [[URL, '-o', 'report.xyz', '--', 'a', '--', 'b'], /can’t tell what to write from the name report\.xyz/],
  [[URL, '-o', '-', '--', 'a', '--', 'b'], /name a file for the report: -o report\.html/],
  [[URL, '-o', '/no such folder/report.html', '--', 'a', '--', 'b'], /no such folder/],
  [[URL, '--component', 'app=nginx.service', '--', 'a', '--', 'b'], /are for servers that run already; use NAME=:PORT/],
  [[URL, '--profile', 'magic', '--', 'a', '--', 'b'], /--profile magic: unknown collector/],
  [[URL, '--profile-at', 'dawn', '--', 'a', '--', 'b'], /--profile-at dawn: unknown place; use each or knee/],
  [[URL, '--profile', 'none', '--profile-at', 'knee', '--', 'a', '--', 'b'], /--profile-at is for --profile perf/],
])('%s is refused before anything runs', async (words, line) => {
  // Options precede the commands.
  const at = words.indexOf('--');
  const [options, commands] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at)];
  const folder = tempFolder();
  const { code, stderr } = await callCli(['experiment', 'run', ...options, '--library', folder, ...commands]);
  expect(stderr).toMatch(line);
  expect(code).toBe(2);
});

test('--dry-run names both sides, their order and the load, and runs nothing', async () => {
  const folder = tempFolder();
  const given = ['--repeat', '3', '--library', folder, '--dry-run', '--', './old', '--port', '9', '--', './new'];
  const { code, stderr } = await callCli(['experiment', 'run', URL, ...given]);
  expect(code).toBe(0);
  expect(stderr.split('\n')).toEqual([
    'A, before: ./old --port 9',
    'B, after:  ./new',
    `In turn: A B B A A B. Each turn loads ${URL} with 50 connections for 10 s each, after 3 s of warm-up: at least 78 s in all.`,
    '',
  ]);
  const options = ['--staircase', '--short-connections', '--concurrency', '10,50', ...given];
  // 2 turns of 3, each 2 runs of 10 s with 3 s to rise, without pauses.
  expect((await callCli(['experiment', 'run', URL, ...options])).stderr).toContain(
    'with 10, 50 connections, a new one for each request, for 10 s each, after 3 s to rise to them: at least 156 s in all.',
  );
});

const result = (qps: number): LoadResult => ({
  tool: 'wrk',
  target: URL,
  concurrency: 50,
  seconds: 10,
  requests: qps * 10,
  qps,
  success: 1,
  errors: [],
  bytes: null,
  latency: { ...NO_LATENCY, mean: 50 / qps },
  server: [{ name: 'app', pid: 1, cores: 0.5 }],
  notes: ['Only 8 of 10 processes of app were recorded; they stand for the others.'],
});

test('an experiment shows what its load tests do, under the old word as well, and load diff takes its id', async () => {
  const folder = join(tempFolder(), 'library');
  const library = await openLibrary(folder);
  const tests = await openLoadTests(library);
  const loadTest = async (name: string, qps: number): Promise<string> => {
    const writer = await tests.create({ name, host: 'a', plan: null });
    for (const by of [0.99, 1, 1.01]) await writer.add({ startedAt: null, result: result(Math.round(qps * by)) }, '');
    return (await writer.finish('finished')).id;
  };
  const loads = { before: await loadTest('old', 1000), after: await loadTest('new', 2000) };
  const experiments = await openExperiments(library);
  const { experiment } = await experiments.create({ name: 'pair', before: [], after: [], loads });
  library.close();
  const shown = await callCli(['experiments', 'show', experiment.id, '--library', folder]);
  expect(shown.stdout).toMatch(
    /\nAt 50 connections: QPS grew by 100\.0 % ± .* \(1,000 → 2,000\); CPU per request shrank by 50\.0 % .*\(500 µs → 250 µs\)\.\n/,
  );
  expect(shown.stdout).toContain('Not tested, because a side lacks it: p50, p99.');
  expect(shown.stdout).toMatch(/^Connections +Component +QPS +Δ QPS +CPU .*\n50 +app +1,000 → 2,000 .*▲ grew/m);
  expect(shown.stdout).toContain('Functions were not compared: a side has no run with a profile.');
  const note = /^note: 3 of 3 runs: Only 8 of 10 processes of app were recorded; they stand for the others\.$/m;
  expect(shown.stdout).toMatch(note);
  // `diff` says the same of captures that were recorded during these load tests.
  const recordedDuring = (test: string) => ({
    document: { load: { test, name: 'a', concurrency: 50, run: 1, qps: 1, requests: 1 } },
  });
  const { paragraphs } = (await comparedLoads([recordedDuring(loads.before)], [recordedDuring(loads.after)], folder))!;
  for (const line of paragraphs.flat()) expect(shown.stdout.split('\n')).toContain(line);
  expect(paragraphs[0]).toContain('Not tested, because a side lacks it: p50, p99.');
  for (const [words, key] of [
    [['experiment', 'show'], 'conclusion'],
    [['summary'], 'findings'],
  ] as const) {
    const { stdout } = await callCli([...words, experiment.id, '--library', folder, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      [key]: expect.arrayContaining([expect.stringMatching(/^At 50 connections: /)]) as unknown,
      loadChanges: { steps: [{ concurrency: 50 }], components: [{ name: 'app', concurrency: 50 }] },
    });
  }
  const unprofiled = await callCli(['diff', experiment.id, '--library', folder]);
  expect(unprofiled.stderr).toMatch(/the experiment has no captures: its load tests are compared/);
  const diff = await callCli(['load', 'diff', experiment.id, '--library', folder, '--fail-on', 'qps > +50%']);
  expect(unprofiled.stdout).toBe(diff.stdout);
  expect(diff.stdout).toMatch(note);
  expect(diff.stdout).toMatch(/^before {2}3 runs of wrk: old\nafter {3}3 runs of wrk: new$/m);
  expect(diff.code).toBe(1);
  const load = await callCli(['load', 'show', experiment.id, '--library', folder]);
  expect(load).toMatchObject({ code: 0, stdout: diff.stdout });
  const table = await callCli(['load', 'show', experiment.id, '--library', folder, '--dat']);
  expect([table.code, table.stderr]).toEqual([2, expect.stringContaining('name one of its load tests instead')]);
});
