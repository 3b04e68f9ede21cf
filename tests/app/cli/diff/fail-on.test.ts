import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import type { CliRun } from '../../../support/run-cli.ts';

/** Samples per second of the one busy thread. */
const RATE = 499;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-fail-on-'));
  writeFileSync(join(folder, 'before.folded'), 'main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
  writeFileSync(join(folder, 'after.folded'), 'main;work;spin 30\nmain;work;idle 20\nmain;fresh 50\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes one run of a program with three phases, as `perf script` prints it; `phases` gives the seconds of each. */
function phasedRun(name: string, phases: Readonly<Record<string, number>>): string {
  const period = Math.round(1e9 / RATE);
  let at = 10;
  const samples = Object.entries(phases).flatMap(([phase, seconds]) =>
    Array.from({ length: Math.round(seconds * RATE) }, () => {
      at += 1 / RATE;
      return `phased 7 ${at.toFixed(6)}: ${period} cpu-clock:\n\t4004 ${phase}+0x4 (/srv/phased)\n\t4000 main+0x0 (/srv/phased)\n`;
    }),
  );
  const path = join(folder, `${name}.perf.txt`);
  writeFileSync(path, samples.join('\n'));
  return path;
}

/** Returns three runs whose phases differ by less than 1 %; the middle phase takes `factor` seconds. */
const runs = (name: string, factor: number): string[] =>
  [0, 0.004, -0.004].map((spread, run) =>
    phasedRun(`${name}-${run}`, { load: 1 - spread, parse: 0.995 * factor * (1 + spread), store: 1 + spread / 2 }),
  );

const gate = (after: string[], ...conditions: string[]) =>
  callCli([
    'diff',
    '--before',
    ...runs('before', 1),
    '--after',
    ...after,
    '--requests',
    '1',
    '--json',
    ...conditions.flatMap((one) => ['--fail-on', one]),
  ]);

test('fails the gate if a phase takes 30 % longer in every run', async () => {
  const { code, stdout, stderr } = await gate(runs('slow', 1.3), 'self(^parse$) > 10%');
  expect(stderr).toMatch(
    /--fail-on self\(\^parse\$\) > 10%: failed: parse \+(29|30)\.\d % \(\+1\d\.\d % to \+\d\d\.\d %/,
  );
  expect(code).toBe(1);
  const { functions } = JSON.parse(stdout) as { functions: { name: string; verdict: { self: string } }[] };
  expect(functions.find(({ name }) => name === 'parse')!.verdict.self).toBe('grew');
  expect(functions.find(({ name }) => name === 'load')!.verdict.self).toBe('noise');
});

test('passes a gate of 20 % if a phase takes as long as before', async () => {
  const { code, stderr } = await gate(runs('same', 1.002), 'self(^parse$) > 20%');
  expect([code, stderr]).toEqual([0, expect.stringContaining('passed: parse')]);
});

const diff = (...args: string[]): Promise<CliRun> => callCli(['diff', ...args], { cwd: folder });

describe('exit codes', () => {
  test('are at most maybe with one capture per side, which fails only with --allow-single', async () => {
    const args = ['before.folded', 'after.folded', '--fail-on', 'self(spin) < -5 pp'];
    const held = await diff(...args);
    expect(held.code).toBe(5);
    expect(held.stderr).toContain(
      'inconclusive: record 2 more runs a side (3 in all) to settle it, or use --allow-single',
    );
    const allowed = await diff(...args, '--allow-single');
    expect([allowed.code, allowed.stderr]).toEqual([1, expect.stringContaining(': failed: spin -40.00 pp (')]);
  });

  test('are 5, 1 or 0 if inconclusive, and a failed condition takes precedence', async () => {
    const one = ['before.folded', 'after.folded', '--fail-on', 'self(spin) < -5 pp'];
    expect((await diff(...one, '--inconclusive', 'exit5')).code).toBe(5);
    expect((await diff(...one, '--inconclusive', 'fail')).code).toBe(1);
    expect((await diff(...one, '--inconclusive', 'pass')).code).toBe(0);
    const odd = await diff(...one, '--inconclusive', 'maybe');
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('exit5, fail, pass')]);
    // spin is beyond the limit, idle is undecided, and neither condition concerns work.
    const both = [...one, '--allow-single', '--fail-on', 'self(idle) > 1%'];
    expect((await diff(...both)).code).toBe(1);
    const open = await diff(...both.slice(0, 2), '--allow-single', '--fail-on', 'self(idle) > 1%');
    expect([open.code, open.stderr]).toEqual([5, expect.stringContaining('inconclusive: record ')]);
    expect(open.stderr).not.toContain('--allow-single');
    expect((await diff(...both.slice(0, 2), '--allow-single', '--fail-on', 'self(spin) > 1%')).code).toBe(0);
  });

  test('judge percentage points as shares, whatever is shown', async () => {
    const args = ['before.folded', 'after.folded', '--normalize', 'raw', '--allow-single'];
    const { code, stderr } = await diff(...args, '--fail-on', 'self(spin) < -10 pp');
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed: spin -40.00 pp (')]);
    expect((await diff(...args, '--fail-on', 'self(spin) < -80 pp')).code).toBe(0);
  });
});

test('is inconclusive if the function is gone after, because it may have been renamed', async () => {
  const rename = (path: string): string => {
    const renamed = `${path}.renamed`;
    writeFileSync(renamed, readFileSync(path, 'utf8').replaceAll(' parse+', ' parse_v2+'));
    return renamed;
  };
  const { code, stderr } = await gate(runs('renamed', 1).map(rename), 'self(^parse$) > 10%');
  expect(stderr).toMatch(/: inconclusive: parse \S+ .*; gone after/);
  expect(stderr).toContain('inconclusive: if it was renamed, match it with --match OLD=NEW');
  expect(code).toBe(5);
});

test('is inconclusive if a side is empty', async () => {
  const empty = join(folder, 'empty.perf.txt');
  writeFileSync(empty, '# perf version : 6.1\n');
  for (const sides of [
    [empty, join(folder, 'after.folded')],
    [empty, empty],
  ]) {
    const { code, stderr } = await callCli(['diff', ...sides, '--fail-on', 'self(spin) > 1%']);
    expect(stderr).toMatch(/--fail-on self\(spin\) > 1%: inconclusive: /);
    expect(code).toBe(5);
  }
});
