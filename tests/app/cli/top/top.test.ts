import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heaviest, sortNodes } from '#app/cli/top/pprof-table.ts';
import { callCli } from '../../../support/call-cli.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-top-'));
  writeFileSync(file('small.folded'), 'main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('an empty value type', () => {
  test.each(['top', 'convert --to folded'])('%s names the types that are not empty', async (command) => {
    writeFileSync(file('full.austin'), '# austin: 3.6.0\n# mode: full\n\nP1;T2;a.py:f:3 7,1,0\n');
    const [verb, ...options] = command.split(' ');
    const run = await callCli([verb!, file('full.austin'), ...options, '--type', 'cpu']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'flamebench: no sample has weight in cpu/microseconds; --type takes one with weight: wall/microseconds\n',
    );
  });

  /** `idle` has only wall time; `busy` has wall time, CPU time and memory. */
  const FULL = '# austin: 3.6.0\n# mode: full\n\nP1;T2;a.py:idle:3 7,1,0\nP1;T3;a.py:busy:3 5,0,64\n';

  test.each([
    ['top', '--thread 2', 'no sample of the selection has weight in cpu/microseconds'],
    ['top', '--focus idle', 'no sample has weight in cpu/microseconds'],
    ['convert --to folded', '--thread 2', 'no sample of the selection has weight in cpu/microseconds'],
    ['annotate', '--focus idle', 'no sample has weight in cpu/microseconds'],
  ])('with filters %s %s names the types that are not empty then', async (command, filter, line) => {
    writeFileSync(file('two.austin'), FULL);
    const [verb, ...options] = command.split(' ');
    const names = verb === 'annotate' ? ['idle'] : [];
    const given = [verb!, file('two.austin'), ...names, ...options, ...filter.split(' ')];
    const { stderr } = await callCli([...given, '--type', 'cpu']);
    expect(stderr).toContain(`flamebench: ${line}; --type takes one with weight: wall/microseconds\n`);
    expect((await callCli([...given, '--type', 'wall'])).stderr).not.toContain('has weight in');
  });

  test('in a time range names the types with samples in it', async () => {
    const sample = (seconds: string, event: string): string =>
      `app 1/1 ${seconds}: 1 ${event}: \n\t1 f+0x1 (/srv/app)\n\n`;
    writeFileSync(file('two.perf.txt'), sample('1.000000', 'cpu-clock') + sample('3.000000', 'page-faults'));
    const { stderr } = await callCli(['top', file('two.perf.txt'), '--type', 'cpu-clock', '--time', '1s..3s']);
    expect(stderr).toMatch(
      /no sample of the selection has weight in cpu-clock\/nanoseconds; --type takes one with weight: (?:samples\/count, )?page-faults\/count/,
    );
  });
});

test('traces leaves out samples of other events', async () => {
  const sample = (event: string): string => `app 1/1 1.000000: 1 ${event}: \n\t1 ${event}+0x1 (/srv/app)\n\n`;
  writeFileSync(file('events.perf.txt'), sample('cycles') + sample('faults') + sample('cycles'));
  const { stdout } = await callCli(['traces', file('events.perf.txt'), '--type', 'faults/count', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ samples: [{ weight: 1, frames: [{ name: 'faults' }] }] });
  expect(await callCli(['traces', file('events.perf.txt'), '--type', 'faults', '--json'])).toMatchObject({ stdout });
});

test.each(['self', 'total'] as const)('the n heaviest by %s are the first n of all, also among equal weights', (by) => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    name: `f${(at * 17) % 40}`,
    self: [3, -3, 0, 1, 1][at % 5]!,
    total: [5, 3, -7, 1][at % 4]!,
  }));
  const all = sortNodes(rows, by, ({ name }) => name);
  for (let count = 1; count <= rows.length; count++) {
    const some = heaviest(rows, by, count);
    expect(sortNodes(some, by, ({ name }) => name).slice(0, count)).toEqual(all.slice(0, count));
  }
  // |±3| in two of five rows, |−7| in one of four.
  expect(heaviest(rows, by, 1).length).toBe(by === 'self' ? 16 : 10);
});

