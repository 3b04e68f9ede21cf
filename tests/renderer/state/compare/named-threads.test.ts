import { expect, test } from 'vitest';
import { namedThreads, threadsFound } from '../../../../renderer/state/compare/named-threads.ts';

const thread = (name: string, tid: number, samples: number) => ({ name, pid: 1, tid, samples });
const lines = (rows: ReturnType<typeof namedThreads>) =>
  rows.map(({ key, tid, threads, samples }) => `${key}|${tid ?? 'all'}|${threads}|${samples}`);

test('sums names over captures, and lists several threads of one capture by ID', () => {
  const rows = namedThreads([
    [thread('main', 1, 10), thread('worker', 2, 5), thread('worker', 3, 9)],
    [thread('main', 4, 20), thread('worker', 2, 7)],
  ]);
  expect(lines(rows)).toEqual(['main|all|2|30', 'worker|all|3|21', 'worker #2|2|2|12', 'worker #3|3|1|9']);
  expect(lines(threadsFound(rows, ' 3 '))).toEqual(['worker #3|3|1|9']);
  expect(threadsFound(rows, 'WORK')).toHaveLength(3);
});

test('lists threads without an ID by name only', () => {
  expect(lines(namedThreads([[thread('js', -1, 1), thread('js', -1, 2)]]))).toEqual(['js|all|2|3']);
});
