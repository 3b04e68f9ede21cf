import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createPerfScriptService, type PerfScriptService } from '#app/engine/source/perf-script-service.ts';
import { CALLERS, recordCallers } from '../../../support/dwarf-recording.ts';
import { checkPerfEnds, target } from '../../../support/perf-recording.ts';

checkPerfEnds();

// perf treats every path that begins with /tmp/perf- as a JIT map.
const folder = mkdtempSync(join(tmpdir(), 'script-service-'));
let recorded = '';
let library: Library;
let service: PerfScriptService;

beforeAll(async () => {
  recorded = recordCallers(join(folder, 'app'));
  library = await openLibrary(join(folder, 'library'));
  service = createPerfScriptService(library, () => Promise.resolve(target));
});
afterAll(() => {
  library.close();
  rmSync(folder, { recursive: true, force: true });
});

async function keep(path: string): Promise<string> {
  const { id } = await library.importFile('app.perf.data', createReadStream(path));
  library.confirmReading(id, true);
  return id;
}

const bytesOf = (id: string, file: string): Buffer => readFileSync(join(library.path, id, file));

async function profileOf(id: string): Promise<Profile> {
  const { path, fileName, size } = await library.openFile(id, { ignoreCache: true });
  return importProfile({ fileName, size, chunks: () => createReadStream(path) });
}

/** Returns which callers the stacks of samples in `hot` contain. */
function callersOfHot({ samples, stacks, frames, functions, strings }: Profile): string[] {
  const found = new Set<string>();
  for (const leaf of samples.stack) {
    const names: string[] = [];
    for (let stack = leaf; stack >= 0; stack = stacks.parent[stack]!) {
      names.push(strings[functions.name[frames.func[stacks.frame[stack]!]!]!]!);
    }
    if (names[0] === 'hot') for (const name of names) found.add(name);
  }
  return CALLERS.filter((name) => found.has(name));
}

test('callers that are missing natively are found when perf reads the recording', async () => {
  const id = await keep(recorded);
  const raw = bytesOf(id, 'raw.perf.data');
  const native = await profileOf(id);
  expect(native.diagnostics.find(({ code }) => code === 'user-stack-not-unwound')?.remedy).toContain('perf-script');
  expect(callersOfHot(native)).toEqual([]);

  const plan = await service.plan(id, 'local');
  expect(plan).toMatchObject({ bytes: 0, samples: native.samples.length });
  expect(plan.command).toContain(join(library.path, id, 'raw.perf.data'));
  const steps: number[] = [];
  const answer = await service.run(plan.confirmation ?? '', ({ samples }) => void steps.push(samples));
  expect(answer).toMatchObject({ samples: native.samples.length, recorded: native.samples.length, lost: 0 });
  expect(steps.at(-1)).toBe(answer.samples);

  const after = await library.get(id);
  expect(after).toMatchObject({
    format: 'perf-script',
    primaryFile: 'by-perf.perf-script.txt.gz',
    otherFiles: ['raw.perf.data'],
    readByPerf: {
      file: 'by-perf.perf-script.txt.gz',
      of: 'raw.perf.data',
      command: plan.command,
      target: { kind: 'local' },
      samples: answer.samples,
    },
  });
  expect(bytesOf(id, 'raw.perf.data').equals(raw)).toBe(true);
  expect(gunzipSync(bytesOf(id, after.primaryFile)).toString()).toMatch(/^# read by : perf /);
  const read = await profileOf(id);
  expect(callersOfHot(read)).toEqual(CALLERS);
  expect(read.diagnostics.find(({ code }) => code === 'read-by-perf')?.message).toContain('perf script -i');
  expect(read.metadata).toMatchObject({ tool: 'perf', command: expect.stringContaining('perf record') });

  await expect(service.run(plan.confirmation ?? '', () => undefined)).rejects.toMatchObject({ code: 'not-confirmed' });
  const again = await service.plan(id, 'local');
  expect(again.command).toEqual(plan.command);
});

test('a cancelled or failed run leaves the capture unchanged', async () => {
  const id = await keep(recorded);
  const before = await library.get(id);
  const forgotten = await service.plan(id, 'local');
  service.cancel(forgotten.confirmation ?? '');
  await expect(service.run(forgotten.confirmation ?? '', () => undefined)).rejects.toMatchObject({
    code: 'not-confirmed',
  });

  const cancelled = await service.plan(id, 'local');
  const token = cancelled.confirmation ?? '';
  await expect(service.run(token, () => service.cancel(token))).rejects.toMatchObject({ code: 'cancelled' });

  const failing = await service.plan(id, 'local');
  rmSync(join(library.path, id, before.primaryFile));
  await expect(service.run(failing.confirmation ?? '', () => undefined)).rejects.toMatchObject({
    code: 'perf-script-failed',
    message: expect.stringContaining('No such file'),
  });
  expect(await library.get(id)).toEqual(before);
});

test('reports captures without a perf.data, and damaged ones', async () => {
  async function* text() {
    yield Buffer.from('app 7 1.000: 1 cycles:\n\t1 work+0x1 (/srv/app)\n\n');
    await Promise.resolve();
  }
  const { id } = await library.importFile('a.txt', text());
  expect(await service.plan(id, 'local')).toMatchObject({
    confirmation: null,
    command: null,
    checks: [{ id: 'recording', status: 'failed' }],
  });
  async function* broken() {
    yield Buffer.from(`PERFILE2${'\0'.repeat(100)}`);
    await Promise.resolve();
  }
  const bad = await library.importFile('b.perf.data', broken());
  await expect(service.plan(bad.id, 'local')).rejects.toMatchObject({ code: 'not-a-profile' });
  await expect(service.plan('capture-nowhere', 'local')).rejects.toMatchObject({ code: 'not-found' });
});
