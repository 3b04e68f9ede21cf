import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createLineService, type LineService } from '#app/engine/source/line-service.ts';
import { compileHot } from '../../../support/hot-program.ts';
import { target } from '../../../support/perf-recording.ts';
import { recordedCaptures, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'line-service-'));
let library: Library;
let lines: LineService;

beforeAll(async () => {
  library = await openLibrary(join(folder, 'library'));
  lines = createLineService(library, target);
});
afterAll(() => {
  library.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Records the program and returns the capture's ID. */
async function record(program: string): Promise<string> {
  const options = ['--rate', '997', '--event', 'cpu-clock', '--library', library.path, '--json'];
  const recorded = await runCli(['record', 'perf', ...options, '--', program]);
  return recordedCaptures(recorded)[0]!.id;
}

const bytesOf = (id: string, file: string): Buffer => readFileSync(join(library.path, id, file));

test('stores lines of a recording with its files, and opens them from then on', async () => {
  const { program, source } = compileHot(folder);
  const id = await record(program);
  const before = await library.get(id);
  const raw = bytesOf(id, before.primaryFile);
  const plan = await lines.plan(id);
  expect(plan.commands.map((argv) => argv.at(-1))).toContain(program);
  const { frames, withLine } = await lines.run(plan.confirmation ?? '', false);
  expect(withLine).toBeGreaterThan(0);
  expect(withLine).toBeLessThanOrEqual(frames);

  const after = await library.get(id);
  expect(after.primaryFile).toBe('lines.perf-script.txt.gz');
  expect(after.otherFiles.toSorted()).toEqual([before.primaryFile, ...before.otherFiles].toSorted());
  expect(after.sizeBytes).toBeGreaterThan(before.sizeBytes);
  expect(bytesOf(id, before.primaryFile)).toEqual(raw);
  const text = gunzipSync(bytesOf(id, after.primaryFile)).toString();
  expect(text).toContain(`\n  ${source}:`);
  expect(text.replaceAll(/^ {2}\S.*\n/gm, '')).toBe(raw.toString());
  expect(await library.openFile(id)).toMatchObject({ fileName: after.primaryFile, cached: false });

  await expect(lines.run(plan.confirmation ?? '', false)).rejects.toMatchObject({ code: 'not-confirmed' });
  expect((await lines.plan(id)).commands).toEqual(plan.commands);
});

test('a cancelled or failed run leaves the capture unchanged', async () => {
  const { program } = compileHot(join(folder, 'gone'));
  const id = await record(program);
  const before = await library.get(id);
  const forgotten = await lines.plan(id);
  lines.cancel(forgotten.confirmation ?? '');
  await expect(lines.run(forgotten.confirmation ?? '', true)).rejects.toMatchObject({ code: 'not-confirmed' });

  const cancelled = await lines.plan(id);
  const running = lines.run(cancelled.confirmation ?? '', true);
  lines.cancel(cancelled.confirmation ?? '');
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });

  rmSync(program);
  const without = await lines.plan(id);
  expect(without.checks.find(({ id: check }) => check === program)).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('no longer exists'),
  });
  expect(await library.get(id)).toEqual(before);
});

test('plans no commands for an imported capture, whose binaries are elsewhere', async () => {
  async function* text() {
    yield Buffer.from('app 7 1.000: 1 cycles:\n\t1 work+0x1 (/srv/app)\n\n');
    await Promise.resolve();
  }
  const { id } = await library.importFile('a.txt', text());
  expect(await lines.plan(id)).toMatchObject({
    confirmation: null,
    commands: [],
    checks: [{ id: 'recording', status: 'failed' }],
  });
});
