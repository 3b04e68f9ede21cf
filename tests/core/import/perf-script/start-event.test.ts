import { expect, it } from 'vitest';
import { startEvent } from '#core/import/perf-script/events.ts';

it.each([
  [['page-faults', 'cycles:u'], [90, 3], 'cycles:u'],
  [['task-clock', 'cpu-clock'], [9, 9], 'cpu-clock'],
  [['cpu-clock', 'cpu_core/cycles/', 'instructions'], [8, 9, 99], 'cpu_core/cycles/'],
  [['cycles', 'cache-misses'], [0, 2], 'cache-misses'],
  [['branch-misses', 'cache-misses'], [5, 7], 'cache-misses'],
  [['sched:b', 'sched:a'], [7, 7], 'sched:a'],
])('of %j with %j samples, a view starts with %s, in any order', (names, samples, event) => {
  expect(names[startEvent(names, samples)]).toBe(event);
  expect(names.toReversed()[startEvent(names.toReversed(), samples.toReversed())]).toBe(event);
});
