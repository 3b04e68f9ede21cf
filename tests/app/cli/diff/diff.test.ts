import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Advice } from '#core/compare/statistics/advise-runs.ts';
import { diffCommand } from '#app/cli/diff/diff.ts';
import { reportError } from '#app/cli/output/report-error.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { encodePprof } from '../../../support/encode/pprof.ts';
import { callCli } from '../../../support/call-cli.ts';
import type { CliRun } from '../../../support/run-cli.ts';

const SAMPLES = fileURLToPath(new URL('../../../../samples/profiles/perf-script', import.meta.url));
let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-diff-'));
  writeFileSync(file('before.folded'), 'main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
  writeFileSync(file('after.folded'), 'main;work;spin 30\nmain;work;idle 20\nmain;fresh 50\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const diff = (...args: string[]): Promise<CliRun> => callCli(['diff', ...args], { cwd: folder });
const squeezed = (text: string): string[] =>
  text
    .replace(/ +/g, ' ')
    .split('\n')
    .map((line) => line.trim());

const sample = (side: string, run: number): string =>
  join(SAMPLES, `page-server-${side}-${run}`, 'raw.perf-script.txt.gz');
const samples = (side: string): string[] => [1, 2, 3, 4, 5].map((run) => sample(side, run));

interface DiffDocument {
  readonly normalize: string;
  readonly formula: string;
  readonly before: { total: number; captures: { name: string; weight: number }[] };
  readonly after: { total: number; captures: { name: string; weight: number }[] };
  readonly functions: {
    name: string;
    before: { self: number; total: number };
    after: { self: number; total: number };
    delta: { self: number; total: number };
    interval: { self: [number, number] | null };
    verdict: { self: string; total: string };
    presence: string;
    advice: { self: Advice | null; total: Advice | null };
  }[];
  readonly matching: { readonly merges: readonly object[] };
  readonly warnings: { code: string; message: string }[];
  readonly failOn?: {
    condition: string;
    status: string;
    met: boolean;
    matched: number;
    runsToSettle: number | null;
    functions: { name: string; state: string; interval: [number, number] | null }[];
  }[];
}

async function diffJson(...args: string[]): Promise<DiffDocument> {
  const { code, stdout, stderr } = await diff(...args, '--json');
  expect([0, 1], stderr).toContain(code);
  return JSON.parse(stdout) as DiffDocument;
}

/** Returns perf script text with `samples` stacks that reach the thread's start and as many without their root. */
function perfText(samples: number): string {
  const sample = (frames: readonly string[]): string =>
    `app 12/34 10.000001: 1000000 cpu-clock: \n${frames.map((frame, at) => `\t 55a0${1000 + at} ${frame}+0x1 (/srv/app)\n`).join('')}\n`;
  return (sample(['leaf', 'caller', 'main']) + sample(['leaf', 'caller'])).repeat(samples);
}

test('gives the reason for a withheld verdict in text, JSON and CSV', async () => {
  for (const [side, least] of [
    ['before', 300],
    ['after', 600],
  ] as const) {
    for (const run of [0, 1, 2]) writeFileSync(file(`cut-${side}-${run}.txt`), perfText(least + run));
  }
  const sides = ['--before', 'cut-before-*.txt', '--after', 'cut-after-*.txt'].flatMap((word) =>
    word.includes('*') ? [0, 1, 2].map((run) => word.replace('*', String(run))) : [word],
  );
  const { stdout } = await diff(...sides, '--normalize', 'raw', '--sort', 'total');
  expect(squeezed(stdout)).toContainEqual(expect.stringMatching(/unknown \(truncated stacks\) caller/));
  const { functions } = await diffJson(...sides, '--normalize', 'raw');
  expect(functions.find(({ name }) => name === 'caller')).toMatchObject({
    verdict: { total: 'unknown' },
    withheld: { self: null, total: 'truncated stacks' },
  });
  const csv = await diff(...sides, '--normalize', 'raw', '--csv');
  expect(csv.stdout).toMatch(/^caller,.*,unknown,truncated stacks,/m);
});

describe('text', () => {
  test('states what is compared and how, what changed, and prints a table', async () => {
    const { code, stdout, stderr } = await diff('before.folded', 'after.folded', '--normalize', 'raw');
    expect([code, stderr]).toEqual([0, '']);
    const lines = squeezed(stdout);
    expect(lines[0]).toBe('fresh may be new; one other may have shrunk; total 0.0 % ± 27.7 %, no clear change');
    expect(lines[2]).toMatch(/^samples did not change: total from 100 to 100 \(0 ± [\d.]+, 95 % interval\)\.$/);
    const basis = lines.indexOf('before 1 capture, 100: before.folded');
    expect(lines.slice(basis + 1, basis + 3)).toEqual([
      'after 1 capture, 100: after.folded',
      "samples (count), raw: value = weight; each side is the mean of its captures' values; delta = after − before",
    ]);
    expect(lines).toContain(
      'warning: Within this run only: fewer than 3 captures a side do not show run-to-run noise; record more.',
    );
    expect(stdout).toMatch(/^fresh may be new: self 0 before, 50 after \(\+50 ± .*; 1 run a side\)\.$/m);
    const table = lines.slice(lines.findIndex((line) => line.startsWith('before after')));
    expect(lines.indexOf(table[0]!)).toBeLessThan(basis);
    expect(table.slice(0, 4).map((line) => line.replace(/±[\d.]+ /, ''))).toEqual([
      'before after Δ ± at 97.33 % Δ % Δ of all verdict function [module], self',
      '– 50 +50 new +50.0 % ▲ maybe (1 run a side) fresh',
      '70 30 -40 -57.1 % -40.0 % ▼ maybe (1 run a side) spin',
      '30 20 -10 -33.3 % -10.0 % no clear change idle',
    ]);
    expect(lines).toContain('for a verdict: record 2 more runs a side (flamebench record --interleave)');
    expect(lines).toContain('matching: 0 functions only before, 1 only after');
    const { stdout: back } = await diff('after.folded', 'before.folded', '--normalize', 'raw');
    expect(back).toMatch(/^matching: 1 function only before, 0 only after$/m);
  });

  test('escapes names that contain control characters', async () => {
    writeFileSync(file('hostile.folded'), 'main;\u001b[31mred\u202e\u009b 60\nmain;__proto__ 40\n');
    const { stdout } = await diff('before.folded', 'hostile.folded', '--show', 'new');
    expect(stdout).toContain('\\x1b[31mred\\u202e\\x9b');
    expect(stdout).toContain('__proto__');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const csv = await diff('before.folded', 'hostile.folded', '--csv');
    expect(csv.stdout).toContain('__proto__,,,only-after');
  });

  test('finds only zero and noise in a profile compared with itself', async () => {
    const { functions, before, after } = await diffJson('before.folded', 'before.folded');
    expect(before.total).toBe(after.total);
    expect(functions.map(({ delta, verdict }) => [delta.self, delta.total, verdict.self, verdict.total])).toEqual(
      functions.map(({ before }) => [
        0,
        0,
        before.self > 0 ? 'noise' : 'not-tested',
        before.total > 0 ? 'noise' : 'not-tested',
      ]),
    );
  });
});

describe('sides', () => {
  test('finds the known change in the samples, with five captures per side', async () => {
    const sides = ['--before', ...samples('before'), '--after', ...samples('after'), '-n', '1', '--json'];
    const conditions = ['--fail-on', 'total(^match_route$) < -50%', '--fail-on', 'self(^compress_body$) > +2%'];
    const { code, stdout, stderr } = await diff(...sides, ...conditions);
    const document = JSON.parse(stdout) as DiffDocument;
    expect(document.functions[0]).toMatchObject({
      name: 'match_route',
      presence: 'only-before',
      verdict: { self: 'shrank', total: 'shrank' },
    });
    expect(document.before.captures.map(({ name }) => name)[4]).toBe('page-server, before (5/5)');
    expect(code).toBe(1);
    expect(document.failOn!.map(({ status, met, matched }) => [status, met, matched])).toEqual([
      ['failed', true, 1],
      ['inconclusive', false, 1],
    ]);
    const [failed, open] = document.failOn!;
    expect(failed!.functions[0]).toMatchObject({ name: 'match_route', state: 'beyond' });
    expect(failed!.functions[0]!.interval![1]).toBeLessThan(-50);
    expect(open!.functions[0]).toMatchObject({ name: 'compress_body', state: 'undecided' });
    // A change relative to the typical function never passes, however many runs there are.
    expect(open!.runsToSettle).toBeNull();
    expect(stderr).toMatch(/> \+2%: inconclusive: not decided: load or machine; record requests/);
    expect(stderr).toMatch(
      /^flamebench: --fail-on total\(\^match_route\$\) < -50%: failed: match_route gone \(-[\d.]+ % to -[\d.]+ %, 96 % interval\)$/m,
    );
    expect(stderr).toMatch(
      /^flamebench: --fail-on self\(\^compress_body\$\) > \+2%: inconclusive: compress_body [+-]?[\d.]+ % relative to the typical function \(.* interval\)$/m,
    );
  });

  test('advises on the first unproved change, as text and JSON, with at most a hundred runs', async () => {
    const args = ['--before', ...samples('before'), '--after', ...samples('after')];
    const { stdout } = await diff(...args, '-n', '3');
    expect(stdout).toMatch(
      /^longest_match: .*(would show|are hidden by this noise) .*\(80 % power at the [\d.]+ % level/m,
    );
    const { functions } = JSON.parse((await diff(...args, '--json')).stdout) as DiffDocument;
    const advice = functions.flatMap(({ advice: { self, total } }) => [self, total]).filter((of) => of !== null);
    expect(advice.length).toBeGreaterThan(0);
    for (const { seen, small, smallest } of advice) {
      expect(smallest).toBeGreaterThan(0);
      for (const runs of [seen?.runs ?? null, small.runs])
        expect(runs === null || (runs >= 3 && runs <= 100)).toBe(true);
    }
  });

  test('reads two columns of one file, and stdin', async () => {
    const { stdout: folded } = await diff('before.folded', 'after.folded', '--to', 'folded');
    expect(folded).toBe('main;fresh 0 50\nmain;idle 10 0\nmain;work;idle 20 20\nmain;work;spin 70 30\n');
    const run = await callCli(['diff', '-', '--json', '--normalize', 'raw'], { stdin: folded });
    const own = await diffJson('before.folded', 'after.folded', '--normalize', 'raw');
    expect((JSON.parse(run.stdout) as DiffDocument).functions).toEqual(own.functions);
    const stdin = await callCli(['diff', '-', file('after.folded'), '--json'], {
      stdin: readFileSync(file('before.folded')),
    });
    expect((JSON.parse(stdin.stdout) as DiffDocument).before.captures[0]!.name).toBe('the standard input');
  });

  test('reads captures of the library, and experiments with their options', async () => {
    const path = file('library');
    const library = await openLibrary(path);
    const add = async (name: string): Promise<string> =>
      (await library.importFile(name, [readFileSync(file(name))] as unknown as AsyncIterable<Uint8Array>)).id;
    const [before, after] = [await add('before.folded'), await add('after.folded')];
    const experiments = await openExperiments(library);
    const { experiment } = await experiments.create({
      name: 'fresh',
      before: [{ id: before, requests: 10 }],
      after: [{ id: after, requests: 20 }],
      options: { rules: { off: [], user: [], ignoreModules: true } },
    });
    await experiments.change(experiment.id, { after: { label: 'faster' } });
    library.close();
    const byId = await diffJson(before, after, '--library', path);
    expect(byId.before.captures[0]!.name).toBe('before.folded');
    const byExperiment = await diffJson(experiment.id, '--library', path);
    expect(byExperiment.normalize).toBe('per-request');
    expect([byExperiment.before.total, byExperiment.after.total]).toEqual([10, 5]);
    expect(byExperiment).toMatchObject({
      experiment: { id: experiment.id, name: 'fresh' },
      after: { label: 'faster' },
      matching: { ignoreModules: true },
    });
    const bundle = file('fresh.flamebench-experiment');
    const exported = await callCli(['experiments', 'export', experiment.id, '-o', bundle, '--library', path]);
    expect(exported.code, exported.stderr).toBe(0);
    expect((await diffJson(bundle)).functions).toEqual(byExperiment.functions);
    writeFileSync(file('bad.flamebench-experiment'), 'main 1\n');
    const refused = await diff('bad.flamebench-experiment');
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/^flamebench: bad\.flamebench.*\n$/)]);
    const both = await diff(experiment.id, 'after.folded', '--library', path);
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('which already has both sides; name it alone'),
    ]);
    const overruled = await diffJson(experiment.id, '--library', path, '--normalize', 'raw');
    expect(overruled.after.total).toBe(100);
  });
});

