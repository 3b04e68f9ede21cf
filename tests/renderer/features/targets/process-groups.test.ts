import { expect, test } from 'vitest';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { belongsTo, processGroups } from '../../../../renderer/features/targets/process-groups.ts';

const row = (facts: Partial<ProcessRow>): ProcessRow =>
  ({
    cpuPercent: null,
    container: null,
    containerName: null,
    image: null,
    pod: null,
    unit: null,
    ...facts,
  }) as ProcessRow;

test('lists containers, pods and units, each busiest first, with sums', () => {
  const web = { container: 'docker:aaaa', containerName: 'web', image: 'nginx:1' };
  const rows = [
    row({ ...web, cpuPercent: 10 }),
    row({ ...web, cpuPercent: null }),
    row({ container: 'docker:bbbb', containerName: 'web', cpuPercent: 50, pod: '__proto__/x' }),
    row({ container: 'lxc:old' }),
    row({ unit: 'nginx.service', cpuPercent: 3 }),
    row({}),
  ];
  const groups = processGroups(rows);
  expect(
    groups.map(({ kind, key, name, image, count, cpuPercent }) => [kind, key, name, image, count, cpuPercent]),
  ).toEqual([
    ['container', 'container docker:bbbb', 'web', null, 1, 50],
    ['container', 'container docker:aaaa', 'web', 'nginx:1', 2, 10],
    ['container', 'container lxc:old', 'lxc:old', null, 1, 0],
    ['pod', 'pod __proto__/x', '__proto__/x', null, 1, 50],
    ['unit', 'unit nginx.service', 'nginx.service', null, 1, 3],
  ]);
  expect(rows.map((one) => groups.filter((group) => belongsTo(one, group)).length)).toEqual([1, 1, 2, 1, 1, 0]);
  expect(processGroups([])).toEqual([]);
});
