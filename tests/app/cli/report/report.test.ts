import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { readReportCapture, readReportHtml } from '#core/import/report/read-report.ts';
import { callCli } from '../../../support/call-cli.ts';
import { runCli } from '../../../support/run-cli.ts';
import { chunksOf } from '../../engine/support/bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-report-'));
const at = (name: string): string => join(folder, name);
const CAPTURE = at('before.folded');

beforeAll(() => {
  writeFileSync(CAPTURE, 'main;parse;read 30\nmain;parse 10\nmain;write 20\n');
  writeFileSync(at('after.folded'), 'main;parse;read 10\nmain;parse 10\nmain;write 22\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = (...args: readonly string[]) => callCli(['report', ...args]);

it('writes the same report each time; a report made from it has the same data and notes', async () => {
  writeFileSync(at('notes.md'), '# Finding\n\nIt is **slow**.\n');
  const args = [CAPTURE, '--notes', at('notes.md'), '--author', 'me', '--redact', 'none'];
  expect(await report(...args, '-o', at('a.html'))).toMatchObject({ code: 0, stderr: '' });
  const first = readFileSync(at('a.html'), 'utf8');
  expect(first).toContain('<li>Read: 60 samples in 3 rows, 3 stacks, 4 functions, 1 thread.</li>');
  await report(...args, '-o', at('a.html'));
  expect(readFileSync(at('a.html'), 'utf8')).toBe(first);
  expect(await report(at('a.html'), '-o', at('b.html'))).toMatchObject({ code: 0, stderr: '' });
  const [one, two] = [first, readFileSync(at('b.html'), 'utf8')].map(readReportHtml);
  expect([...two!.captures]).toEqual([...one!.captures]);
  expect({ ...two!.report, made: null }).toEqual({ ...one!.report, made: null });
  expect(readReportCapture(two!.captures.get('c1')!).metadata.fileName).toBe('before.folded');
});

it('reads a profile from a pipe, once', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const writer = spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', CAPTURE, at('pipe')], { stdio: 'ignore' });
  try {
    const { code, stdout } = await runCli(['report', at('pipe'), '--to', 'json', '-o', '-']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"total": 60$/m)]);
  } finally {
    writer.kill();
  }
});

it('compares, and writes Markdown with its picture, CSV and JSON', async () => {
  const both = [CAPTURE, at('after.folded'), '--compare'];
  expect(await report(...both, '-o', at('c.md'))).toMatchObject({ code: 0 });
  const markdown = readFileSync(at('c.md'), 'utf8');
  expect(markdown).toContain('![Before and after](c.svg)');
  expect(markdown).toContain('| Function | Weight | Before | After |');
  expect(readFileSync(at('c.svg'), 'utf8')).toContain('<title>all (');
  const csv = await report(...both, '-o', '-', '--to', 'csv', '--table', 'before-after');
  expect(csv.stdout).toContain('Function,Module,Total before');
  const json = await report(...both, '-o', '-', '--to', 'json');
  expect((JSON.parse(json.stdout) as { changes: { functions: unknown[] } }).changes.functions).toHaveLength(4);
});

it('includes the library’s notes on its captures and on an experiment', async () => {
  const path = at('library');
  const library = await openLibrary(path);
  const [before, after] = await Promise.all(
    ['before', 'after'].map((side) =>
      library.importFile(`${side}.folded`, chunksOf(readFileSync(at(`${side}.folded`), 'utf8'))),
    ),
  );
  const sides = { name: 'e', before: [{ id: before!.id }], after: [{ id: after!.id }] };
  const { experiment } = await (await openExperiments(library)).create(sides);
  library.close();
  const own = (...args: readonly string[]) => callCli([...args, '--library', path]);
  await own('notes', before!.id, 'add', 'reads twice', '--function', 'read');
  await own('notes', experiment.id, 'add', 'shrank', '--function', 'read', '--delta');
  expect(await own('report', before!.id, '-o', at('own.html'))).toMatchObject({ code: 0 });
  expect(readReportHtml(readFileSync(at('own.html'), 'utf8')).report.notes).toMatchObject([
    { on: 'c1', note: { text: 'reads twice' } },
  ]);
  expect(await own('report', experiment.id, '-o', at('own.html'))).toMatchObject({ code: 0 });
  expect(readReportHtml(readFileSync(at('own.html'), 'utf8')).report.notes).toMatchObject([
    { on: null, note: { text: 'shrank' } },
  ]);
  const bundle = at('e.flamebench-experiment');
  expect(await own('experiments', 'export', experiment.id, '-o', bundle)).toMatchObject({ code: 0 });
  expect(await report(bundle, '-o', at('bundle.html'))).toMatchObject({ code: 0 });
  expect(readReportHtml(readFileSync(at('bundle.html'), 'utf8')).report.notes).toMatchObject([
    { on: null, note: { text: 'shrank' } },
  ]);
});

it('states the filters that apply', async () => {
  await report(CAPTURE, '--hide', '^write$', '-o', at('d.html'));
  const { report: document } = readReportHtml(readFileSync(at('d.html'), 'utf8'));
  expect(document.captures[0]!.view.join('\n')).toMatch(/hide|write/);
  expect(readReportCapture(readReportHtml(readFileSync(at('d.html'), 'utf8')).captures.get('c1')!).samples.length).toBe(
    2,
  );
});

it('lists what it redacted, and keeps the names given with --keep', async () => {
  writeFileSync(at('home.folded'), '/home/carola/bin/x;run 3\n');
  const replaced = await report(at('home.folded'), '-o', at('e.html'), '--title', 'x');
  expect(replaced.stderr).toContain('replaced home carola by user-1');
  expect(readFileSync(at('e.html'), 'utf8')).not.toContain('carola');
  const kept = await report(at('home.folded'), '-o', at('e.html'), '--keep', 'carola', '--title', 'x');
  expect(kept.stderr).not.toContain('carola');
  expect(readFileSync(at('e.html'), 'utf8')).toContain('/home/carola/bin');
});

it.each([
  [['-o', 'x.html'], 2, 'nothing to report on'],
  [[CAPTURE, '-o', 'x.pdf'], 2, 'can’t tell what to write from the name x.pdf'],
  [[CAPTURE, '-o', at('x.html'), '--redact', 'names'], 2, "--redact: unknown kind 'names'"],
  [[CAPTURE, '-o', at('x.html'), '--template', 'none'], 2, 'there is no template none'],
  [[CAPTURE, '-o', at('x.csv'), '--table', 'deltas'], 2, 'this report has no such table'],
  [[CAPTURE, '-o', at('x.html'), '--notes', at('none.md')], 3, 'none.md: no such file'],
  [[CAPTURE, '-o', at('x.html'), '--before', CAPTURE], 2, 'the after side is empty'],
])('report %j ends with %i: %s', async (args, code, message) => {
  const run = await report(...args);
  expect(run.code).toBe(code);
  expect(run.stderr).toContain(message);
});

it('reports what a PNG needs if there is no browser', async () => {
  const run = await callCli(['report', CAPTURE, '-o', at('x.png')], {
    env: { FLAMEBENCH_CHROMIUM: '/nowhere/chromium' },
  });
  expect(run).toMatchObject({ code: 2 });
  expect(run.stderr).toContain('PNG needs Chromium');
});

it('draws a PNG with Chromium at the requested scale', async () => {
  const run = await report(CAPTURE, '-o', at('x.png'), '--scale', '2');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const png = readFileSync(at('x.png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(2400);
});
