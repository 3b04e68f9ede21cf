import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { root } from '../../../../scripts/run-command.ts';

const runs = (side: string): string[] =>
  Array.from({ length: 5 }, (_, run) => `samples/profiles/pprof/apiserver-${side}-${run + 1}/raw.pprof`);

const VERSION = /Flamebench \d+\.\d+\.\d+/;

it('writes the report of the bundled samples that docs/sample-report.md shows', async () => {
  const sides = ['--before', ...runs('before'), '--after', ...runs('after'), '--compare'];
  const title = 'Request dumping takes more than half of the CPU time';
  const run = await callCli(['report', ...sides, '--author=', '--title', title, '-o', '-', '--to', 'md'], {
    cwd: root,
  });
  expect(run.code, run.stderr).toBe(0);
  const documented = readFileSync(join(root, 'docs/sample-report.md'), 'utf8');
  // To update the file, redirect the output of the command in its last line to it.
  expect(run.stdout.replace(VERSION, '')).toBe(documented.replace(VERSION, ''));
});

it('grades whole captures, whatever they are focused on', async () => {
  const server = (side: string): string[] =>
    [1, 2, 3].map((run) => `samples/profiles/perf-script/page-server-${side}-${run}/raw.perf-script.txt.gz`);
  const args = ['--before', ...server('before'), '--after', ...server('after'), '--focus', 'route_lookup', '--compare'];
  // What is focused on has too few functions to tell load and machine from code.
  args.push('--requests', 'before=1000,after=1000');
  const run = await callCli(['report', ...args, '-o', '-', '--to', 'json'], { cwd: root });
  expect(run.code, run.stderr).toBe(0);
  const { captures, changes } = JSON.parse(run.stdout) as {
    captures: { quality: { unrooted: number } }[];
    changes: { functions: { name: string; total: { verdict: string } }[]; warnings: { code: string }[] };
  };
  expect(captures.every(({ quality }) => quality.unrooted < 0.1)).toBe(true);
  expect(changes.warnings.map(({ code }) => code)).not.toContain('withheld-totals');
  expect(changes.functions.find(({ name }) => name === 'route_lookup')?.total.verdict).toBe('shrank');
});
