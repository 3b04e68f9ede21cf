import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { NO_SESSION } from '#core/contract/session.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startTestEngine } from '../support/test-engine.ts';

/** Creates alternating runs of a before and an after side, as samples/ has them. */
async function sampleFolder(): Promise<string> {
  const samplesPath = join(tempFolder(), 'profiles');
  const library = await openLibrary(join(tempFolder(), 'library'));
  const template = await library.importFile('raw.txt', chunksOf('main 1\n'));
  ['before', 'after', 'before', 'after'].forEach((side, index) => {
    const run = Math.floor(index / 2);
    const folder = join(samplesPath, 'perf-script', `${side}-${run + 1}`);
    mkdirSync(folder, { recursive: true });
    const series = { id: side, run, of: 2 };
    const document: CaptureDocument = { ...template, name: `${side} ${run + 1}`, createdAt: 1000 + index, series };
    writeFileSync(join(folder, 'capture.json'), JSON.stringify(document));
    writeFileSync(join(folder, 'raw.txt'), 'main 1\n');
  });
  return samplesPath;
}

test('a first start lists the samples and opens none; they open on request', async () => {
  const samplesPath = await sampleFolder();
  const first = await startTestEngine({ samplesPath });
  expect(await first.result('app.state', {})).toMatchObject({
    pendingCaptures: [],
  });
  expect(await first.result('library.list', { query: '' })).toMatchObject({ captures: [{}, {}, {}, {}] });
  expect(await first.result('library.open', { id: 'sample-perf-script-after-2' })).toMatchObject({ size: 7 });
  const libraryPath = join(tempFolder(), 'library');
  const library = await openLibrary(libraryPath);
  const { id } = await library.importFile('own.folded', chunksOf('main 1\n'));
  const later = await startTestEngine({ samplesPath, libraryPath });
  expect(await later.result('app.state', {})).toMatchObject({ pendingCaptures: [] });
  expect(await later.result('library.list', { query: '' })).toMatchObject({ captures: [{ id }, {}, {}, {}, {}] });
  const asked = await startTestEngine({ samplesPath, open: ['sample-perf-script-after-2'] });
  expect(await asked.result('app.state', {})).toMatchObject({ pendingCaptures: ['sample-perf-script-after-2'] });
});

test('the guide is for the first window of a library, with nothing to open, and for the first start', async () => {
  const places = { libraryPath: join(tempFolder(), 'library'), configPath: join(tempFolder(), 'config'), guide: true };
  const asked = await startTestEngine({ ...places, open: ['sample-none'] });
  expect(await asked.result('app.state', {})).toMatchObject({ pendingGuide: false });
  await asked.engine.close();
  const first = await startTestEngine(places);
  expect(await first.result('app.state', {})).toMatchObject({ pendingGuide: true });
  const { windowId } = (await first.result('session.take', { windowId: null })) as { windowId: string };
  expect(await first.result('app.state', {})).toMatchObject({ pendingGuide: true });
  await first.result('session.save', { windowId, session: NO_SESSION });
  expect(await first.result('app.state', {})).toMatchObject({ pendingGuide: false });
  await first.engine.close();
  const second = await startTestEngine(places);
  expect(await second.result('app.state', {})).toMatchObject({ pendingGuide: false });
});

test('the guide does not open where tabs are not restored, because each start would be the first', async () => {
  const places = { libraryPath: join(tempFolder(), 'library'), configPath: join(tempFolder(), 'config'), guide: true };
  const first = await startTestEngine(places);
  await first.result('settings.write', { change: { restoreSession: false } });
  await first.engine.close();
  const second = await startTestEngine(places);
  expect(await second.result('app.state', {})).toMatchObject({ pendingGuide: false });
});
