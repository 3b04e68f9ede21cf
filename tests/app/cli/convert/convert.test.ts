import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { runCli } from '../../../support/run-cli.ts';

const FOLDED = 'main;idle 10\nmain;work;spin 70\n';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-convert-'));
  writeFileSync(file('in.folded'), FOLDED);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('writes to stdout, to a file, and over its own input', async () => {
  expect(await runCli(['convert', file('in.folded'), '--to', 'folded'])).toEqual({
    code: 0,
    stdout: FOLDED,
    stderr: '',
  });
  writeFileSync(file('same.folded'), 'b 1\na 2\nb 1\n');
  const run = await callCli(['convert', file('same.folded'), '--to', 'folded', '-o', file('same.folded')]);
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(file('same.folded'), 'utf8')).toBe('a 2\nb 2\n');
});

test('native and JSON output contain the same profile', async () => {
  const native = file('out.flamebench');
  expect(await callCli(['convert', file('in.folded'), '--to', 'native', '-o', native])).toMatchObject({ code: 0 });
  expect(await callCli(['convert', native, '--to', 'folded'])).toMatchObject({ code: 0, stdout: FOLDED });
  const json = await callCli(['convert', native, '--to', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ metadata: { format: 'folded' } });
  const direct = await callCli(['convert', file('in.folded'), '--to', 'json']);
  expect(JSON.parse(json.stdout)).toEqual(JSON.parse(direct.stdout));
});

test('keeps the output a symbolic link', async () => {
  symlinkSync('linked.folded', file('link.folded'));
  writeFileSync(file('linked.folded'), '');
  await callCli(['convert', file('in.folded'), '--to', 'folded', '-o', file('link.folded')]);
  expect(readlinkSync(file('link.folded'))).toBe('linked.folded');
  expect(readFileSync(file('linked.folded'), 'utf8')).toBe(FOLDED);
});

