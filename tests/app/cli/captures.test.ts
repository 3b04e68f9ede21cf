import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { prepareLibrary } from '#app/engine/library/library-marker.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { callCli } from '../../support/call-cli.ts';
import { chunksOf } from '../engine/support/bytes.ts';
import { ended, printed, startChild } from '../engine/support/child.ts';
import { containing, matching } from '../engine/support/matching.ts';
import { tempFolder } from '../engine/support/temp-folder.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'library');
});

const cli = (...args: readonly string[]) => callCli([...args, '--library', path], { cwd: folder });
const capture = async (name: string, text = 'main;work 3\n'): Promise<string> =>
  (await (await openLibrary(path)).importFile(name, chunksOf(text))).id;

describe('the list', () => {
  test('shows ID, age, size, grade, program and name, newest first', async () => {
    expect((await cli('captures')).stdout).toBe('No captures.\n');
    const older = await capture('older.folded');
    const newer = await capture('newer\u001b[31m\nred.folded');
    const { stdout, code } = await cli('captures');
    expect(code).toBe(0);
    const [titles, ...rows] = stdout.trimEnd().split('\n');
    expect(titles?.split(/ {2,}/)).toEqual(['ID', 'AGE', 'SIZE', 'GRADE', 'PROGRAM', 'NAME']);
    expect(rows).toEqual([
      matching(new RegExp(`^${newer} .* newer`)),
      matching(new RegExp(`^${older}  now .*12 B .*older.folded$`)),
    ]);
    expect(stdout).not.toContain('\u001b');
    expect(JSON.parse((await cli('captures', 'list', '--json')).stdout)).toMatchObject({
      captures: [{ id: newer }, { id: older }],
      broken: [],
    });
    const csv = (await cli('captures', '--csv')).stdout.split('\r\n');
    expect(csv[0]).toBe('ID,Created,Size (bytes),Grade,Program,Tags,Name');
    expect(csv[2]).toMatch(new RegExp(`^${older},\\d{4}-[^,]*,12,[^,]*,[^,]*,,older\\.folded$`));
  });

  test('has one row per load test, which its id unfolds', async () => {
    const library = await openLibrary(path);
    const ids = await Promise.all(['one', 'two', 'three'].map((name) => capture(`${name}.folded`)));
    for (const [place, id] of ids.slice(0, 2).entries()) {
      const load = { test: 'load-7', name: 'sweep', concurrency: 10, run: place + 1, qps: 5, requests: 50 };
      await library.setLoad(id, load);
    }
    const [, ...rows] = (await cli('captures')).stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual(matching(/^load-7 .* 24 B .*load test: sweep · 2 captures$/));
    expect(rows).toContainEqual(matching(/ three\.folded$/));
    expect(rows[2]).toBe('flamebench captures list ID lists the captures of a load test or an experiment');
    const unfolded = (await cli('captures', 'list', 'load-7')).stdout;
    expect(unfolded.match(/(?:one|two|three)\.folded$/gm)?.sort()).toEqual(['one.folded', 'two.folded']);
    expect(JSON.parse((await cli('captures', '--json')).stdout)).toMatchObject({ captures: [{}, {}, {}] });
  });

  test('of one step of a load test are a side of a comparison', async () => {
    const library = await openLibrary(path);
    for (const [place, [test, concurrency]] of (
      [
        ['load-7', 10],
        ['load-7', 10],
        ['load-8', 10],
        ['load-8', 50],
      ] as const
    ).entries()) {
      const id = await capture(`${place}.folded`);
      await library.setLoad(id, { test, name: test, concurrency, run: place + 1, qps: 5, requests: 50 });
    }
    const several = await cli('diff', 'load-7', 'load-8');
    expect([several.code, several.stderr]).toEqual([
      2,
      containing('load-8 has captures at 10, 50 connections; name one: load-8@10'),
    ]);
    const { code, stdout, stderr } = await cli('diff', 'load-7', 'load-8@50', '--json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      before: { captures: [{ name: '0.folded' }, { name: '1.folded' }] },
      after: { captures: [{ name: '3.folded' }] },
    });
    expect((await cli('diff', 'load-7', 'load-8@7')).code).toBe(2);
    expect((await cli('summary', 'experiment-20261121-174422-af487360')).stderr).toContain(
      'No experiment "experiment-20261121-174422-af487360"',
    );
  });

  test('sets tags, and lists the captures that have every word', async () => {
    const one = await capture('one.folded');
    await capture('two.folded');
    expect((await cli('captures', 'tag', one, 'prod', 'release=7', 'prod')).stdout).toBe(
      `${one} has the tags prod, release=7\n`,
    );
    const { stdout } = await cli('captures', 'list', 'PROD', 'release');
    expect(stdout.split('\n')[0]).toMatch(/ TAGS {2,}NAME$/);
    expect(stdout).toContain('prod, release=7');
    expect(stdout).not.toContain('two.folded');
    expect((await cli('captures', 'list', 'no-such')).stdout).toBe('No captures.\n');
    expect((await cli('captures', 'tag', one)).stdout).toBe(`${one} has no tags\n`);
    expect(await cli('captures', 'tag', one, 'a,b')).toMatchObject({ code: 2, stderr: containing('without commas') });
    expect(await cli('captures', 'tag')).toMatchObject({ code: 2, stderr: containing('wants a capture') });
  });

  test('names an unreadable folder, which can be deleted like any other', async () => {
    await prepareLibrary(path);
    mkdirSync(join(path, '20260101-000000-broken'), { recursive: true });
    writeFileSync(join(path, '20260101-000000-broken', 'capture.json'), '{');
    expect((await cli('captures')).stdout).toContain('20260101-000000-broken  broken: ');
    expect(await cli('captures', 'delete', '20260101-000000-broken')).toMatchObject({ code: 0 });
    expect((await cli('captures')).stdout).toBe('No captures.\n');
  });

  test('recovers what a killed Flamebench left, and reports it first', async () => {
    const child = startChild('write-capture.ts', [path]);
    const text = await printed(child, (soFar) => soFar.includes('\n.....'));
    const exit = ended(child);
    child.kill('SIGKILL');
    await exit;
    // An id, or its beginning, is found without reading the other captures.
    const other = await capture('checkout.folded');
    for (const word of [other, other.slice(0, -2)]) {
      expect(await cli('top', word)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Recovered') });
    }
    const { stdout, stderr } = await cli('captures');
    expect(stderr).toMatch(/^Recovered [\d.]+ \S+ of “cut off”: Flamebench exited while recording it\.$/m);
    expect(stdout).toContain(', incomplete');
    expect(stdout).toContain(text.slice(0, text.indexOf('\n')));
    expect((await cli('captures')).stderr).toBe('');
  });
});

