import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compileHot } from '../../support/hot-program.ts';
import { callCli } from '../../support/call-cli.ts';
import { recordedCaptures, runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('adds source lines to a recording, which annotate prints', async () => {
  const library = join(folder, 'library');
  const { program, source } = compileHot(folder);
  const options = ['--library', library, '--json'];
  const recorded = await runCli(['record', 'perf', '--rate', '997', '--event', 'cpu-clock', ...options, '--', program]);
  expect(recorded.stderr).toContain('perf record');
  const { id } = recordedCaptures(recorded)[0]!;

  const planned = await callCli(['lines', id, '--dry-run', ...options]);
  const { commands } = JSON.parse(planned.stdout) as { commands: string[][] };
  expect(commands.map((argv) => argv.at(-1))).toContain(program);
  expect((await callCli(['annotate', id, 'mix', '--library', library])).stderr).toContain('has no source lines');

  const looked = await callCli(['lines', id, '--library', library]);
  expect(looked.stderr).toContain(`-a -f -i -e ${program}`);
  expect(looked.stdout).toMatch(/^[\d,]+ of [\d,]+ frames have a source line \(\d+\.\d %\)\n$/);
  expect(looked.code).toBe(0);
  const annotated = await callCli(['annotate', id, 'mix', '--text', ...options]);
  const { lines } = JSON.parse(annotated.stdout) as { lines: { file: string; line: number; text: string }[] };
  const text = readFileSync(source, 'utf8').split('\n');
  for (const line of lines) expect([line.file, line.text]).toEqual([source, text[line.line - 1]]);
  expect(lines.length).toBeGreaterThan(1);

  const raw = join(library, id, 'raw.perf-script.txt');
  const asRecorded = await callCli(['top', raw, '--json']);
  const withLines = await callCli(['top', join(library, id, 'lines.perf-script.txt.gz'), '--json']);
  const { functions } = JSON.parse(asRecorded.stdout) as { functions: object[] };
  expect((JSON.parse(withLines.stdout) as { functions: object[] }).functions).toHaveLength(functions.length);
});

test('explains in one line what cannot be resolved', async () => {
  const { code, stderr } = await callCli(['lines', 'nothing', '--library', join(folder, 'empty')]);
  expect([code, stderr.split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain('nothing');
});
