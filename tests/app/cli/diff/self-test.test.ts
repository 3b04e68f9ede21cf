import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

const SAMPLES = fileURLToPath(new URL('../../../../samples/profiles/perf-script', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-self-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const samples = (side: string, count = 5): string[] =>
  Array.from({ length: count }, (_, run) => join(SAMPLES, `page-server-${side}-${run + 1}`, 'raw.perf-script.txt.gz'));
const selfTest = (...args: string[]) => callCli(['diff', '--self-test', ...args]);

interface SelfTestDocument {
  readonly selfTest: {
    captures: number;
    perSide: number;
    partitions: number;
    possible: number;
    slowdown: number;
    normalize: string;
    falseAlarms: { partitions: number; rate: number; functions: { name: string; partitions: number }[] };
    power: { name: string; module: string; share: number; found: number; power: number }[];
  };
}
const asJson = (stdout: string): SelfTestDocument['selfTest'] => (JSON.parse(stdout) as SelfTestDocument).selfTest;

describe('diff --self-test', () => {
  test('reports false alarms and power of both sides’ captures, in text and JSON alike', async () => {
    const sides = ['--before', ...samples('before'), '--after', ...samples('after')];
    const text = await selfTest(...sides);
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^self-test: 10 captures in two halves of 5, split in 100 of 126 ways$/m);
    expect(text.stdout).toMatch(/^power: how often \+10 % of one function is reported as grew$/m);
    const json = asJson((await selfTest(...sides, '--json')).stdout);
    expect(json).toMatchObject({
      captures: 10,
      perSide: 5,
      partitions: 100,
      possible: 126,
      slowdown: 0.1,
      normalize: 'per-second',
    });
    // The tests of the statistics check the rate over 200 splits; this checks that it is not badly off.
    expect(json.falseAlarms.rate).toBeLessThan(0.15);
    expect(json.power[0]).toMatchObject({ name: 'longest_match', found: expect.any(Number) });
    expect(text.stdout).toContain(`${json.falseAlarms.partitions} of 100 splits call a function`);
    const csv = (await selfTest(...sides, '--csv')).stdout.split('\r\n').filter((line) => !line.startsWith('# '));
    const { name, module, share, found, power } = json.power[0]!;
    expect(csv.slice(0, 2)).toEqual([
      'Function,Module,Share,Found,Power',
      [name, module, share, found, power].join(','),
    ]);
    expect(csv).toHaveLength(json.power.length + 2);
    // Differences between the sides are not noise: match_route is on one side only.
    expect(json.falseAlarms.functions.map(({ name }) => name)).not.toContain('match_route');
  });

  test('finds a sufficiently large slowdown of the named functions', async () => {
    const args = [
      ...samples('before'),
      ...samples('after', 1),
      '--normalize',
      'share',
      '--slow',
      '^longest_match$',
      '--json',
    ];
    const json = asJson((await selfTest(...args, '--slowdown', '200')).stdout);
    expect(json.power).toEqual([expect.objectContaining({ name: 'longest_match', found: json.partitions, power: 1 })]);
    expect(asJson((await selfTest(...args, '--slowdown', '+1%')).stdout).power[0]!.power).toBeLessThan(0.5);
  });

  test('writes to a file', async () => {
    const path = join(folder, 'report.json');
    const args = [...samples('before'), ...samples('after', 1), '--json', '-o', path];
    expect(await selfTest(...args)).toMatchObject({ code: 0, stdout: '' });
    expect(asJson(readFileSync(path, 'utf8')).captures).toBe(6);
  });

  test.each([
    [
      ['--before', ...samples('before', 2), '--after', ...samples('after', 2)],
      /needs 6 captures of one host, two halves of 3, but there are 4; record more runs/,
    ],
    [[samples('before', 1)[0]!], /nothing to split; give captures of one program/],
    [[samples('before', 1)[0]!, samples('before', 1)[0]!], /is named twice/],
    [
      [...samples('before'), ...samples('after'), '--slow', 'nowhere'],
      /--slow nowhere: the pattern matches no function/,
    ],
    [[...samples('before'), '--slow', '('], /--slow: .*; correct the regular expression/],
    [[...samples('before'), '--slow', ''], /--slow: the pattern is empty/],
    [
      [...samples('before'), '--slowdown', '0'],
      /--slowdown: '0' is not a slowdown; give a percentage above 0 and up to 1000/,
    ],
    [[...samples('before'), '--slowdown', '1e9'], /is not a slowdown/],
    [[...samples('before'), '--slowdown', '-10'], /is not a slowdown/],
    [[...samples('before'), '--to', 'folded'], /--self-test prints only text, JSON or CSV/],
    [[...samples('before'), '--fail-on', 'self(f) > 1%'], /checks no condition/],
  ])('refuses what it can’t test %#', async (args, line) => {
    const { code, stdout, stderr } = await selfTest(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('is required for its options', async () => {
    const { code, stderr } = await callCli(['diff', 'a', 'b', '--slowdown', '5']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('add --self-test')]);
  });
});
