import { expect, test } from 'vitest';
import { threadIds, threadLabel, threadName } from '../../../renderer/state/thread-names.ts';

const thread = (name: string, pid: number, tid: number) => ({ name, pid, tid, samples: 1 });

test('IDs distinguish threads of one name', () => {
  const threads = [thread('main', 7, 7), thread('worker', 7, 8), thread('worker', 7, 9), thread('js', -1, -1)];
  const labels = threads.map((_, row) => threadLabel(threads, row));
  expect(labels).toEqual(['main', 'worker 7/8', 'worker 7/9', 'js']);
});

test('names are one line of bounded length, and an ID replaces a missing one', () => {
  expect(threadName(thread('', 1, 2))).toBe('thread 2');
  expect(threadName(thread('a\nb', 1, 2))).not.toContain('\n');
  expect(threadName(thread('x'.repeat(5000), 1, 2)).length).toBeLessThanOrEqual(60);
  expect(threadIds(thread('a', -1, 4))).toBe('4');
});
