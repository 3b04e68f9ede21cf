import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { ended, IN_PID_NAMESPACE, pidNamespaces, printed, startChild } from '../support/child.ts';
import { containing, matching } from '../support/matching.ts';
import { needing } from '../../../support/needing.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Kills a recording process after `appends` appends; returns the library's path and the capture's ID. */
async function recordUntilKilled(appends: number): Promise<{ path: string; id: string }> {
  const path = join(tempFolder(), 'library');
  const child = startChild('write-capture.ts', [path]);
  const text = await printed(child, (soFar) => soFar.length > 25 + appends);
  const id = text.slice(0, text.indexOf('\n'));
  const whileRecording = await openLibrary(path, { recover: () => Promise.reject(new Error('still alive')) });
  expect(await whileRecording.get(id)).toMatchObject({ state: 'recording', incomplete: false });
  expect(whileRecording.notices).toEqual([]);
  const exit = ended(child);
  child.kill('SIGKILL');
  await exit;
  return { path, id };
}

const appended = (document: CaptureDocument): Promise<Partial<CaptureDocument>> =>
  Promise.resolve({ samples: 7, diagnostics: [...document.diagnostics] });

test('keeps, marks, completes and announces once a capture whose Flamebench was killed', async () => {
  const { path, id } = await recordUntilKilled(20);
  const passive = await openLibrary(path);
  expect(await passive.get(id)).toMatchObject({ state: 'finished', incomplete: true, samples: null });
  const library = await openLibrary(path, { recover: (_files, document) => appended(document) });
  expect(library.notices).toEqual([matching(/^Recovered .* of “cut off”: /)]);
  await library.settled();
  const document = await library.get(id);
  expect(document).toMatchObject({ state: 'finished', incomplete: true, samples: 7 });
  const folder = join(path, id);
  expect(readdirSync(folder).sort()).toEqual(['capture.json', 'raw.perf.data', 'raw.txt']);
  expect(readFileSync(join(folder, 'raw.txt'), 'utf8')).toMatch(/^(?:main;work 1\n){20}/);
  expect(document.sizeBytes).toBe(
    statSync(join(folder, 'raw.txt')).size + statSync(join(folder, 'raw.perf.data')).size,
  );
  const later = await openLibrary(path, { recover: () => Promise.reject(new Error('again')) });
  expect(later.notices).toEqual([]);
  expect(await later.get(id)).toEqual(document);
});

test('recovers a capture that is cut off while a window is open', async () => {
  const path = join(tempFolder(), 'library');
  const library = await openLibrary(path, { recover: (_files, document) => appended(document) });
  const child = startChild('write-capture.ts', [path]);
  const id = (await printed(child, (text) => text.includes('\n.'))).split('\n')[0] ?? '';
  expect(await library.get(id)).toMatchObject({ state: 'recording' });
  const exit = ended(child);
  child.kill('SIGKILL');
  await exit;
  expect((await library.list()).captures).toMatchObject([{ id, state: 'finished', incomplete: true }]);
  await library.settled();
  expect(await library.get(id)).toMatchObject({ samples: 7 });
  expect(library.notices).toHaveLength(1);
});

needing(pidNamespaces, () => {
  test('leaves a recording alone that is stopped in another PID namespace, with a clock that is behind', async () => {
    const path = join(tempFolder(), 'library');
    const child = startChild('write-capture.ts', [path], { through: IN_PID_NAMESPACE });
    const id = (await printed(child, (text) => text.includes('\n.'))).split('\n')[0] ?? '';
    const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
    process.kill(pid, 'SIGSTOP');
    const hourAgo = Date.now() / 1000 - 3600;
    for (const name of readdirSync(join(path, id))) utimesSync(join(path, id, name), hourAgo, hourAgo);
    let recoveries = 0;
    const library = await openLibrary(path, {
      now: () => Date.now() + 120_000,
      recover: (_files, document) => {
        recoveries++;
        return appended(document);
      },
    });
    expect(await library.get(id)).toMatchObject({ state: 'recording', incomplete: false });
    await expect(library.trash(id)).rejects.toMatchObject({ code: 'in-use' });
    expect([recoveries, library.notices]).toEqual([0, []]);
    const exit = ended(child);
    process.kill(pid, 'SIGKILL');
    await exit;
    expect(await library.get(id)).toMatchObject({ state: 'finished', incomplete: true });
    await library.settled();
    expect(recoveries).toBe(1);
  });
});

test.each([
  ['deleted', (lock: string) => rmSync(lock)],
  ['replaced', (lock: string) => renameSync(`${lock}.other`, lock)],
])('says so if its lock was %s while it recorded, and keeps the data', async (_what, lose) => {
  const library = await openLibrary(join(tempFolder(), 'library'));
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  await writer.append('raw.txt', Buffer.from('main;work 1\n'));
  const lock = join(writer.folder, 'writer.lock');
  writeFileSync(`${lock}.other`, '');
  lose(lock);
  // Another process takes it for cut off.
  const other = await openLibrary(library.path, { recover: (_files, document) => appended(document) });
  await other.settled();
  const finished = await writer.finish({ samples: 1 });
  expect(finished).toMatchObject({ state: 'finished', incomplete: false, samples: 1, sizeBytes: 12 });
  expect(finished.diagnostics).toMatchObject([{ code: 'lock-lost', message: containing('writer.lock') }]);
  expect(await other.get(writer.id)).toEqual(finished);
  expect(readFileSync(join(writer.folder, 'raw.txt'), 'utf8')).toBe('main;work 1\n');
});

test('says so if its folder was moved while it recorded', async () => {
  const library = await openLibrary(join(tempFolder(), 'library'));
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  renameSync(writer.folder, `${writer.folder}-moved`);
  await expect(writer.finish()).rejects.toMatchObject({ code: 'lock-lost', message: containing(writer.folder) });
});

test('only one of several processes recovers', async () => {
  const { path, id } = await recordUntilKilled(5);
  let recoveries = 0;
  const recover = async (): Promise<Partial<CaptureDocument>> => {
    recoveries++;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return {};
  };
  const libraries = await Promise.all([1, 2, 3, 4].map(() => openLibrary(path, { recover })));
  await Promise.all(libraries.map((library) => library.settled()));
  expect(recoveries).toBe(1);
  expect(await libraries[3]?.get(id)).toMatchObject({ state: 'finished', incomplete: true });
});

test('a failed recovery keeps the raw files and reports it', async () => {
  const { path, id } = await recordUntilKilled(5);
  const library = await openLibrary(path, { recover: () => Promise.reject(new Error('perf is missing')) });
  await library.settled();
  const { state, incomplete, diagnostics } = await library.get(id);
  expect({ state, incomplete }).toEqual({ state: 'finished', incomplete: true });
  expect(diagnostics).toMatchObject([{ code: 'recovery-failed', message: containing('perf is missing') }]);
  expect(readdirSync(join(path, id)).sort()).toEqual(['capture.json', 'raw.perf.data', 'raw.txt']);
});