test('shows a capture, and renames it by a unique prefix of its name', async () => {
  const id = await capture('checkout.folded');
  await capture('catalog.folded');
  expect((await cli('captures', 'rename', 'check', 'before the fix')).stdout).toBe(`${id} is now before the fix\n`);
  const { stdout } = await cli('captures', 'show', 'before');
  expect(stdout).toMatch(/^name +before the fix$/m);
  expect(stdout).toMatch(new RegExp(`^id +${id}$`, 'm'));
  expect(JSON.parse((await cli('captures', 'show', id, '--json')).stdout)).toMatchObject({
    id,
    name: 'before the fix',
  });
});

describe('a capture is named by its ID or a prefix of its name', () => {
  test.each([
    ['top', (word: string) => ['top', word]],
    ['convert', (word: string) => ['convert', word, '--to', 'folded']],
    ['annotate', (word: string) => ['annotate', word, 'work']],
    ['diff', (word: string) => ['diff', word, 'other.folded']],
  ])('in %s', async (_name, argv) => {
    const id = await capture('checkout.folded');
    const other = await capture('checkin.folded');
    writeFileSync(join(folder, 'other.folded'), 'main;work 4\n');
    expect(await cli(...argv(id))).toMatchObject({ code: 0, stdout: containing('work') });
    expect(await cli(...argv('checko'))).toMatchObject({ code: 0, stdout: containing('work') });
    const both = await cli(...argv('check'));
    expect(both).toMatchObject({ code: 2, stdout: '', stderr: containing('could be') });
    expect(both.stderr).toContain(id);
    expect(both.stderr).toContain(other);
    const none = await cli(...argv('nothing-like-it'));
    expect(none).toMatchObject({ code: 2, stdout: '', stderr: containing('neither a file nor a capture in') });
  });

  test('prefers a file of that name', async () => {
    await capture('checkout.folded', 'main;captured 3\n');
    writeFileSync(join(folder, 'checkout.folded'), 'main;filed 4\n');
    expect((await cli('top', 'checkout.folded')).stdout).toContain('filed');
  });
});

test('a recording without a sample says why and what to do, by its ID and by the path of its file', async () => {
  const writer = await (
    await openLibrary(path)
  ).create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  await writer.append('raw.txt', Buffer.from(''));
  await writer.finish({ samples: 0 });
  for (const word of [writer.id, join(path, writer.id, 'raw.txt')]) {
    expect(await cli('top', word)).toMatchObject({
      code: 3,
      stderr: containing('No samples were recorded. Record longer, or while the process works.'),
    });
  }
});

