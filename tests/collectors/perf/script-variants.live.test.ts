import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '#core/model/profile.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-variants-'));
const data = join(folder, 'perf.data');

/** Output of the real perf for one recording with different options. */
describe('real perf script, option by option', () => {
  const script = (...options: string[]): Profile =>
    readPerfScript(
      execFileSync('perf', ['script', '--no-inline', '-i', data, ...options], { stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  let usual: Profile;

  beforeAll(() => {
    const spin = 'for (let t = Date.now(); Date.now() - t < 300;);';
    const events = ['-e', 'cpu-clock', '-e', 'context-switches', '-F', '500', '--sample-cpu'];
    execFileSync('perf', ['record', '-q', '-g', ...events, '-o', data, '--', process.execPath, '-e', spin], {
      stdio: 'ignore',
    });
    usual = script('--header');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('has the default counts', () => {
    expect(usual.samples.length).toBeGreaterThan(50);
    expect(usual.metadata).toMatchObject({ tool: 'perf', rateHz: 500 });
    expect(usual.valueTypes).toContainEqual(expect.objectContaining({ type: 'cpu-clock', unit: 'nanoseconds' }));
    expect(usual.diagnostics.filter(({ code }) => code !== 'unresolved-frames')).toEqual([]);
  });

  test.each([
    ['--ns'],
    ['-F', '+pid'],
    ['-F', '+misc'],
    ['-F', '+cpu'],
    ['-F', 'comm,pid,tid,time,event,ip,sym,dso'],
    ['-F', 'comm,tid,cpu,time,period,event,ip,sym,symoff'],
    ['--reltime'],
    ['--show-task-events', '--show-mmap-events', '--show-lost-events'],
  ])('%s %s: has as many samples, frames and events', (...options) => {
    const profile = script(...options.filter((option) => option !== undefined));
    expect(profile.samples.length).toBe(usual.samples.length);
    expect(profile.events).toEqual(usual.events);
    expect(depths(profile)).toEqual(depths(usual));
    expect(profile.diagnostics.filter(({ code }) => code === 'skipped-line')).toEqual([]);
  });

  test('has one frame per sample without call graphs', () => {
    const profile = script('-G');
    expect(profile.samples.length).toBe(usual.samples.length);
    expect(new Set(depths(profile))).toEqual(new Set([1]));
  });
});

function depths({ samples, stacks }: Profile): number[] {
  return Array.from(samples.stack, (leaf) => {
    let depth = 0;
    for (let row = leaf; row >= 0; row = stacks.parent[row]!) depth += 1;
    return depth;
  });
}
