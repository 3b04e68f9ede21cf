import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../support/call-cli.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

/** One sample per 100 ms for a second, the first half in `early`, and one without a timestamp. */
const SCRIPT = [
  ...Array.from({ length: 10 }, (_, at) => {
    const name = at < 5 ? 'early' : 'late';
    return `a 10/11 [000] 7.${at}00000: 1000 cycles: \n\t 10 ${name}+0x1 (/opt/app)\n`;
  }),
  'a 10/11 [000] 1000 cycles: \n\t 10 timeless+0x1 (/opt/app)\n',
].join('\n');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-time-'));
  writeFileSync(file('app.perf.txt'), `${SCRIPT}\n`);
  writeFileSync(file('small.folded'), 'main;work 3\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const topOf = async (...args: string[]) => {
  const { stdout, stderr } = await callCli(['top', file('app.perf.txt'), '--json', ...args]);
  return { report: JSON.parse(stdout) as { total: number; functions: { name: string; self: number }[] }, stderr };
};

describe('--time', () => {
  test('selects samples from its start to before its end, and reports it', async () => {
    const { report, stderr } = await topOf('--time', '0.3..0.6');
    expect(report).toMatchObject({ total: 3000, time: { range: '0.3..0.6', withoutTime: 1 } });
    expect(report.functions.map(({ name, self }) => [name, self])).toEqual([
      ['early', 2000],
      ['late', 1000],
    ]);
    expect(stderr).toContain('flamebench: time 0.3..0.6: 3 samples, 1 without a timestamp left out');
    expect((await topOf('--time', '0.3..0.4')).stderr).toContain('time 0.3..0.4: 1 sample, 1 without');
    expect((await topOf('--time', '..300ms')).report.total).toBe(3000);
    expect((await topOf('--time', '0:00.5..')).report.total).toBe(5000);
  });

  test('divides both sides of a comparison by the range, also where one has no samples', async () => {
    const busyFor = (seconds: number): string =>
      Array.from(
        { length: seconds * 1000 },
        (_, at) => `a 10/11 ${(100 + at / 1000).toFixed(6)}: 1000000 cpu-clock: \n\t 10 spin+0x1 (/opt/app)\n`,
      ).join('\n');
    writeFileSync(file('idle.txt'), `${busyFor(1)}\n`);
    writeFileSync(file('busy.txt'), `${busyFor(5)}\n`);
    const sides = ['idle.txt', 'busy.txt'].map(file);
    const { stdout } = await callCli(['diff', ...sides, '--time', '0..5', '--normalize', 'per-second', '--json']);
    const { before, after } = JSON.parse(stdout) as Record<'before' | 'after', { total: number }>;
    expect([before.total, after.total]).toEqual([0.2e9, 1e9]);
  });

  test('selects the range of a profile and of its base before they are subtracted', async () => {
    const base = ['--base', file('base.perf.txt')];
    const early = SCRIPT.split('\n').slice(0, 6).join('\n');
    writeFileSync(file('base.perf.txt'), `${early.replaceAll(' 7.', ' 90.')}\n`);
    const { report, stderr } = await topOf('--time', '0..0.4', ...base);
    expect(report.functions.map(({ name, self }) => [name, self])).toEqual([['early', 2000]]);
    expect(stderr).toContain('flamebench: time 0..0.4: of the profile and of its base\n');
    const timeless = await callCli(['top', file('app.perf.txt'), '--time', '0..1', '--base', file('small.folded')]);
    expect(timeless.code).toBe(2);
    expect(timeless.stderr).toContain(
      `${file('small.folded')}: --time 0..1: no sample in this profile has a timestamp`,
    );
  });

  test.each([['peek', 'late'], ['list', 'late'], ['traces'], ['tags'], ['annotate', 'late'], ['explain']])(
    'is reported by %s, too',
    async (command, ...words) => {
      const run = await callCli([command, file('app.perf.txt'), ...words, '--time', '0.3..0.6', '--hide', 'early']);
      expect(run.code).toBe(0);
      expect(run.stderr).toContain('hide stacks with: /early/: 1 function, hid ');
      expect(run.stderr).toContain('time 0.3..0.6: 1 sample, 1 without a timestamp left out');
    },
  );

  test('converts the same samples', async () => {
    const run = await callCli(['convert', file('app.perf.txt'), '--to', 'folded', '--time', '0.3..0.6']);
    expect(run.code).toBe(0);
    expect(run.stdout.split('\n').filter((line) => !line.startsWith('#'))).toEqual(['a;early 2000', 'a;late 1000', '']);
    expect(run.stderr).toContain('time 0.3..0.6: 3 samples, 1 without a timestamp left out');
  });

  test.each([
    ['1-2', 'is not a range'],
    ['x..2', 'has an invalid start'],
    ['1..y', 'has an invalid end'],
    ['2..1', 'ends before it starts'],
    ['5..6', 'is outside the profile; samples range from 0 to 0.900000001 seconds'],
    ['\u001b[31m..2', '--time \\x1b[31m..2 has an invalid start'],
  ])('refuses %s', async (text, why) => {
    const { code, stderr, stdout } = await callCli(['top', file('app.perf.txt'), '--time', text]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(why);
  });

  test('refuses a time range for a format without timestamps', async () => {
    const { code, stderr } = await callCli(['top', file('small.folded'), '--time', '1..2']);
    expect(code).toBe(2);
    expect(stderr).toContain('no sample in this profile has a timestamp');
  });
});
