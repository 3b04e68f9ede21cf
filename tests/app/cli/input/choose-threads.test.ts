import { expect, test } from 'vitest';
import { chooseThreads } from '#app/cli/input/choose-threads.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';

function profileOf(...threads: readonly (readonly [tid: number, name: string])[]) {
  const builder = new ProfileBuilder(0);
  for (const [tid, name] of threads) builder.thread(1, tid, name);
  return builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
}

test('--thread takes an ID, a name, or both', () => {
  const profile = profileOf([1, 'main'], [2, 'worker'], [3, 'worker'], [4, '2']);
  expect(chooseThreads(profile, [])).toBeNull();
  expect(chooseThreads(profile, ['worker'])).toEqual([1, 2]);
  expect(chooseThreads(profile, ['worker #3', '1'])).toEqual([2, 0]);
  expect(chooseThreads(profile, ['2'])).toEqual([1, 3]);
  expect(() => chooseThreads(profile, ['worker #9'])).toThrow("no thread 'worker #9'");
});