describe('table', () => {
  test('is aligned and sorted by self', async () => {
    const run = await callCli(['top', file('small.folded')]);
    expect(run).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'folded, samples (count): 100',
        'quality: good',
        '',
        '      flat  flat%   sum%        cum   cum%',
        '        70 70.00% 70.00%         70 70.00%  spin',
        '        30 30.00%   100%         30 30.00%  idle',
        '         0     0%   100%        100   100%  main',
        '         0     0%   100%         90 90.00%  work',
        '',
      ].join('\n'),
    });
  });

  test('reports what a filter hides and how many rows it omits', async () => {
    const { stdout } = await callCli([
      'top',
      file('small.folded'),
      '--cum',
      '-n',
      '1',
      '--hide',
      'spin',
      '--focus',
      '^wo',
    ]);
    expect(stdout.replace(/ +/g, ' ').split('\n')).toEqual([
      'folded, samples (count): 20',
      'quality: good',
      'transforms: hide stacks with: /spin/; focus: /^wo/',
      'hidden: 80 (80.0 % of the total)',
      '',
      ' flat flat% sum% cum cum%',
      ' 20 20.00% 20.00% 20 20.00% idle',
      'and 1 more function (-n 0 shows all)',
      '',
    ]);
  });

  test('escapes control characters and bidi overrides in names', async () => {
    const { stdout } = await callCli(['top', '-'], { stdin: 'main;\u001b[31mred\u202e\u009b 1\n' });
    expect(stdout).toContain('\\x1b[31mred\\u202e\\x9b');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('--json', () => {
  test('has the documented shape, from gzip on stdin as well as from a file', async () => {
    const fromStdin = await callCli(['top', '-', '--json', '--sort', 'total', '-n', '2'], {
      stdin: gzipSync('main;work 3\nmain;__proto__ 0.5\n'),
    });
    expect(JSON.parse(fromStdin.stdout)).toEqual({
      format: 'folded',
      valueType: { type: 'samples', unit: 'count' },
      total: 3.5,
      quality: { grade: 'good', unresolved: 0, unrooted: 0, truncated: 0, lost: 0 },
      functions: [
        { name: 'main', module: '', file: '', self: 0, total: 3.5 },
        { name: 'work', module: '', file: '', self: 3, total: 3 },
      ],
    });
  });

  test('prints sums beyond 2^53 as exact strings', async () => {
    const { stdout } = await callCli(['top', '-', '--json'], {
      stdin: 'main;a 9007199254740991\nmain;b 3\nmain;b;a 9007199254740990\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      total: '18014398509481984',
      functions: [
        { name: 'a', self: '18014398509481981', total: '18014398509481981' },
        { name: 'b', self: 3, total: 9007199254740993n.toString() },
        { name: 'main', self: 0, total: '18014398509481984' },
      ],
    });
  });
});

describe('refusals', () => {
  test.each([
    [
      ['--type', 'cycles'],
      2,
      /^flamebench: no value type of this profile is named 'cycles'; --type takes one of samples\/count\n$/,
    ],
    [['--thread', '7'], 2, /^flamebench: no thread '7' in this profile; it names no threads; leave --thread out\n$/],
    [['--focus', 'a('], 2, /^flamebench: --focus: not a regular expression: Unterminated group: a\(\n$/],
    [['--focus', 'nowhere'], 2, /^flamebench: --focus nowhere matches no function; .*\n$/],
    [['--from', 'gprof'], 2, /^flamebench: unknown format 'gprof'; --from takes one of .*folded.*\n$/],
    [['-n', 'many'], 2, /^flamebench: option .*many.* is invalid.*; see flamebench top --help\n$/],
    [['--sort', 'name'], 2, /^flamebench: option .*; see flamebench top --help\n$/],
    [['--nope'], 2, /^flamebench: unknown option '--nope'.*; see flamebench top --help\n$/],
  ])('%j', async (args, code, message) => {
    const run = await callCli(['top', file('small.folded'), ...args]);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  test('stops a pattern that backtracks endlessly after a second', async () => {
    const started = performance.now();
    const run = await callCli(['top', '-', '--hide', '^(a+)+$'], { stdin: `main;${'a'.repeat(40)}b 1\n` });
    expect(run.stderr).toMatch(/^flamebench: --hide \^\(a\+\)\+\$ took longer than a second; .*\n$/);
    expect(run.code).toBe(2);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each([
    ['missing', /can't read .*missing: no such file; check the name\n$/],
    ['.', /is a folder; name a file inside it\n$/],
    ['empty', /unrecognized: .*empty: the file is empty \(more: flamebench help unknown-format\)\n$/],
    ['letter.txt', /(unrecognized|malformed): .*letter\.txt: .*\n$/],
  ])('input %s', async (name, message) => {
    writeFileSync(file('empty'), '');
    writeFileSync(file('letter.txt'), 'Dear Sir or Madam,\nthis is no profile.\n');
    const run = await callCli(['top', file(name)]);
    expect(run.stderr).toMatch(message);
    expect(run.stderr.split('\n')).toHaveLength(2);
    expect(run).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('perf.data', () => {
  const recording = join(import.meta.dirname, '../../../fixtures/import/perf-data/file.perf.data');

  test('resolves its kernel from a copy of /proc/kallsyms', async () => {
    writeFileSync(file('kallsyms'), 'ffffffff81000000 T _text\nffffffff81000100 t do_work\n');
    const named = await callCli(['top', recording, '--kallsyms', file('kallsyms')]);
    expect(named.stdout).toContain('_text [kernel.kallsyms]');
    expect((await callCli(['top', recording])).stdout).toContain('[[kernel.kallsyms]] [kernel.kallsyms]');
  });

  test('refuses a copy that is invalid or hides addresses', async () => {
    writeFileSync(file('hidden'), '0000000000000000 T _text\n');
    for (const [name, reason] of [
      ['hidden', /has no kernel symbol addresses; copy \/proc\/kallsyms as root/],
      ['missing', /missing: no such file/],
    ] as const) {
      const run = await callCli(['top', recording, '--kallsyms', file(name)]);
      expect(run).toMatchObject({ code: 3, stdout: '' });
      expect(run.stderr).toMatch(reason);
    }
  });
});