test('leaves the output unchanged if the input is not a profile', async () => {
  writeFileSync(file('broken.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2]));
  writeFileSync(file('kept.folded'), 'kept 1\n');
  const run = await callCli(['convert', file('broken.gz'), '--to', 'folded', '-o', file('kept.folded')]);
  expect(run.code).toBe(3);
  expect(readFileSync(file('kept.folded'), 'utf8')).toBe('kept 1\n');
});

test.each([
  ['/dev/full', /can't write \/dev\/full: the disk is full; free some space/],
  ['missing/out.folded', /its folder does not exist; create the folder first/],
  ['.', /is a folder; name a file to write/],
])('explains output %s in one line', async (name, message) => {
  const run = await callCli(['convert', file('in.folded'), '--to', 'folded', '-o', name], { cwd: folder });
  expect(run.stderr).toMatch(message);
  expect(run.stderr.split('\n')).toHaveLength(2);
  expect(run.code).toBe(2);
});

test('keeps the old file and leaves nothing else if the output exceeds the file size limit', () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `main;function_${index} 1`);
  writeFileSync(file('large.folded'), lines.join('\n'));
  writeFileSync(file('limited.folded'), 'kept 1\n');
  const launcher = new URL('../../../../app/cli/flamebench.mjs', import.meta.url).pathname;
  const run = spawnSync(
    'sh',
    [
      '-c',
      `ulimit -f 100; exec "$0" "$@"`,
      process.execPath,
      launcher,
      'convert',
      file('large.folded'),
      '--to',
      'folded',
      '-o',
      file('limited.folded'),
    ],
    { encoding: 'utf8', env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } },
  );
  expect(run.stderr).toMatch(/the file would exceed the file size limit/);
  expect(readFileSync(file('limited.folded'), 'utf8')).toBe('kept 1\n');
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test.each([
  [
    ['--to', 'svg'],
    /option '--to <format>' argument 'svg' is invalid. Allowed choices are folded, pprof, otlp, otlp-json, speedscope, firefox, json, native/,
  ],
  [[], /stdout has no name that tells the format; add --to FORMAT/],
  [['--to', 'json', '--type', 'samples'], /--type has no effect on json/],
])('refuses %j', async (args, message) => {
  const run = await callCli(['convert', file('in.folded'), ...args]);
  expect(run.stderr).toMatch(message);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(existsSync(file('svg'))).toBe(false);
});

test('ends without a message when its reader closes the pipe', () => {
  const launcher = new URL('../../../../app/cli/flamebench.mjs', import.meta.url).pathname;
  for (const command of ['convert --to folded', 'top -n 0']) {
    const [name, ...options] = command.split(' ');
    const line = `"$0" "$1" ${name} "$2" ${options.join(' ')} | head -n 1; echo "$?"`;
    const run = spawnSync('bash', ['-o', 'pipefail', '-c', line, process.execPath, launcher, file('large.folded')], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    expect(run.stdout.split('\n').at(-2)).toBe('0');
  }
});

test('takes the format from the output’s name', async () => {
  for (const [name, format] of [
    ['x.folded', 'folded'],
    ['x.speedscope.json', 'speedscope'],
    ['x.json', 'json'],
  ] as const) {
    expect(await callCli(['convert', file('in.folded'), '-o', file(name)])).toMatchObject({ code: 0 });
    const asked = await callCli(['convert', file('in.folded'), '--to', format, '-o', file('asked')]);
    expect(asked.code).toBe(0);
    expect(readFileSync(file(name), 'utf8')).toBe(readFileSync(file('asked'), 'utf8'));
  }
  expect(await callCli(['convert', file('in.folded'), '-o', file('x.txt')])).toMatchObject({ code: 2 });
});

test('compresses a file whose name ends in .gz', async () => {
  expect(await callCli(['convert', file('in.folded'), '-o', file('x.pb.gz')])).toMatchObject({ code: 0 });
  expect(await callCli(['convert', file('in.folded'), '-o', file('x.pb')])).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(file('x.pb.gz')))).toEqual(readFileSync(file('x.pb')));
  expect(await callCli(['convert', file('x.pb.gz'), '--to', 'folded'])).toMatchObject({ code: 0, stdout: FOLDED });
});

test('--verify reads the file again: exit 0 if all functions weigh the same, else 1 with the differences', async () => {
  const out = file('verified.pb.gz');
  expect(await callCli(['convert', file('in.folded'), '--verify', '-o', out])).toEqual({
    code: 0,
    stdout: `${out}: self and total of 4 functions in 1 value type are equal\n`,
    stderr: '',
  });
  writeFileSync(file('fractions.folded'), 'main;a 1.5\nmain;b 2\n');
  const rounded = await callCli(['convert', file('fractions.folded'), '--verify', '-o', file('rounded.pb')]);
  expect(rounded.code).toBe(1);
  expect(rounded.stdout).toBe(`${file('rounded.pb')}: 4 differences in 3 functions in 1 value type
  samples/count total main: 3.5 written, 4 read
  samples/count total a: 1.5 written, 2 read
  samples/count self a: 1.5 written, 2 read
  samples/count total (all samples): 3.5 written, 4 read
`);
});

test('--verify says that nothing has weight, and exits 0', async () => {
  writeFileSync(file('zero.folded'), 'main;a 0\nmain;b 0\n');
  for (const out of [file('none.folded'), file('none.folded.gz')]) {
    expect(await callCli(['convert', file('zero.folded'), '--verify', '-o', out])).toMatchObject({
      code: 0,
      stdout: `${out}: no sample has weight in samples/count, so there is nothing to compare\n`,
      stderr: expect.stringContaining('no value type has weight'),
    });
  }
});

test('--verify refuses stdout and devices, and a format that Flamebench does not read', async () => {
  for (const output of [[], ['-o', '/dev/null']]) {
    expect(await callCli(['convert', file('in.folded'), '--verify', '--to', 'folded', ...output])).toMatchObject({
      code: 2,
      stderr: 'flamebench: --verify needs a file that it can read again; name one: -o profile.folded\n',
    });
  }
  expect(await callCli(['convert', file('in.folded'), '--verify', '-o', file('x.json')])).toMatchObject({
    code: 2,
    stderr: 'flamebench: --verify reads the output again, but Flamebench does not read json; leave --verify out\n',
  });
});
