import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '#app/cli/commands.ts';
import { callCli } from '../../support/call-cli.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'any-value-'));
/** Deep, so that names such as `../x` stay within the test's folder. */
const cwd = join(folder, 'a/b/c');
const bin = join(folder, 'bin');
const env = {
  FLAMEBENCH_LIBRARY: join(folder, 'library'),
  FLAMEBENCH_CONFIG: join(folder, 'config'),
  DEBUGINFOD_URLS: '',
  // No tool is found, and no host is reached.
  PATH: bin,
};
const NOBODY = '4194303';

beforeAll(async () => {
  mkdirSync(cwd, { recursive: true });
  mkdirSync(bin);
  writeFileSync(join(bin, 'ssh'), '#!/bin/sh\nexit 255\n');
  chmodSync(join(bin, 'ssh'), 0o755);
  writeFileSync(join(cwd, 'a.folded'), 'main;work 3\nmain;rest 5\n');
  writeFileSync(join(cwd, 'b.folded'), 'main;work 7\nmain;rest 5\n');
  for (const [place, name] of ['a.folded', 'b.folded'].entries()) {
    await callCli(['fleet', 'push', name, '--to', 'f.duckdb', '--release', String(place + 1)], { cwd, env });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Words with which each command ends by itself, without a window and without measuring anything. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'record perf': ['--dry-run', '--pid', String(process.pid)],
  'record pprof': ['http://localhost:1/', '--dry-run'],
  'record node': ['--dry-run', '--pid', String(process.pid)],
  'record java': ['--dry-run', '--pid', String(process.pid)],
  'record python': ['--dry-run', '--pid', String(process.pid)],
  'record bpftrace': ['--dry-run', '--system'],
  'record stap': ['--dry-run', '--system'],
  live: ['--text', '--pid', NOBODY],
  summary: ['a.folded'],
  top: ['a.folded'],
  peek: ['a.folded', 'work'],
  traces: ['a.folded'],
  list: ['a.folded', 'work'],
  tags: ['a.folded'],
  goroutines: ['a.folded'],
  diff: ['a.folded', 'b.folded'],
  report: ['a.folded', '-o', 'x.json'],
  explain: ['a.folded', 'b.folded'],
  ci: ['--', 'a'],
  bisect: ['HEAD~1', 'HEAD', '--', 'a'],
  load: ['run', 'http://localhost:1/'],
  experiment: ['run', 'http://localhost:1/', '--dry-run', '--', 'a', '--', 'b'],
  'fleet init': ['--to', 'new.duckdb'],
  'fleet push': ['a.folded', '--to', 'f.duckdb'],
  // An address of all networks is refused without a token.
  'fleet receive': ['--to', 'f.duckdb', '--listen', '0.0.0.0:0'],
  'fleet list': ['--in', 'f.duckdb'],
  'fleet top': ['--in', 'f.duckdb'],
  'fleet search': ['work', '--in', 'f.duckdb'],
  'fleet history': ['work', '--in', 'f.duckdb'],
  'fleet diff': ['--before', 'release=1', '--after', 'release=2', '--in', 'f.duckdb'],
  'fleet trace-log': ['--in', 'clickhouse://127.0.0.1:1/system', '--query-id', 'x', '--library', 'library'],
  'fleet open': ['--in', 'f.duckdb', '-o', 'x.folded'],
  captures: [],
  notes: ['x'],
  annotate: ['a.folded', 'work'],
  lines: ['x'],
  'perf-script': ['a.folded'],
  'go-trace': ['a.folded'],
  convert: ['a.folded', '-o', 'x.folded'],
  doctor: [],
  recipes: [],
  ps: [],
  targets: [],
  formats: [],
  completion: ['bash'],
  man: [],
};
/** They open a window or serve until they are stopped. */
const LASTING = new Set(['open', 'serve', 'mcp']);

const VALUES = [
  '',
  ' ',
  'NaN',
  '-1',
  '0',
  '1e999',
  '99999999999999999999',
  '0x10',
  '1.5',
  '1..2',
  '../x',
  '/dev/null',
  'http://127.0.0.1:99999/',
  'http://256.1.1.1/',
  'http://[::zz]/',
  'http://a:b@c/%',
  'ssh://',
  'ssh://a:99999999',
  '%',
  '[',
  '(?',
  '(a+)+$',
  'a=b',
  ':',
  ',',
  'a\nb',
  '__proto__',
  '💥\u{d800}',
  'x'.repeat(5000),
];
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VALUES) },
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const declared = (
  await Promise.all(
    commands.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load()).configure(command);
      return command.commands.length > 0
        ? command.commands.map((one) => [`${name} ${one.name()}`, one] as const)
        : [[name, command] as const];
    }),
  )
)
  .flat()
  .filter(([name]) => !LASTING.has(name));

/** No value may start with a dash, which makes it an option, or be a null, which no argument holds. */
const given = (flag: string, text: string): string => `${flag}=${text.replaceAll('\0', '')}`;

async function expectAnswer(words: readonly string[]): Promise<void> {
  const { code, stderr } = await callCli(words, { cwd, env });
  expect({ words, code, stderr: code === 70 ? stderr : '' }).toEqual({
    words,
    code: expect.toBeOneOf([0, 1, 2, 3, 4, 5]) as number,
    stderr: '',
  });
}

test.each(declared)(
  'no value of an option of %s is an internal error',
  async (name, command) => {
    for (const [place, { long, required, optional }] of command.options.entries()) {
      if (!required && !optional) continue;
      for (const text of fc.sample(value, { numRuns: 3, seed: place + name.length * 1000 })) {
        await expectAnswer([...name.split(' '), given(long!, text), ...WORDS[name]!]);
      }
    }
  },
  120_000,
);

