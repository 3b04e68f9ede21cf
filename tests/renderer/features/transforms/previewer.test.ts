import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import { createPreviewer } from '../../../../renderer/features/transforms/previewer.ts';

const of = (module: string): NamedTransform => ({ enabled: true, kind: 'collapse-module', module });
const found = (count: number): TransformPreview => ({ found: count, weight: 1, total: 2, hides: 0, functions: [] });

/** The test gives answers in the order of the requests. */
function byHand() {
  const asked: { transform: NamedTransform; answer: (preview: TransformPreview) => void; refuse: () => void }[] = [];
  const previewer = createPreviewer(
    (transform) =>
      new Promise((resolve, reject) => {
        asked.push({ transform, answer: resolve, refuse: () => reject(new Error('no')) });
      }),
  );
  return { asked, previewer, state: () => previewer.store.get().state };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('waits for a pause in typing', async () => {
  const { asked, previewer, state } = byHand();
  previewer.ask(of('a'));
  vi.advanceTimersByTime(100);
  previewer.ask(of('ab'));
  vi.advanceTimersByTime(119);
  expect(asked).toEqual([]);
  expect(state()).toEqual({ status: 'running' });
  vi.advanceTimersByTime(1);
  expect(asked.map(({ transform }) => transform)).toEqual([of('ab')]);
  asked[0]!.answer(found(3));
  await vi.waitFor(() => {
    expect(state()).toEqual({ status: 'shown', preview: found(3) });
  });
});

test('drops answers to outdated requests, and sends one request at a time', async () => {
  const { asked, previewer, state } = byHand();
  previewer.ask(of('a'));
  vi.advanceTimersByTime(120);
  previewer.ask(of('b'));
  vi.advanceTimersByTime(120);
  expect(asked).toHaveLength(1);
  asked[0]!.answer(found(1));
  await vi.waitFor(() => {
    expect(asked).toHaveLength(2);
  });
  expect(state()).toEqual({ status: 'running' });
  asked[1]!.refuse();
  await vi.waitFor(() => {
    expect(state()).toMatchObject({ status: 'refused' });
  });
});

test('settled sends the request immediately', async () => {
  const { asked, previewer } = byHand();
  previewer.ask(of('a'));
  const settled = previewer.settled();
  expect(asked).toHaveLength(1);
  asked[0]!.answer(found(2));
  expect(await settled).toEqual({ status: 'shown', preview: found(2) });
  previewer.ask(null);
  expect(await previewer.settled()).toEqual({ status: 'none' });
});
