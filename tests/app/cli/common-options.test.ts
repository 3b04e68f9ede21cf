import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '#app/cli/commands.ts';
import { callCli } from '../../support/call-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-common-'));
const given = join(folder, 'given.folded');
const env = { FLAMEBENCH_LIBRARY: join(folder, 'library'), FLAMEBENCH_CONFIG: join(folder, 'config') };

beforeAll(() => writeFileSync(given, 'main;work 3\nmain;"a, b" 1\n'));
afterAll(() => rmSync(folder, { recursive: true }));

test('-q leaves the result and errors', async () => {
  const hidden = await callCli(['top', given, '--hide', 'work'], { env });
  const quiet = await callCli(['top', given, '--hide', 'work', '-q'], { env });
  expect(hidden.stderr).toContain('hide stacks');
  expect(quiet).toEqual({ ...hidden, stderr: '' });
  expect((await callCli(['top', '-q', join(folder, 'missing')], { env })).stderr).toContain('missing');
});

test('-v adds what was read and what it cost', async () => {
  const { code, stderr } = await callCli(['top', '-v', given], { env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/given\.folded: folded, 4 samples\n/);
  expect(stderr).toMatch(/^top: [\d.]+ s, [\d.]+ s of CPU, \d+ MiB at most$/m);
});

test('-q and -v exclude each other, and --color takes three words', async () => {
  expect(await callCli(['top', given, '-q', '-v'], { env })).toMatchObject({ code: 2, stdout: '' });
  expect(await callCli(['top', given, '--color', 'sometimes'], { env })).toMatchObject({ code: 2, stdout: '' });
  expect((await callCli(['top', given, '--color=always'], { env })).stdout).toContain('\u001b[1m');
});

test('a collector of record takes them before and after its name', async () => {
  const plans = [
    ['record', '-q', 'perf', '--dry-run', '--', 'true'],
    ['record', 'perf', '-q', '--dry-run', '--', 'true'],
  ];
  for (const words of plans) expect(await callCli(words, { env })).toMatchObject({ stderr: '' });
});

test.each([
  [['peek', given, 'main'], 'row,function,other,self,total,weight'],
  [['traces', given], 'weight,labels,stack'],
  [['list', given, 'work'], 'function,file,line,self,total'],
  [['tags', given], 'key,value,weight'],
  [['annotate', given, 'work'], 'file,line,self,total'],
  [['experiments'], 'id,name,before,after,missing'],
  [['captures', 'trash'], 'ID,Trashed,Size (bytes),Kind,Name'],
  [['load'], 'id,state,runs,probes,created,name'],
  [['targets'], 'id,name,origin,connectedAt'],
  [['formats'], 'direction,id,label,keeps,loses'],
])('%o --csv is a table', async (words, head) => {
  const { code, stdout } = await callCli([...words, '--csv'], { env });
  expect(code).toBe(0);
  expect(stdout.split('\r\n').find((line) => !line.startsWith('#'))).toBe(head);
  expect(await callCli([...words, '--csv', '--json'], { env })).toMatchObject({ code: 2, stdout: '' });
});

test.each([
  ['captures', 'show', 'x'],
  ['experiments', 'export', 'x'],
  ['notes', 'x', 'add', 'y'],
  ['load', 'delete', 'x'],
])('%s %s takes no --csv, because it prints no table', async (...words) => {
  const { code, stdout, stderr } = await callCli([...words, '--csv'], { env });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/does not take --csv; it is for /)]);
});

test('CSV keeps names whole', async () => {
  expect((await callCli(['traces', given, '--csv'], { env })).stdout).toContain('1,,"""a, b"";main"\r\n');
});

test('manual pages list commands and options, as roff that man reads without a warning', async () => {
  const { stdout } = await callCli(['man']);
  for (const { name } of commands) expect(stdout).toContain(`.B ${name.replaceAll('-', '\\-')}\n`);
  const page = await callCli(['man', 'convert']);
  expect(page.stdout).toContain('.B \\-o, \\-\\-output <out>');
  expect(await callCli(['man', 'experiments'])).toEqual(await callCli(['man', 'experiment']));
  expect(await callCli(['man', 'nothing'])).toMatchObject({ code: 2, stdout: '' });
  const groff = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-Kutf8'], {
    input: stdout + page.stdout,
    encoding: 'utf8',
  });
  if (groff.error === undefined) expect(groff.stderr).toBe('');
});
