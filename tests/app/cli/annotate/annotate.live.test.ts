import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { HOT_SOURCE, compileHot } from '../../../support/hot-program.ts';
import { callCli } from '../../../support/call-cli.ts';
import { recordedCaptures, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-annotate-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const library = join(folder, 'library');

/** Returns a sample of 1 ms with frames leaf first, as `name@place`. */
const sample = (...frames: string[]): string =>
  [
    'app 7 1.000: 1000000 cpu-clock:',
    ...frames.flatMap((frame, index) => {
      const [name, place] = frame.split('@');
      return [`\t${index + 1} ${name!} (/srv/app)`, ...(place === undefined ? [] : [`  ${place}`])];
    }),
    '',
    '',
  ].join('\n');

const profile = join(folder, 'profile.txt');
const samples = [
  sample('mix@hot.c:7', 'outer@hot.c:15', 'main'),
  sample('mix@hot.c:7', 'outer@hot.c:15', 'main'),
  sample('mix@hot.c:9', 'outer@hot.c:15', 'main'),
  sample('outer@hot.c:14', 'main'),
  sample('evil\u001b[31m@/etc/shadow:3', 'main'),
].join('');
writeFileSync(profile, samples);

const annotate = (...args: string[]) => callCli(['annotate', profile, ...args]);

describe('source lines', () => {
  test('prints self and total with shares of the function’s total', async () => {
    const { code, stdout } = await annotate('outer');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'outer [/srv/app]',
        'cpu-clock (nanoseconds): self 1 ms (20.0 %), total 4 ms (80.0 %)',
        '',
        'hot.c',
        'self          total          line',
        '1 ms  25.0 %   1 ms  25.0 %    14',
        '0 ns   0.0 %   3 ms  75.0 %    15',
        '',
      ].join('\n'),
    );
  });

  test('prints JSON of what transforms leave', async () => {
    expect(await annotate('mix', '--hide', '^outer$')).toMatchObject({ code: 2, stdout: '' });
    const { stdout: json } = await annotate('mix', '--merge', '^outer$', '--json');
    expect(JSON.parse(json)).toEqual({
      format: 'perf-script',
      valueType: { type: 'cpu-clock', unit: 'nanoseconds' },
      function: { name: 'mix', module: '/srv/app', self: 3_000_000, total: 3_000_000 },
      lines: [
        { file: 'hot.c', line: 7, self: 2_000_000, total: 2_000_000 },
        { file: 'hot.c', line: 9, self: 1_000_000, total: 1_000_000 },
      ],
    });
  });

  test('prints their text from the given folder', async () => {
    writeFileSync(join(folder, 'hot.c'), HOT_SOURCE.replace('    value ^= value << 13;', '\tvalue ^= value << 13;'));
    const { stdout, stderr } = await annotate('mix', '--source-dir', folder);
    expect(stdout).toContain('   7      value ^= value << 13;');
    expect(stderr).toContain('may be another version');
    const relative = await annotate('mix', '--text');
    expect(relative).toMatchObject({ code: 0, stderr: expect.stringContaining('without its folder') });
    expect(relative.stdout).not.toContain('value ^=');
  });

  test('reads only source files and sends no raw bytes to the terminal', async () => {
    const { code, stdout, stderr } = await annotate('evil', '--text');
    expect(code).toBe(0);
    expect(stderr).toContain('does not have a source file’s name');
    expect(stdout).toContain('evil\\x1b[31m');
    expect(stdout).not.toContain('root:');
  });

  test('says if a function has none', async () => {
    const { stdout, stderr } = await annotate('main');
    expect(stdout).toContain('(unknown line)');
    expect(stderr).toContain('has no source lines');
  });
});

test('takes the heavier of two overloads, and says so', async () => {
  const overloads = join(folder, 'overloads.txt');
  const spent = (address: string, offset: string, place: string): string =>
    `app 7 1.000: 1000000 cpu-clock:\n\t${address} work+${offset} (/srv/app)\n  ${place}\n\n`;
  const [light, heavy] = [spent('7f0010', '0x10', 'a.cc:3'), spent('7f0120', '0x20', 'a.cc:9')];
  writeFileSync(overloads, light + heavy + heavy);
  const one = await callCli(['annotate', overloads, 'work']);
  expect(one.stdout).toContain('self 2 ms (66.7 %)');
  expect(one.stderr).toContain('2 functions are named work; this is the one with most weight');
  const both = await callCli(['annotate', overloads, 'all work', '--rename', 's/^work$/all work/']);
  expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('self 3 ms (100.0 %)') });
});

test('refuses an ambiguous or unknown function as a usage error', async () => {
  expect(await annotate('nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining("'nothing'") });
  expect(await annotate('i')).toMatchObject({ code: 2, stderr: expect.stringContaining('means 3 functions') });
  expect(await annotate('mix', '--module', 'libc')).toMatchObject({ code: 2 });
  expect(await annotate('mix', '--asm')).toMatchObject({ code: 2, stderr: expect.stringContaining('id of a capture') });
  expect(await annotate('mix', '--asm', '--source')).toMatchObject({ code: 2 });
  const missing = await callCli(['annotate', 'nowhere', 'mix', '--library', library]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('neither a file nor a capture') });
});

test('prints instructions of a capture recorded here', async () => {
  const { program, source } = compileHot(folder);
  const options = ['--library', library, '--rate', '997', '--event', 'cpu-clock', '--json'];
  const recorded = await runCli(['record', 'perf', ...options, '--', program]);
  expect(recorded).toMatchObject({ code: 0 });
  const captures = recordedCaptures(recorded);
  const asm = (...args: string[]) => callCli(['annotate', captures[0]!.id, ...args, '--asm', '--library', library]);
  const { code, stdout, stderr } = await asm('mix');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  // perf's remarks about the recording may come first: a busy machine loses events.
  expect(stderr).toMatch(/^\$ \S*perf annotate --stdio .*--symbol=mix\n$/m);
  expect(stdout).toMatch(/^ *[\d.]+ m?s +[\d.]+ % +[0-9a-f]+ {2} {2}\S+ .*← .*hot\.c:[6-9]$/m);
  expect(stdout).toContain(`← ${source}:`);
  const json = JSON.parse((await asm('mix', '--json', '--no-lines')).stdout) as object;
  expect(json).toMatchObject({ function: { name: 'mix', module: program }, events: [{ event: 'cpu-clock' }] });
  expect(await asm('mix', '--hide', 'x')).toMatchObject({ code: 2 });
  rmSync(program);
  expect(await asm('mix')).toMatchObject({ code: 3, stderr: expect.stringContaining('no longer exists') });
});
