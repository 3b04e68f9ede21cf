import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { tempFolder } from '../../engine/support/temp-folder.ts';

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('says where the time goes, with the rules given, as text, CSV and JSON', async () => {
  const folder = tempFolder();
  const file = write(folder, 'small.folded', 'main;work;malloc 700\nmain;work;spin 200\nmain;idle 100\n');
  const { stdout, code } = await callCli(['summary', file]);
  expect(code).toBe(0);
  expect(stdout.replace(folder, '')).toBe(`/small.folded: 1,000 samples

Functions by self weight
  700  70.0 %  malloc
  200  20.0 %  spin
  100  10.0 %  idle

Kinds
  700  70.0 %  allocation
  300  30.0 %  other

${stdout.slice(stdout.indexOf('Quality'))}`);
  const rules = write(folder, 'rules.txt', 'spinning: leaf: ^spin$\n');
  expect((await callCli(['summary', file, '--rules', rules, '--csv'])).stdout).toContain('kind,spinning,,200,0.2');
  const json = JSON.parse((await callCli(['summary', file, '--rules', rules, '--json'])).stdout) as object;
  expect(json).toMatchObject({
    total: 1000,
    kinds: [
      { kind: 'other', weight: 800 },
      { kind: 'spinning', weight: 200, functions: [{ name: 'spin', weight: 200 }] },
    ],
    previous: null,
  });
});

test('prints a receipt: what was read, and what was skipped, merged, lost or changed', async () => {
  const file = write(tempFolder(), 'odd.folded', 'main;work 700\nmain;idle 300\nmain;work 2.5\nno count\n');
  const { stdout } = await callCli(['summary', file]);
  expect(stdout).toContain(
    `Read: 1,003 samples in 3 rows, 2 stacks, 3 functions, 1 thread.
Weights: samples 1,002.5.
Not as in the file: skipped 1.
  skipped 1: Lines that are not "stack count" were skipped.
`,
  );
  expect(JSON.parse((await callCli(['summary', file, '--json'])).stdout)).toMatchObject({
    receipt: {
      events: 0,
      samples: 1003,
      rows: 3,
      stacks: 2,
      withoutStack: 0,
      functions: 3,
      threads: 1,
      weights: [{ type: 'samples', unit: 'count', total: 1002.5 }],
      exceptions: [{ effect: 'skipped', code: 'skipped-line', count: 1 }],
    },
  });
});

test('prints the rules, and names the line of a bad one', async () => {
  const folder = tempFolder();
  const { stdout } = await callCli(['summary', '--print-rules']);
  expect(stdout).toContain('system calls: any: ');
  const bad = write(folder, 'bad.txt', 'a: any: x\nb: nowhere: y\n');
  const refused = await callCli(['summary', bad, '--rules', bad]);
  expect(refused.stderr).toMatch(/bad\.txt:2: not of the form KIND: any\|leaf: REGEX/);
  expect(refused.code).toBe(2);
  const none = join(folder, 'none');
  expect(await callCli(['summary', bad, '--rules', none])).toMatchObject({
    code: 2,
    stderr: `flamebench: can't read ${none}: no such file; check the name\n`,
  });
  expect((await callCli(['summary'])).stderr).toContain('missing argument');
});
