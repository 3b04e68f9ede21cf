import { expect, test } from 'vitest';
import { threadKey, threadsCalled } from '#core/analyze/view/called-threads.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';

test('finds threads by name, or by name and id', () => {
  const builder = new ProfileBuilder(0);
  for (const [tid, name] of [
    [1, 'main'],
    [2, 'worker'],
    [3, 'worker'],
    [4, 'worker #2'],
    [-1, 'js'],
    [6, ''],
  ] as const) {
    builder.thread(1, tid, name);
  }
  const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
  expect(threadsCalled(profile, ['worker'])).toEqual([1, 2]);
  expect(threadsCalled(profile, ['worker #3', 'js'])).toEqual([2, 4]);
  // A thread whose own name is `worker #2` is also selected.
  expect(threadsCalled(profile, ['worker #2'])).toEqual([1, 3]);
  expect(threadsCalled(profile, ['#6', 'nobody'])).toEqual([5]);
  expect(threadKey('js', -1)).toBe('js');
});
