import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { tempFolder } from '../../engine/support/temp-folder.ts';

const SAMPLES = join(import.meta.dirname, '../../../../samples/profiles/perf-script');
const sample = (side: string, run: number): string =>
  join(SAMPLES, `page-server-${side}-${run}`, 'raw.perf-script.txt.gz');
const side = (name: string): string[] => [1, 2, 3, 4, 5].map((run) => sample(name, run));

interface Document {
  readonly answer: string;
  readonly claims: {
    handle: { function: string } | null;
    verdict: string | null;
    evidence: string[] | null;
    inWindow: string[] | null;
  }[];
  readonly alternatives: { id: string; status: string }[];
  readonly commands: string[][];
  readonly open: string[][];
}

test('explains real captures: the claim, its evidence that runs, the commands, and the other causes', async () => {
  const { stdout, code } = await callCli([
    'explain',
    '--before',
    ...side('before'),
    '--after',
    ...side('after'),
    '--json',
  ]);
  expect(code).toBe(0);
  const found = JSON.parse(stdout) as Document;
  expect(found.answer).toContain('match_route is gone');
  const claim = found.claims.find(({ handle }) => handle?.function === 'match_route')!;
  expect(claim.verdict).toBe('shrank');
  expect(found.alternatives).toContainEqual(expect.objectContaining({ id: 'order', status: 'rejected' }));
  expect(found.commands[0]!.slice(0, 2)).toEqual(['/usr/bin/perf', 'record']);
  expect(claim.inWindow).toEqual(['flamebench', 'open', sample('before', 1), '--search', '^match_route$']);
  // It is gone after: the evidence is of a capture before.
  expect(claim.evidence).toEqual(['flamebench', 'peek', sample('before', 1), '^match_route$']);
  expect((await callCli(claim.evidence!.slice(1))).stdout).toContain('match_route');
  expect(found.open.map((argv) => argv[1])).toEqual(['diff', 'report']);
});

test('a report as a finding begins with the same text', async () => {
  const sides = ['--before', ...side('before'), '--after', ...side('after'), '--to', 'md'];
  const explained = (await callCli(['explain', ...sides])).stdout.replaceAll('&amp;', '&');
  const asFinding = ['--compare', '--template', 'finding', '--redact', 'none', '-o', '-'];
  const report = (await callCli(['report', ...sides, ...asFinding])).stdout;
  // A report has the evidence itself.
  const lines = explained.slice(0, explained.indexOf('### Look at it')).split('\n');
  const expected = lines.filter((line) => line !== '' && !line.startsWith('   Evidence: ') && !line.startsWith('#'));
  expect(expected.length).toBeGreaterThan(25);
  const first = report.slice(0, report.indexOf('\n## Cause\n')).split('\n');
  expect(first.filter((line) => expected.includes(line))).toEqual(expected);
  expect(first).toContain(`**${lines[0]!.slice(3)}**`);
});

test('explains one capture as text and Markdown, and writes a file', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a.folded');
  writeFileSync(file, 'main;operator+ 700\nmain;send 300\n');
  const { stdout } = await callCli(['explain', file]);
  expect(stdout).toContain('operator+ has 70.0 % ± 2.8 % of 1,000 samples');
  expect(stdout).toContain(String.raw`Evidence: flamebench peek ${file} '^operator\+$'`);
  const out = join(folder, 'finding.md');
  expect(await callCli(['explain', file, '--to', 'md', '-o', out])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(out, 'utf8')).toMatch(/^## operator\+ has 70\.0 %/);
});

test('refuses what it can’t explain with one line and the remedy', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a.folded');
  const broken = join(folder, 'b.json');
  writeFileSync(file, 'main 1\n');
  writeFileSync(broken, '{');
  expect(await callCli(['explain'])).toMatchObject({
    code: 2,
    stderr: 'flamebench: nothing to explain; name a capture, an experiment, or BEFORE and AFTER\n',
  });
  expect((await callCli(['explain', file, '--requests', '3'])).code).toBe(2);
  expect((await callCli(['explain', join(folder, 'missing.txt')])).code).toBe(3);
  expect((await callCli(['explain', broken])).code).toBe(3);
  for (const sides of [[file], [file, file]])
    expect((await callCli(['explain', ...sides, '--binary', file])).stderr).toContain('is not a readable ELF file');
  expect((await callCli(['explain', file, '--before', file])).stderr).toContain('the after side is empty');
  expect((await callCli(['explain', file, '-o', file])).stderr).toContain('is an input of this command');
});