test.each(
  [
    ['record', 'pprof', '--dry-run'],
    ['live', 'pprof', '--text', '--seconds', '1'],
    ['load', 'run'],
    ['load', 'probe', '--repeat', '1'],
    ['top'],
    ['notes', 'x', 'add'],
    ['experiment', 'export'],
    ['experiment', 'run'],
    ['targets', 'add'],
    ['man'],
  ].map((words) => ({ words })),
)(
  'no argument of $words is an internal error',
  async ({ words }) => {
    for (const text of VALUES.filter((one) => one !== '-1')) await expectAnswer([...words, text]);
  },
  120_000,
);

test.each([['top'], ['notes'], ['load', 'show'], ['serve']].map((words) => ({ words })))(
  '$words shows an empty word in quotes',
  async ({ words }) => {
    const { stderr } = await callCli([...words, ''], { cwd, env });
    expect(stderr).toContain("'' is neither a file");
  },
);

test('a host with a zone is refused, because no browser sends one', async () => {
  const { code, stderr } = await callCli(['serve', '--host', 'fe80::1%lo'], { cwd, env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Invalid --host fe80::1%lo') as string });
});

test('a port beyond 65535 is refused with the limit', async () => {
  const { code, stderr } = await callCli(['record', 'pprof', 'http://127.0.0.1:99999/'], { cwd, env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('port up to 65535') as string });
});

test.each([
  ['diff a.folded b.folded --open --normalize raw', '--open does not take --normalize; choose it in the window'],
  ['diff --self-test a.folded --sort total', '--self-test does not take --sort; leave it out'],
  ['diff a.folded b.folded --to folded -n 3', '--to folded does not take --top; leave it out'],
  ['diff a.folded b.folded --allow-single', 'diff without --fail-on does not take --allow-single; leave it out'],
  [
    'top a.folded --sort self --cum',
    "option '--cum' cannot be used with option '--sort <column>'; see flamebench top --help",
  ],
  ['annotate a.folded work --asm --thread 1', '--asm does not take --thread; perf annotate covers the whole recording'],
  ['annotate a.folded work --no-lines', 'annotate without --asm does not take --no-lines; leave it out'],
  ['annotate a.folded work --csv --text', '--csv does not take --text; leave it out'],
  ['list a.folded work --json --source-dir .', '--json does not take --source-dir; leave it out'],
  ['list a.folded work --trust', 'list without --text does not take --trust; leave it out'],
  ['notes x add y --search z', 'notes add does not take --search; it is for list'],
  ['notes x --colour red', 'notes list does not take --colour; it is for add, edit'],
  ['report a.folded -o x.html --table functions', 'a report as html does not take --table; it is for csv'],
  ['report a.folded -o x.json --normalize share', 'a report without --compare does not take --normalize; leave it out'],
  [
    'record bpftrace --recipe off-cpu --pid 1 --rate 9',
    'off-cpu does not take --rate; it is for on-cpu, wall-clock, lua',
  ],
  ['record stap --script a.folded --pid 1 --function f', '--script does not take --function; it is for recipes'],
  [
    'record pprof http://localhost:1/ --states',
    '--states is for goroutines; add --kind goroutine, or leave --states out',
  ],
  ['record python --pid 1 --send-py-spy --py-spy x', '--send-py-spy and --py-spy exclude each other'],
  ['record perf --pid 1 --seconds 1 --pause 1', '--pause is between the captures of --repeat; give both, or neither'],
  ['live --pid 1 --json --browser', 'live in a terminal does not take --browser; leave it out'],
  ['serve --link --port 1', 'serve --link does not take --port; leave it out'],
  ['ci --base x --name y', 'a gate without a command does not take --name; flamebench.yml names the benchmarks'],
  ['ci --head x -- a -- b', 'a gate of two programs does not take --head; leave it out'],
  [
    'fleet diff --before release=1 --after release=2 --in f.duckdb --captures work --fail-on self(x)>1%',
    '--captures does not take --fail-on; leave it out',
  ],
])('%s is refused, because the option would be ignored', async (line, message) => {
  expect(await callCli(line.split(' '), { cwd, env })).toEqual({
    code: 2,
    stdout: '',
    stderr: `flamebench: ${message}\n`,
  });
});

test.each([
  ['ci --minutes x -- a', 'It takes minutes from 0 to 1440;'],
  ['bisect a b --error 99 -- c', 'It takes a percentage from 0.1 to 50;'],
  ['doctor --pid 0', 'It takes a process ID, a whole number from 1 to 4194304;'],
  ['record node --target a --target b --pid 1', 'PIDs differ between hosts: give one for each, in order\n'],
])('%s says what the option takes', async (line, what) => {
  const { code, stderr } = await callCli(line.split(' '), { cwd, env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(what) as string });
});

test('a name that is not UTF-8 is refused by that, a name with a replacement character opens', () => {
  const top = (octal: string): { status: number | null; stderr: string; stdout: string } => {
    const script = `name=$(printf 'caf${octal}.folded'); echo 'main;a 3' > "$name"; "$0" "$1" top "$name"`;
    return spawnSync('/bin/sh', ['-c', script, process.execPath, LAUNCHER], {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  };
  expect(top(String.raw`\351`)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('"caf\ufffd.folded" is not valid UTF-8; rename the file, or pipe it in') as string,
  });
  expect(top(String.raw`\357\277\275`)).toMatchObject({ status: 0, stdout: expect.stringContaining('main') as string });
});
