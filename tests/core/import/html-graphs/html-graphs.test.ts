import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { foldedText } from '../../../support/folded-lines.ts';

checkImport({ path: 'async-profiler-html/cpu.html', format: 'async-profiler-html', isText: true });
checkImport({ path: 'memray-html/allocations.html', format: 'memray-html', isText: true });

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/import', path), 'utf8');
const read = (text: string, format?: string) => importProfile(byteSource(text), format === undefined ? {} : { format });

it('reads async-profiler’s frames at their widths, less the frames on them', async () => {
  // n: 2 of 100 not drawn; f(12,1,2,30): Thread::run, on it 20 and 10 wide; f(25,1,10,60): main, from 32 to 92; 10 in all are left.
  expect(foldedText(await read(fixture('async-profiler-html/cpu.html')))).toBe(
    [
      '(no stack) 10',
      "Thread::run;it's_a\\name 20",
      'Thread::run;sys_read 10',
      'app/Main.main 35',
      'app/Main.main;app/Main.parse_[i];app/Main.parse_[i];app/Main.parse_[i] 10',
      'app/Main.main;app/Main.parse_[i];app/Main.parse_[i];sys_read 15',
      '',
    ].join('\n'),
  );
});

const page = (lines: string) =>
  `<!DOCTYPE html>\n<html><body><h1>Wall</h1><script>\n// Copyright The async-profiler authors\nvar levels = new Array(3);\n${lines}\n</script></body></html>`;

it('reads pages of async-profiler 2.x, whose calls have names', async () => {
  const lines = "f(0,0,10,3,'all')\nf(1,0,7,1,'a.b\\'c')\nf(2,0,3,2,'d',1,0,2)\nf(1,7,3,3,'e')";
  expect(foldedText(await read(page(lines)))).toBe("a.b'c 4\na.b'c;d_[i] 3\ne 3\n");
});

it('skips frames that lie on others, and counts them', async () => {
  const profile = await read(
    page("const cpool = ['all',' main',\"!hot\"];\nunpack(cpool);\nn(3,10)\nu(3)\nf(0,0,0,10)"),
  );
  expect(foldedText(profile)).toBe('all 10\n');
  expect(profile.diagnostics.map(({ code, count }) => [code, count])).toEqual([
    ['skipped-frame', 1],
    ['picture', 1],
  ]);
});

it.each([
  ["const cpool = [\n'all'\n];\nn(3,10)\nu(80)", /a frame has the name 10 of 1/],
  ["const cpool = [\n'all',\n'\u{fffd}x'\n];\nn(3,10)", /can’t be unpacked/],
  ["const cpool = [\n'all'\n];\nn(3,10)\nf(3,2,0,10)", /on level 2 stands on none/],
  ["const cpool = [\n'all'\n];\nn(3,10)\nu(3,11)", /"all" is wider than its caller/],
  ["const cpool = [\n'all'\n];", /draws no frame/],
])('refuses %j', async (lines, message) => {
  await expect(read(page(lines))).rejects.toMatchObject({
    failure: 'malformed',
    message: expect.stringMatching(message),
  });
});

it('has the bytes and allocations that `memray transform speedscope` states', async () => {
  const { samples, valueTypes } = await read(fixture('memray-html/allocations.html'));
  const sum = (column: number) => samples.weights[column]!.reduce((all, weight) => all + weight, 0);
  expect(valueTypes.map(({ type, unit }) => `${type}/${unit}`)).toEqual(['space/bytes', 'allocations/count']);
  expect([sum(0), sum(1)]).toEqual([2_050_424, 1067]);
});

const memray = (nodes: object) =>
  `<!DOCTYPE html>\n<html><head><title>memray - flamegraph report</title></head><script>\n  const packed_data = ${JSON.stringify({ nodes, strings: ['a', '&lt;b&gt;', '0x1f (main)'] })};\n</script></html>`;
const COLUMNS = { function: [0, 1], filename: [0, 0], lineno: [0, 7], n_allocations: [1, 1], thread_id: [2, 2] };

it('reads threads and escaped names of memray', async () => {
  const profile = await read(memray({ ...COLUMNS, children: [[1], []], value: [5, 5] }));
  expect(foldedText(profile)).toBe('main;<b> 5\n');
  expect(profile.threads.tid[0]).toBe(31);
});

it.each([
  [{ ...COLUMNS, children: [[1], [1]], value: [5, 5] }, 'malformed', /node 1 has two places/],
  [{ ...COLUMNS, children: [[], []], value: [5, 5] }, 'malformed', /node 1 is not below an earlier one/],
  [{ ...COLUMNS, children: [[9], []], value: [5, 5] }, 'malformed', /a child of node 0 is 9/],
  [{ ...COLUMNS, children: [[1], []] }, 'unsupported', /without --temporal/],
])('refuses %j', async (nodes, failure, message) => {
  await expect(read(memray(nodes))).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
});