describe('choices', () => {
  test('set requests and time ranges by side, and transforms of both sides', async () => {
    const perRequest = await diffJson('before.folded', 'after.folded', '--requests', 'before=50,after=25');
    expect([perRequest.normalize, perRequest.before.total, perRequest.after.total]).toEqual(['per-request', 2, 4]);
    expect(perRequest.formula).toContain('÷ requests');
    const raw = await diff('before.folded', 'after.folded', '--requests', '5', '--normalize', 'raw');
    expect(raw.stderr).toBe(
      'flamebench: --requests is not used, values are raw: the chosen normalisation is another\n',
    );
    const hidden = await diff('before.folded', 'after.folded', '--hide', '^fresh$', '--normalize', 'raw', '--json');
    expect(hidden.stderr).toContain('hide stacks with: /^fresh$/: hid nothing before, 50.0 % after');
    expect((JSON.parse(hidden.stdout) as DiffDocument).after.total).toBe(50);
    const half = ['--time', 'before=0..2,after=1..2', '--requests', '5'];
    const timed = await diff(sample('before', 1), sample('after', 1), ...half, '--json');
    expect(timed.stderr).toContain(
      '--requests is not used, values are per-second: the counts within a time range are unknown\n',
    );
    expect(timed.stderr).toMatch(/^flamebench: before page-server, before \(1\/5\): \d+ samples in that range$/m);
    const { before, after } = JSON.parse(timed.stdout) as DiffDocument;
    expect(before.captures[0]!.weight).toBeGreaterThan(after.captures[0]!.weight);
  });

  test('set value types by side, and threads of both sides', async () => {
    const program = {
      sampleTypes: [
        ['alloc_space', 'bytes'],
        ['inuse_space', 'bytes'],
      ],
      locations: [{ id: 1, lines: [[1, 1]] }],
      functions: [{ id: 1, name: 'keep' }],
      samples: [{ locations: [1], values: [100, 7] }],
    } as const;
    writeFileSync(file('heap.pb'), encodePprof(program));
    const types = ['--type', 'before=alloc_space,after=inuse_space'];
    const byType = await diffJson('heap.pb', 'heap.pb', '--normalize', 'raw', ...types);
    expect([byType.before.total, byType.after.total]).toEqual([100, 7]);
    const counted = await diff('heap.pb', 'heap.pb', '--type', 'inuse_space', '--requests', '5');
    expect(counted.stderr).toContain(
      '--requests is not used, values are raw: inuse_space is what exists at one moment',
    );
    const only = await diff('heap.pb', 'heap.pb', '--type', 'after=heap');
    expect([only.code, only.stderr]).toEqual([
      2,
      expect.stringMatching(/^flamebench: .*heap\.pb: no value type .* 'heap'/),
    ]);
    const sampleOf = (thread: string, tid: number): string =>
      `${thread} 12/${tid} 10.000001: 1000000 cpu-clock: \n\t 55a01000 ${thread}_main+0x1 (/srv/app)\n\n`;
    writeFileSync(file('threads-before.txt'), sampleOf('web', 34) + sampleOf('log', 35).repeat(3));
    writeFileSync(file('threads-after.txt'), sampleOf('web', 44).repeat(2) + sampleOf('log', 45));
    const sides = ['threads-before.txt', 'threads-after.txt', '--normalize', 'raw'];
    const byThread = await diffJson(...sides, '--thread', 'web');
    expect(byThread.functions.map(({ name }) => name)).toEqual(['web_main']);
    const both = await diffJson(...sides, '--thread', 'web', '--thread', 'log');
    expect(both.functions.map(({ name }) => name).sort()).toEqual(['log_main', 'web_main']);
  });

  test('set rules, which merge names and can be disabled or added', async () => {
    writeFileSync(file('cold.folded'), 'main;work.cold 30\nmain;f1 70\n');
    writeFileSync(file('warm.folded'), 'main;work 30\nmain;f2 70\n');
    const names = async (...args: string[]): Promise<string[]> =>
      (await diffJson('cold.folded', 'warm.folded', ...args)).functions.map(({ name }) => name).sort();
    expect(await names()).toEqual(['f1', 'f2', 'main', 'work']);
    const { merges } = (await diffJson('cold.folded', 'warm.folded')).matching;
    const seen = { module: '', inBefore: true, inAfter: false };
    expect(merges).toEqual([
      {
        rule: 'compiler-clones',
        functions: [
          {
            name: 'work',
            from: [
              { ...seen, name: 'work.cold' },
              { ...seen, name: 'work', inBefore: false, inAfter: true },
            ],
          },
        ],
      },
    ]);
    expect(await names('--rules-off', 'compiler-clones')).toEqual(['f1', 'f2', 'main', 'work', 'work.cold']);
    expect(await names('--rules', 'none')).toContain('work.cold');
    expect(await names('--rename-rule', String.raw`s/^f\d$/f/`)).toEqual(['f', 'main', 'work']);
  });

  test('--csv prints full numbers below lines that describe them', async () => {
    const output = file('diff.csv');
    const { code, stdout } = await diff('before.folded', 'after.folded', '--csv', '-o', output, '--normalize', 'raw');
    expect([code, stdout]).toEqual([0, '']);
    const lines = readFileSync(output, 'utf8').split('\r\n');
    expect(lines[0]).toBe('# before: before.folded; total 100 count');
    expect(lines.find((line) => line.startsWith('# normalised: raw; value = weight'))).toBeDefined();
    expect(lines.find((line) => line.startsWith('spin,'))).toMatch(/^spin,,,both,70,30,-40,-57\.142857,/);
  });

  test('are described above folded stacks; shares have the same total on both sides', async () => {
    const { stdout, stderr } = await diff(
      'before.folded',
      'after.folded',
      '--to',
      'folded',
      '--normalize',
      'share',
      '--hide',
      '^fresh$',
    );
    const [notes, stacks] = [true, false].map((isNote) =>
      stdout
        .trimEnd()
        .split('\n')
        .filter((line) => line.startsWith('# ') === isNote),
    ) as [string[], string[]];
    expect(notes.join('\n')).toContain('# normalised: share; value = weight ÷ total weight of the capture');
    expect(stacks).toEqual(['main;idle 5 0', 'main;work;idle 10 20', 'main;work;spin 35 30']);
    expect(stderr).toBe('flamebench: hide stacks with: /^fresh$/: hid nothing before, 50.0 % after\n');
  });
});

