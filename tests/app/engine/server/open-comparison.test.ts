import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { comparisonWords } from '#app/engine/comparison-words.ts';
import { NOTHING_TO_OPEN, resolveOpenRequest } from '#app/engine/open-requests.ts';
import { liveToWord } from '#app/engine/live/live-word.ts';
import { startTestEngine } from '../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-comparison-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ['a.folded', 'b.folded', 'c.folded', 'after=odd.folded'])
  writeFileSync(join(folder, name), 'main 1\n');

const library = await openLibrary(join(folder, 'library'));
async function* bytes() {
  yield await Promise.resolve(Buffer.from('main 1\n'));
}
const capture = (await library.importFile('kept.folded', bytes())).id;
const experiments = await openExperiments(library);
const { experiment } = await experiments.create({ name: 'e', before: [{ id: capture }], after: [] });
library.close();

const file = (name: string) => ({ kind: 'file', path: join(folder, name), fileName: name, size: 7 });
const resolveWords = (...words: string[]) => resolveOpenRequest(words, folder, library);

test('arguments for two sides open a comparison, even if a desktop turned them into paths', async () => {
  const words = comparisonWords({ before: ['a.folded', join(folder, 'b.folded')], after: [capture] });
  const comparison = {
    before: [file('a.folded'), file('b.folded')],
    after: [{ kind: 'capture', id: capture }],
  };
  const expected = { ...NOTHING_TO_OPEN, comparisons: [comparison] };
  expect(await resolveWords(...words)).toEqual(expected);
  const absolute = comparisonWords({
    before: ['a.folded', 'b.folded'].map((name) => join(folder, name)),
    after: [capture],
  });
  expect(await resolveWords(...absolute.map((word) => `${folder}/${word}`))).toEqual(expected);
});

test('a view is passed on with its capture', async () => {
  expect(await resolveWords(capture, `${folder}/view=eJw-_1`)).toMatchObject({ captures: [capture], view: 'eJw-_1' });
  expect((await resolveWords(capture, 'view=<b>')).problems).toHaveLength(1);
});

test('a process to watch is passed on, and a word that names none is refused', async () => {
  const scope = { kind: 'pid', pid: 7, startTicks: null } as const;
  const options = { collector: 'perf', scope, rateHz: 99, event: null, callGraph: 'fp', seconds: null } as const;
  const wish = { target: 'local', options, limits: { maxCpus: null } };
  expect(await resolveWords(`${folder}/${liveToWord(wish)}`)).toMatchObject({ live: wish, problems: [] });
  for (const text of ['live=e30', 'live=__proto__', `live=${Buffer.from('{"target":"x y"}').toString('base64url')}`]) {
    const { live, problems } = await resolveWords(text);
    expect([live, problems.length]).toEqual([null, 1]);
    expect(problems[0]).toContain('names no process to watch; use flamebench live');
  }
});

test('a file named like a side is a file; an experiment opens as one', async () => {
  const request = await resolveWords('after=odd.folded', experiment.id, 'c.folded');
  expect(request.files.map(({ fileName }) => fileName)).toEqual(['after=odd.folded', 'c.folded']);
  expect([request.experiments, request.comparisons, request.problems]).toEqual([[experiment.id], [], []]);
});

test('a capture’s file opens as the capture, or under its name if it is another library’s', async () => {
  const raw = join(library.path, capture, 'raw.folded');
  expect(await resolveWords(raw)).toMatchObject({ captures: [capture], files: [], problems: [] });
  const copy = join(folder, 'other library', capture);
  cpSync(join(library.path, capture), copy, { recursive: true });
  const path = join(copy, 'raw.folded');
  expect(await resolveWords(path)).toMatchObject({ captures: [], files: [{ path, fileName: 'kept.folded' }] });
  expect(await resolveWords(join(copy, 'capture.json'))).toMatchObject({ files: [{ fileName: 'capture.json' }] });
});

test.each([
  [['before=a.folded'], /^the after side is empty/],
  [['before=a.folded', 'after=nowhere'], /^nowhere is neither a file, a capture nor an experiment/],
  [['before=a.folded', `after=${experiment.id}`], /is an experiment, which already has both sides/],
])('refuses %j in one line', async (words, line) => {
  const { problems, comparisons } = await resolveWords(...words);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(line);
  expect(comparisons).toEqual([]);
});

test('the window receives it, with handles', async () => {
  const open = [...comparisonWords({ before: ['a.folded'], after: ['b.folded'] }), experiment.id];
  const test = await startTestEngine({ open, cwd: folder, libraryPath: join(folder, 'library') });
  expect(test.engine.problems).toEqual([]);
  expect(await test.result('app.state', {})).toMatchObject({
    pendingFiles: [],
    pendingExperiments: [experiment.id],
    pendingComparisons: [
      {
        before: [{ kind: 'file', file: { fileName: 'a.folded', size: 7 } }],
        after: [{ kind: 'file', file: { fileName: 'b.folded', size: 7 } }],
      },
    ],
  });
  expect(
    test.engine.recent
      .list()
      .map(({ fileName }) => fileName)
      .sort(),
  ).toEqual(['a.folded', 'b.folded']);
});
