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
