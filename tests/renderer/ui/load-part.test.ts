import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPart } from '../../../renderer/ui/load-part.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns what loading has become once all its waits are over. */
async function loaded(failures: number): Promise<unknown> {
  let calls = 0;
  const part = loadPart(() => {
    calls++;
    return calls <= failures ? Promise.reject(new Error(`cut off ${calls}`)) : Promise.resolve(`part ${calls}`);
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return part;
}

test('a part is asked for again until it arrives, four times at most', async () => {
  expect(await loaded(0)).toBe('part 1');
  expect(await loaded(3)).toBe('part 4');
  expect(await loaded(9)).toEqual(new Error('cut off 4'));
});