describe('refusals', () => {
  test.each([
    [[], 2, /the before side is empty; give BEFORE AFTER/],
    [['before.folded'], 2, /the after side is empty; .*two counts a line/],
    [['before.folded', 'after.folded', 'more.folded'], 2, /3 inputs, with no sides given/],
    [['--before', 'before.folded', 'before.folded', '--after', 'after.folded'], 2, /twice on the before side/],
    [['-', '-'], 2, /only one input can be the standard input/],
    [['before.folded', 'no-such-capture', '--library', '/nowhere'], 2, /neither a file nor a capture in/],
    [['before.folded', 'after.folded', '--normalize', 'per-second'], 2, /its duration is unknown; use share/],
    [['before.folded', 'after.folded', '--requests', 'before=1,2'], 2, /2 counts for 1 capture before/],
    [
      ['before.folded', 'after.folded', '--requests', 'before=10'],
      2,
      /--requests gives no count after, and its captures state none; give counts for both sides/,
    ],
    [['before.folded', 'after.folded', '--requests', 'lots'], 2, /'lots' is not a number of requests/],
    [['before.folded', 'after.folded', '--type', 'heap'], 2, /before.folded: no value type .* 'heap'/],
    [['before.folded', 'after.folded', '--thread', 'nobody'], 2, /before.folded: no thread 'nobody'/],
    [['before.folded', 'after.folded', '--time', '0..1'], 2, /before.folded: --time 0\.\.1: no sample/],
    [
      ['before.folded', 'after.folded', '--rules-off', 'magic'],
      2,
      /unknown rule 'magic'; use process-frames, goroutine-waits, addresses, /,
    ],
    [['before.folded', 'after.folded', '--rename-rule', 's/(/x/'], 2, /--rename-rule: not a regular expression/],
    [['before.folded', 'after.folded', '--rename-rule', 'x'], 2, /--rename-rule x: not of the form s\/regex/],
    [['before.folded', 'after.folded', '--hide', 'nowhere'], 2, /--hide nowhere matches no function/],
    [['-', 'after.folded', '--open'], 2, /--open needs files or captures/],
    [['before.folded', 'after.folded', '--open', '--fail-on', 'self(f) > 1%'], 2, /--open shows the comparison in the/],
    [['before.folded', 'after.folded', '--json', '--csv'], 2, /json and csv can’t be combined/],
    [['before.folded', 'after.folded', '--fail-on', 'self(nowhere) > 1%'], 2, /matches no function of either side/],
    [['before.folded', 'after.folded', '--fail-on', 'self(f) > 1'], 2, /the number has no unit/],
    [['before.folded', 'diff-test-garbage'], 3, /diff-test-garbage/],
  ] as [string[], number, RegExp][])('%j: exit %i', async (args, code, line) => {
    writeFileSync(file('diff-test-garbage'), 'Dear reader,\nthis is no profile.\n');
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const exit = await runHere(args.map((word) => (/folded$|garbage$/.test(word) ? file(word) : word)));
    const lines = written.mock.calls.map(([text]) => String(text));
    written.mockRestore();
    expect([exit, lines.length]).toEqual([code, 1]);
    expect(lines[0]!.replaceAll(`${folder}/`, '')).toMatch(line);
  });
});

/** Runs the command in this process, which takes a hundredth of the time, and reports refusals as main.ts does. */
async function runHere(args: readonly string[]): Promise<number> {
  const command = new Command().exitOverride();
  diffCommand.configure(command);
  command.parse(args, { from: 'user' });
  return diffCommand.run(command).catch(reportError);
}