describe('the trash', () => {
  test('keeps deleted captures with their size until they are restored or emptied', async () => {
    const first = await capture('first.folded');
    const second = await capture('second\u001b[2J\n.folded');
    expect((await cli('captures', 'trash')).stdout).toBe('The trash is empty.\n');
    expect((await cli('captures', 'delete', 'first', second)).stdout).toBe(
      `${first} moved to the trash\n${second} moved to the trash\n`,
    );
    const { stdout } = await cli('captures', 'trash', 'list');
    expect(stdout).toMatch(new RegExp(`^${first}  now .*first.folded$`, 'm'));
    expect(stdout.split('\n')).toHaveLength(5);
    expect(stdout).not.toContain('\u001b');
    const csv = (await cli('captures', 'trash', '--csv')).stdout;
    expect(csv).toMatch(/^ID,Trashed,Size \(bytes\),Kind,Name\r\n/);
    expect(csv).toMatch(new RegExp(`^${first},\\d{4}-[^,]*Z,\\d+,capture,first\\.folded\r$`, 'm'));
    expect(await cli('captures', 'trash', 'empty', '--csv')).toMatchObject({
      code: 2,
      stderr: containing('captures trash empty does not take --csv'),
    });
    expect(stdout).toMatch(/^[\d.]+ \S+ in total; free them with flamebench captures trash empty$/m);
    expect((await cli('captures', 'trash', 'restore', first)).stdout).toBe(`${first} restored\n`);
    expect((await cli('top', first)).code).toBe(0);
    expect((await cli('captures', 'trash', 'empty')).stdout).toBe('1 permanently deleted\n');
    expect(readdirSync(join(path, '.trash'))).toEqual([]);
    expect((await cli('captures', 'list')).stdout).toContain(first);
  });

  test('moves experiments to the trash and restores them', async () => {
    const id = await capture('first.folded');
    const library = await openLibrary(path);
    const { experiment } = await (await openExperiments(library)).create({ name: null, before: [{ id }], after: [] });
    expect((await cli('captures', 'delete', experiment.id)).code).toBe(0);
    expect((await cli('captures', 'trash')).stdout).toMatch(/ experiment {2}/);
    expect((await cli('captures', 'trash', 'restore', experiment.id)).code).toBe(0);
    expect((await cli('experiments')).stdout).toContain(experiment.id);
  });

  test('does not replace an ID in use, and names what is not in the trash', async () => {
    const id = await capture('first.folded');
    await cli('captures', 'delete', id);
    mkdirSync(join(path, id));
    expect(await cli('captures', 'trash', 'restore', id)).toMatchObject({
      code: 2,
      stderr: containing('has another capture'),
    });
    rmSync(join(path, id), { recursive: true });
    for (const entry of ['nope', '..', '../..', `${id}/..`]) {
      expect(await cli('captures', 'trash', 'empty', entry)).toMatchObject({
        code: 2,
        stderr: containing('Nothing in the trash'),
      });
    }
    expect(readdirSync(join(path, '.trash'))).toEqual([id]);
  });
});

test('names what is not Flamebench’s in the trash, and keeps it', async () => {
  await cli('captures', 'delete', await capture('first.folded'));
  mkdirSync(join(path, '.trash', 'photos'));
  const line = /^Not Flamebench’s, and never deleted: photos$/m;
  expect((await cli('captures', 'trash')).stdout).toMatch(line);
  expect((await cli('captures', 'trash', 'empty')).stdout).toBe('1 permanently deleted\n');
  expect((await cli('captures', 'trash')).stdout).toMatch(line);
  expect(JSON.parse((await cli('captures', 'trash', '--json')).stdout)).toEqual({ trash: [], others: ['photos'] });
  expect(readdirSync(join(path, '.trash'))).toEqual(['photos']);
});

test('only reads captures among other content until the folder is adopted', async () => {
  const id = await capture('first.folded');
  rmSync(join(path, '.flamebench-library'));
  mkdirSync(join(path, 'src'));
  const list = await cli('captures');
  expect(list.stdout).toContain(id);
  expect(list.stderr).toMatch(/^The library .* is only read: .*flamebench captures adopt --library .*\n$/);
  expect(await cli('captures', 'delete', id)).toMatchObject({ code: 2, stderr: containing('captures adopt') });
  expect((await cli('captures', 'adopt')).stdout).toBe(`${path} is a library now\n`);
  expect(await cli('captures', 'delete', 'src')).toMatchObject({ code: 2, stderr: containing('src') });
  expect(await cli('captures', 'delete', id)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(path)).toContain('src');
});

test('refuses a folder of something else in one line with a remedy', async () => {
  mkdirSync(join(path, 'src'), { recursive: true });
  const { code, stdout, stderr } = await cli('captures');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^flamebench: .* can’t be the library: .*"src"\)\. Set FLAMEBENCH_LIBRARY or --library .*\n$/);
});

test('refuses bad input in one line', async () => {
  expect(await cli('captures', 'burn')).toMatchObject({ code: 2, stderr: containing("unknown action 'burn'") });
  expect(await cli('captures', 'trash', 'burn')).toMatchObject({
    code: 2,
    stderr: containing("unknown action 'trash burn'"),
  });
  expect(await cli('captures', 'delete')).toMatchObject({ code: 2, stderr: containing('wants a capture') });
  expect(await cli('captures', 'show', 'a', 'b')).toMatchObject({ code: 2, stderr: containing("takes no 'b'") });
});
