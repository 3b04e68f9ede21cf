import { expect, test } from 'vitest';
import { PATHS, TOKEN_HEADER } from '#core/contract/contract.ts';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { startTestEngine } from '../support/test-engine.ts';

test('stretches of a file are read side by side, before and after the whole', async () => {
  const test = await startTestEngine();
  const headers = { origin: test.engine.origin, [TOKEN_HEADER]: await test.session() };
  const sent = await test.send(`${PATHS.upload}?name=a.folded`, { method: 'POST', headers, body: 'main;work 3\n' });
  const { id } = (JSON.parse(sent.text) as { result: { id: string } }).result;
  const { handle } = (await test.result('library.open', { id })) as { handle: string };
  const stretch = (range: string) => test.send(PATHS.file + handle, { headers: { ...headers, range } });

  expect(await stretch('bytes=5-8')).toMatchObject({
    status: 206,
    text: 'work',
    headers: { 'content-length': '4', 'content-range': 'bytes 5-8/12' },
  });
  expect(await test.send(PATHS.file + handle, { headers })).toMatchObject({ status: 200, text: 'main;work 3\n' });
  expect((await test.send(PATHS.file + handle, { headers })).status).toBe(404);
  expect(await stretch('bytes=11-11')).toMatchObject({ status: 206, text: '\n' });
  for (const range of ['bytes=5-12', 'bytes=8-5', 'bytes=-5', 'bytes=5-', 'bytes=0-1,3-4', 'lines=1-2', '']) {
    expect((await stretch(range)).status, range).toBe(416);
  }
  expect((await test.send(`${PATHS.file}x`, { headers: { ...headers, range: 'bytes=0-1' } })).status).toBe(404);
});

test('a handle ends for stretches too', () => {
  let now = 0;
  const handles = createFileHandles(() => now);
  const file = { path: '/a', fileName: 'a' };
  const handle = handles.add(file);
  expect(handles.take(handle)).toBe(file);
  expect(handles.take(handle)).toBeNull();
  expect(handles.forStretch(handle)).toBe(file);
  now = 3_600_000;
  expect(handles.forStretch(handle)).toBeNull();
});
