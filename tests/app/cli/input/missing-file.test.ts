import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';

const PATH = './no-such.folded';

test.each([
  ['top', PATH],
  ['summary', PATH],
  ['annotate', PATH, 'main'],
  ['convert', PATH, '--to', 'folded'],
  ['diff', PATH],
  ['diff', PATH, PATH],
  ['report', PATH, '-o', join(tmpdir(), 'unwritten.html')],
  ['report', '--compare', PATH, PATH, '-o', join(tmpdir(), 'unwritten.html')],
  ['load', 'show', PATH],
  ['perf-script', PATH],
  ['load', 'diff', PATH, PATH],
])('the path of no file is reported as one: %s', async (...argv) => {
  expect(await runCli(argv)).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^flamebench: can't read \.\/no-such\.folded: no such file; check the name\n$/),
  });
});
