import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_SESSION } from '#core/contract/session.ts';
import type { SettingsChange } from '#core/contract/settings-schema.ts';
import { TOKEN_HEADER } from '#core/contract/paths.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startTestEngine } from '../support/test-engine.ts';

test('reads and changes settings field by field; an invalid value changes nothing', async () => {
  const { call, result } = await startTestEngine();
  expect(await result('settings.read', {})).toMatchObject({ theme: 'system', digits: 3 });
  const first: SettingsChange = {
    theme: 'dark',
    orientation: 'flame',
    kindRules: 'user: leaf: .',
    sourceFolders: ['/src'],
    trashDays: 7,
  };
  await result('settings.write', { change: { ...first, keys: { 'graph.copy': ['Y'] } } });
  await result('settings.write', { change: { digits: 5, keys: { 'graph.home': [] } } });
  const expected = { ...first, digits: 5, keys: { 'graph.copy': ['Y'], 'graph.home': [] } };
  expect(await result('settings.read', {})).toMatchObject(expected);
  expect(await call('settings.write', { change: { theme: 'light', fontPx: 1000 } })).toMatchObject({
    ok: false,
    error: { code: 'invalid-arguments' },
  });
  expect(await result('settings.read', {})).toMatchObject(expected);
});

test('lists a file opened by path as recent, by name and ID, and opens it again', async () => {
  const folder = tempFolder();
  const path = join(folder, 'a.folded');
  writeFileSync(path, 'main 1\n');
  const { engine, call, result, send, session } = await startTestEngine({ open: [path] });
  const { files } = (await result('recent.list', {})) as { files: { id: string; fileName: string }[] };
  expect(files).toMatchObject([{ fileName: 'a.folded' }]);
  const id = files[0]?.id ?? '';
  expect(await result('app.state', {})).toMatchObject({ pendingFiles: [{ recentId: id }] });
  const opened = (await result('recent.open', { id })) as { handle: string };
  const answer = await send(`/file/${opened.handle}`, {
    headers: { origin: engine.origin, [TOKEN_HEADER]: await session() },
  });
  expect(answer.text).toBe('main 1\n');
  rmSync(path);
  expect(await call('recent.open', { id })).toMatchObject({ ok: false, error: { code: 'file-missing' } });
  await result('recent.forget', { id: null });
  expect(await result('recent.list', {})).toEqual({ files: [] });
});

test('a window’s tabs are not restored in the next one; an empty session keeps the samples closed', async () => {
  const path = join(tempFolder(), 'a.folded');
  writeFileSync(path, 'main 1\n');
  const configPath = tempFolder();
  const run = await startTestEngine({ open: [path], configPath });
  const { windowId } = (await run.result('session.take', { windowId: null })) as { windowId: string };
  expect(await run.result('app.state', {})).toMatchObject({ pendingFiles: [{ fileName: 'a.folded' }] });
  await run.result('session.save', { windowId, session: NO_SESSION });
  expect(await run.result('app.state', {})).toMatchObject({ pendingFiles: [] });
  const next = await startTestEngine({ configPath, libraryPath: run.engine.libraryPath });
  expect(await next.result('session.take', { windowId })).toMatchObject({ session: NO_SESSION, again: false });
});
