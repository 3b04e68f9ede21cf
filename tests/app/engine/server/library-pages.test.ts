import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { listInPages } from '#app/engine/handlers/library-pages.ts';

const captures = Array.from({ length: 2500 }, (_, place) => ({ id: `capture-${place}` }) as CaptureDocument);
const damaged = [{ id: 'bad', message: 'broken', remedy: 'delete it' }];
const pagesOf = (found: readonly CaptureDocument[]) =>
  listInPages({ list: () => Promise.resolve({ captures: found, damaged }) });

test('a long list is answered in pages, each once, with what is damaged on the first', async () => {
  const list = pagesOf(captures);
  const first = await list({ query: '' });
  expect(first.damaged).toEqual(damaged);
  const second = await list({ query: '', after: first.next! });
  const third = await list({ query: '', after: second.next! });
  expect([second.damaged, third.damaged, third.next]).toEqual([[], [], undefined]);
  expect([...first.captures, ...second.captures, ...third.captures]).toEqual(captures);
  await expect(list({ query: '', after: first.next! })).rejects.toMatchObject({ code: 'not-found' });
});

test('a list that fits one page is complete, and lists that nobody reads on are forgotten', async () => {
  expect(await pagesOf(captures.slice(0, 1000))({ query: '' })).toEqual({ captures: captures.slice(0, 1000), damaged });
  const list = pagesOf(captures);
  const { next } = await list({ query: '' });
  for (let other = 0; other < 8; other++) await list({ query: '' });
  await expect(list({ query: '', after: next! })).rejects.toMatchObject({ code: 'not-found' });
});
