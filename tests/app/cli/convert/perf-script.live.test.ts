import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLERS, recordCallers } from '../../../support/dwarf-recording.ts';
import { callCli } from '../../../support/call-cli.ts';
import { recordedCaptures, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-perf-script-'));
let file = '';
beforeAll(() => {
  file = recordCallers(join(folder, 'app'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Top {
  readonly total: number;
  readonly functions: readonly { readonly name: string; readonly total: number }[];
}

async function topOf(path: string, stdin?: string): Promise<Top> {
  const { stdout } = await callCli(['top', path, '--json'], stdin === undefined ? {} : { stdin });
  return JSON.parse(stdout) as Top;
}

const namesOf = ({ functions }: Top): string[] => functions.map(({ name }) => name);

/** Returns the share of the total weight of a function including its callees. */
const shareOf = ({ functions, total }: Top, name: string): number =>
  (functions.find((row) => row.name === name)?.total ?? 0) / total;

test('prints text for top that has the same weight and the missing callers', async () => {
  const native = await topOf(file);
  // A few samples may hit it directly; as a caller it would have most of them.
  expect(shareOf(native, 'middle')).toBeLessThan(0.1);
  const { stdout, stderr, code } = await callCli(['perf-script', file]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^\$ \/\S*perf script -i \S*app\.perf\.data .*\n\d+ samples, \d+\.\d % of the weight without a symbol\n$/,
  );
  const read = await topOf('-', stdout);
  expect(read.total).toBe(native.total);
  expect(namesOf(read)).toEqual(expect.arrayContaining(CALLERS));
  expect(shareOf(read, 'middle')).toBeGreaterThan(0.5);
});

test('agrees with perf on stacks from frame pointers', async () => {
  const pointers = recordCallers(join(folder, 'fp'), { callGraph: 'fp' });
  const output = join(folder, 'fp.txt');
  const { stdout } = await callCli(['perf-script', pointers, '-o', output, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ in: pointers, output, lost: 0, checks: [{ id: 'recording' }, {}, {}] });
  // Other functions, such as those of the vdso, are named only by perf.
  const of = ({ total, functions }: Top) => ({
    total,
    functions: functions.filter(({ name }) => CALLERS.includes(name)).map((row) => [row.name, row.total]),
  });
  expect(of(await topOf(output))).toEqual(of(await topOf(pointers)));
});

test('--dry-run prints what would run and runs nothing', async () => {
  const output = join(folder, 'none.txt');
  const { stdout, code } = await callCli(['perf-script', file, '-o', output, '--dry-run']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\/\S*perf script -i \S+ --force .*\n$/)]);
  expect(() => readFileSync(output)).toThrow(/ENOENT/);
  const planned = await callCli(['perf-script', file, '--dry-run', '--json']);
  expect(JSON.parse(planned.stdout)).toMatchObject({ command: expect.arrayContaining(['script', '-i', file]) });
});

test('stores a capture’s text as the file that is opened', async () => {
  const library = join(folder, 'library');
  const recorded = await runCli([
    'record',
    'perf',
    '--event',
    'cpu-clock',
    '--call-graph',
    'dwarf',
    '--rate',
    '499',
    '--library',
    library,
    '--json',
    '--',
    join(folder, 'app', 'app'),
  ]);
  const { id, samples } = recordedCaptures(recorded)[0]!;
  const { stdout, stderr } = await callCli(['perf-script', id, '--library', library, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ in: id, samples, recorded: samples });
  expect(stderr).toContain('perf script -i - ');
  const document = JSON.parse(readFileSync(join(library, id, 'capture.json'), 'utf8')) as { primaryFile: string };
  expect(document.primaryFile).toBe('by-perf.perf-script.txt.gz');
  const raw = await topOf(join(library, id, 'raw.perf-script.txt'));
  expect(await topOf(join(library, id, document.primaryFile))).toEqual(raw);

  // The lines belong to perf's newer text.
  expect((await callCli(['lines', id, '--library', library])).code).toBe(0);
  const lined = gunzipSync(readFileSync(join(library, id, 'lines.perf-script.txt.gz'))).toString();
  expect(lined).toMatch(/^# read by : perf /);
  expect(lined).toMatch(/hot\+0x.*\n {2}\S*app\.c:3\n/);
});

test('explains unreadable input in one line', async () => {
  const text = join(folder, 'text');
  writeFileSync(text, 'no recording');
  const refused: [args: string[], code: number, said: string][] = [
    [[text], 3, 'perf.data starts with PERFILE2'],
    [[join(folder, 'nowhere')], 3, 'no such file'],
    [['-'], 2, 'must be read twice'],
    [['no-such-capture', '--library', join(folder, 'empty')], 2, 'no-such-capture'],
    [[file, '--json'], 2, '-o FILE'],
    [[file, '--target', 'nobody'], 2, 'unknown target "nobody"'],
  ];
  for (const [args, code, said] of refused) {
    const run = await callCli(['perf-script', ...args]);
    expect([run.code, run.stdout, run.stderr.trimEnd().split('\n')]).toEqual([
      code,
      '',
      [expect.stringContaining(said)],
    ]);
  }
});
