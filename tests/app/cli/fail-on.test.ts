import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../support/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-fail-on-'));
  writeFileSync(join(folder, 'before.folded'), 'main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
  writeFileSync(join(folder, 'after.folded'), 'main;work;spin 30\nmain;work;idle 20\nmain;fresh 50\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const diff = (...args: string[]): Promise<CliRun> => runCli(['diff', ...args], { cwd: folder });

describe('exit codes', () => {
  test('one capture a side is maybe at most, and fails only with --allow-single', async () => {
    const args = ['before.folded', 'after.folded', '--fail-on', 'self(spin) < -5 pp'];
    const held = await diff(...args);
    expect(held.code).toBe(5);
    expect(held.stderr).toContain(
      'inconclusive: record 2 more runs a side (3 in all) to settle it, or give --allow-single',
    );
    const allowed = await diff(...args, '--allow-single');
    expect([allowed.code, allowed.stderr]).toEqual([1, expect.stringContaining(': failed: spin -40.00 pp (')]);
  });

  test('an inconclusive condition exits with 5, 1 or 0, and a failed one goes before it', async () => {
    const one = ['before.folded', 'after.folded', '--fail-on', 'self(spin) < -5 pp'];
    expect((await diff(...one, '--inconclusive', 'exit5')).code).toBe(5);
    expect((await diff(...one, '--inconclusive', 'fail')).code).toBe(1);
    expect((await diff(...one, '--inconclusive', 'pass')).code).toBe(0);
    const odd = await diff(...one, '--inconclusive', 'maybe');
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('exit5, fail, pass')]);
    // spin is beyond, idle is undecided, and neither says anything of work.
    const both = [...one, '--allow-single', '--fail-on', 'self(idle) > 1%'];
    expect((await diff(...both)).code).toBe(1);
    expect((await diff(...both.slice(0, 2), '--allow-single', '--fail-on', 'self(idle) > 1%')).code).toBe(5);
    expect((await diff(...both.slice(0, 2), '--allow-single', '--fail-on', 'self(spin) > 1%')).code).toBe(0);
  });

  test('points of a share are judged as shares, whatever is shown', async () => {
    const args = ['before.folded', 'after.folded', '--normalize', 'raw', '--allow-single'];
    const { code, stderr } = await diff(...args, '--fail-on', 'self(spin) < -10 pp');
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed: spin -40.00 pp (')]);
    expect((await diff(...args, '--fail-on', 'self(spin) < -80 pp')).code).toBe(0);
  });
});
