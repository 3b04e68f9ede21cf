import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { chunksOf } from '../../engine/support/bytes.ts';
import { tempFolder } from '../../engine/support/temp-folder.ts';
import { callCli } from '../../../support/call-cli.ts';

let folder: string;
let id: string;
let captures: [before: string, after: string];

beforeEach(async () => {
  folder = tempFolder();
  const library = await openLibrary(join(folder, 'library'));
  const [before, after] = [
    await library.importFile('before.folded', chunksOf('main;work 3\n')),
    await library.importFile('after.folded', chunksOf('main;work 1\n')),
  ];
  captures = [before.id, after.id];
  const { experiment } = await (
    await openExperiments(library)
  ).create({
    name: 'cache',
    before: [{ id: before.id, requests: 10 }],
    after: [{ id: after.id, requests: 1 }],
    notes: 'On a Tuesday.\nTwice.',
    options: { normalisation: 'raw' },
  });
  id = experiment.id;
});

const cli = (library: string, ...args: readonly string[]) =>
  callCli(['experiments', ...args, '--library', join(folder, library)], { cwd: folder });

test('lists and shows experiments', async () => {
  expect(await cli('library')).toEqual({ code: 0, stdout: `${id}  1 before, 1 after    cache\n`, stderr: '' });
  const { stdout } = await cli('library', 'show', id);
  expect(stdout.split('\n')).toEqual([
    'cache',
    id,
    'before',
    `  ${captures[0]}  before.folded · 10 requests`,
    'after',
    `  ${captures[1]}  after.folded · 1 request`,
    'normalised raw',
    '',
    'On a Tuesday.',
    'Twice.',
    '',
  ]);
  const listed = JSON.parse((await cli('library', '--json')).stdout) as unknown;
  expect(listed).toMatchObject({ experiments: [{ experiment: { id }, missing: [] }], damaged: [] });
  expect((await cli('empty')).stdout).toContain('No experiments.');
});

test('exports an experiment to a file and imports it, by name or through a pipe', async () => {
  expect(await cli('library', 'export', id)).toEqual({ code: 0, stdout: 'cache.flamebench-experiment\n', stderr: '' });
  const { stdout, code } = await cli('other', 'import', 'cache.flamebench-experiment');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^cache: 2 captures added\nNext: flamebench diff experiment-[a-z0-9-]+ --library \S+other\n$/);
  const stdin = readFileSync(join(folder, 'cache.flamebench-experiment'));
  const piped = await callCli(['experiments', 'import', '-', '--library', join(folder, 'other'), '--json'], { stdin });
  expect(JSON.parse(piped.stdout)).toMatchObject({ added: 0, known: 2, missing: [], experiment: { name: 'cache' } });
  expect((await cli('other')).stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('every command takes the beginning of an experiment’s ID, and asks for more if several begin so', async () => {
  const at = ['--library', join(folder, 'library')];
  const begun = id.slice(0, -3);
  expect((await cli('library', 'show', begun)).stdout).toContain(`cache\n${id}\n`);
  expect((await callCli(['diff', begun, ...at])).stdout).toContain(`cache (${id})`);
  expect((await callCli(['notes', begun, ...at])).stdout).toBe('No notes.\n');
  expect((await callCli(['load', 'show', begun, ...at])).stderr).toContain(`${id} has captures, but no load tests`);
  expect((await callCli(['report', begun, ...at, '-o', 'r.md'], { cwd: folder })).code).toBe(0);
  const summary = await callCli(['summary', begun, ...at]);
  expect(summary).toMatchObject({ code: 0, stderr: '' });
  expect(summary.stdout).toContain(`cache\n${id}\n\nFunctions: `);
  expect(summary.stdout).toContain(
    '\nbefore · before.folded: 3 samples\n\nFunctions by self weight\n  3  100.0 %  work',
  );
  expect(summary.stdout).toContain('\nafter · after.folded: 1 sample\n');
  expect(JSON.parse((await callCli(['summary', begun, '--json', ...at])).stdout)).toMatchObject({
    experiment: { id, name: 'cache' },
    findings: [expect.stringContaining('Functions')],
    before: { total: 3 },
    after: { total: 1 },
  });
  expect(await callCli(['summary', begun, '--csv', ...at])).toMatchObject({ code: 2 });
  const experiments = await openExperiments(await openLibrary(join(folder, 'library')));
  const side = captures.map((capture) => [{ id: capture, requests: null }]);
  await experiments.create({ name: null, before: side[0]!, after: side[1]! });
  const day = id.slice(0, 'experiment-20261130'.length);
  for (const words of [['experiment', 'show'], ['diff'], ['summary'], ['load', 'show'], ['report', '-o', 's.md']]) {
    const { code, stderr } = await callCli([...words, day, ...at], { cwd: folder });
    expect([words, code]).toEqual([words, 2]);
    expect(stderr).toMatch(new RegExp(`^flamebench.*: ${day} could be experiment-.*, experiment-.*; give the id\n$`));
  }
});

test('names missing captures', async () => {
  await (await openLibrary(join(folder, 'library'))).trash(captures[0]);
  expect((await cli('library')).stdout).toContain('cache (1 missing)');
  expect((await cli('library', 'show', id)).stdout).toContain('before.folded · 10 requests (trashed)');
  const exported = await cli('library', 'export', id, '-o', 'half');
  expect(exported).toMatchObject({ code: 0, stdout: 'half\n', stderr: expect.stringMatching(/1 capture is missing/) });
  expect((await cli('other', 'import', 'half')).stdout).toContain('1 capture added, 1 missing from the file');
});

test('refuses bad input in one line', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'no bundle');
  const broken = await cli('library', 'import', 'notes.txt');
  expect(broken.code).toBe(3);
  expect(broken.stderr).toMatch(/^flamebench.*Not a valid experiment file.*\n$/);
  for (const [args, code, line] of [
    [['export', 'experiment-none'], 2, /No experiment/],
    [['export', captures[0]], 2, /No experiment/],
    [['show'], 2, /needs an experiment id/],
    [['import'], 2, /needs a file/],
    [['import', 'no-such-file'], 3, /no such file/],
    [['delete', id], 2, /unknown action 'delete'/],
    [['list', id], 2, /unexpected argument/],
    [['show', id, 'more'], 2, /unexpected argument/],
  ] as const) {
    const { stderr, code: ended } = await cli('library', ...args);
    expect({ args, ended, lines: stderr.trimEnd().split('\n').length }).toEqual({ args, ended: code, lines: 1 });
    expect(stderr).toMatch(line);
  }
  expect(readdirSync(folder).sort()).toEqual(['library', 'notes.txt']);
});
