import { describe, expect, test } from 'vitest';
import {
  findLimitingGroups,
  parseCgroups,
  parseMemoryLimit,
  parseQuota,
  parseThrottling,
  readCgroupLimits,
  readThrottling,
  throttlingBetween,
  type GroupOwner,
  type ThrottleReading,
} from '#collectors/target/cgroup-limits.ts';
import {
  parseCpuModel,
  parseCpuTicks,
  parseLoadAverage,
  readLoad,
  readMachineSettings,
  stealBetween,
} from '#collectors/target/circumstances.ts';
import type { CgroupLimits } from '#core/contract/capture-facts.ts';
import type { Target } from '#collectors/target/target.ts';

/** Makes a machine that has only these files. */
function machine(files: Readonly<Record<string, string>>): Target {
  const bytes = (path: string): Uint8Array | null =>
    files[path] === undefined ? null : new TextEncoder().encode(files[path]);
  return {
    readRanges: (ranges: readonly { readonly path: string }[]) =>
      Promise.resolve(ranges.map(({ path }) => bytes(path))),
    listDirectory: (path: string) => {
      const names = Object.keys(files).flatMap((file) =>
        file.startsWith(`${path}/`) ? [file.slice(path.length + 1).split('/')[0]!] : [],
      );
      return names.length > 0 ? Promise.resolve(names) : Promise.reject(new Error('ENOENT'));
    },
  } as unknown as Target;
}

async function limitsOf(target: Target, owner: GroupOwner): Promise<CgroupLimits | null> {
  const groups = await findLimitingGroups(target, owner);
  return groups === null ? null : readCgroupLimits(target, groups);
}

const throttlingOf = async (target: Target, owner: GroupOwner): Promise<ThrottleReading> =>
  readThrottling(target, (await findLimitingGroups(target, owner))!);

const CPU = '/sys/devices/system/cpu';

describe('CPU settings', () => {
  test('are read where the machine states them, with each governor once', async () => {
    const settings = await readMachineSettings(
      machine({
        '/proc/cpuinfo': 'processor\t: 0\nmodel name\t: AMD EPYC  7763\n\nprocessor\t: 1\nmodel name\t: other\n',
        [`${CPU}/cpufreq/policy0/scaling_governor`]: 'powersave\n',
        [`${CPU}/cpufreq/policy1/scaling_governor`]: 'performance\n',
        [`${CPU}/cpufreq/policy2/scaling_governor`]: 'performance\n',
        [`${CPU}/cpufreq/boost`]: '1\n',
      }),
    );
    expect(settings).toEqual({ cpuModel: 'AMD EPYC 7763', governor: 'performance, powersave', turbo: true });
  });

  test('are null if nothing can be read, and never fail', async () => {
    expect(await readMachineSettings(machine({}))).toEqual({ cpuModel: null, governor: null, turbo: null });
    const broken = {
      readRanges: () => Promise.reject(new Error('lost')),
      listDirectory: () => Promise.reject(new Error('lost')),
    };
    expect(await readMachineSettings(broken as unknown as Target)).toEqual({
      cpuModel: null,
      governor: null,
      turbo: null,
    });
    expect(await readLoad(broken as unknown as Target)).toEqual({ average: null, ticks: null });
    expect(await limitsOf(broken as unknown as Target, 'self')).toBeNull();
  });

  test.each([
    ['0\n', null, true],
    ['1\n', null, false],
    // intel_pstate takes precedence if both exist.
    ['1', '1', false],
    [null, '0', false],
    [null, 'odd', null],
    ['', '', null],
  ])('turbo of no_turbo %o and boost %o: %o', async (noTurbo, boost, turbo) => {
    const files = {
      ...(noTurbo === null ? {} : { [`${CPU}/intel_pstate/no_turbo`]: noTurbo }),
      ...(boost === null ? {} : { [`${CPU}/cpufreq/boost`]: boost }),
    };
    expect((await readMachineSettings(machine(files))).turbo).toBe(turbo);
  });

  test('identify a CPU without a name by its numbers', () => {
    expect(parseCpuModel('processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n')).toBe(
      'implementer 0x41, part 0xd0c',
    );
    expect(parseCpuModel('cpu\t\t: POWER9, altivec supported\n')).toBe('POWER9, altivec supported');
    expect(parseCpuModel(`model name: ${'x'.repeat(1000)}`)).toHaveLength(300);
    expect(parseCpuModel('')).toBeNull();
  });
});

describe('load', () => {
  test('has steal as a share of all CPU time between two readings', () => {
    const reading = (steal: number, all: number) => ({ average: null, ticks: { steal, all } });
    expect(stealBetween(reading(10, 1000), reading(30, 1200))).toBe(0.1);
    expect(stealBetween(reading(30, 1000), reading(10, 1200))).toBeNull();
    expect(stealBetween(reading(10, 1000), reading(10, 1000))).toBeNull();
    expect(stealBetween({ average: 1, ticks: null }, reading(10, 1000))).toBeNull();
  });

  test('counts guests once, and ignores damaged files', () => {
    expect(parseCpuTicks('cpu  1 2 3 4 5 6 7 8 100 200\ncpu0 1\n')).toEqual({ steal: 8, all: 36 });
    for (const text of ['', 'cpu  1 2 3\n', 'cpu0 1 2 3 4 5 6 7 8\n', 'cpu  a b c d e f g h\n', null])
      expect(parseCpuTicks(text)).toBeNull();
    expect(parseLoadAverage('0.42 0.3 0.2 1/100 4711\n')).toBe(0.42);
    for (const text of ['', 'nan 1', '-1 0', null]) expect(parseLoadAverage(text)).toBeNull();
  });
});

describe('limits of control groups', () => {
  test('are the tightest of a group and its ancestors', async () => {
    const files = {
      '/proc/7/cgroup': '0::/system.slice/app.service\n',
      '/sys/fs/cgroup/system.slice/cpu.max': '200000 100000\n',
      '/sys/fs/cgroup/system.slice/app.service/cpu.max': 'max 100000\n',
      '/sys/fs/cgroup/system.slice/memory.max': 'max\n',
      '/sys/fs/cgroup/system.slice/app.service/memory.max': '1073741824\n',
    };
    expect(await limitsOf(machine(files), 7)).toEqual({ cpus: 2, memoryBytes: 1 << 30 });
  });

  test('are read for cgroup 1, by controller', async () => {
    const files = {
      '/proc/self/cgroup': '4:memory:/box\n2:cpu,cpuacct:/box\n1:name=systemd:/\n',
      '/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us': '50000\n',
      '/sys/fs/cgroup/cpu/box/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/memory/box/memory.limit_in_bytes': '9223372036854771712\n',
    };
    expect(await limitsOf(machine(files), 'self')).toEqual({ cpus: 0.5, memoryBytes: null });
  });

  test('are none at the root, and unknown for an unreadable group', async () => {
    expect(await limitsOf(machine({ '/proc/self/cgroup': '0::/\n' }), 'self')).toEqual({
      cpus: null,
      memoryBytes: null,
    });
    expect(await limitsOf(machine({ '/proc/self/cgroup': '0::/hidden\n' }), 'self')).toBeNull();
    expect(await limitsOf(machine({ '/proc/self/cgroup': '0::/../../outside\n' }), 'self')).toBeNull();
    expect(parseCgroups('no such line\n')).toBeNull();
  });

  test('are none for values that mean no limit', () => {
    expect([
      parseQuota('max 100000', null),
      parseQuota('-1', '100000'),
      parseQuota('', ''),
      parseQuota('150000', '100000'),
    ]).toEqual([null, null, null, 1.5]);
    expect([parseMemoryLimit('max'), parseMemoryLimit('0'), parseMemoryLimit('x'), parseMemoryLimit(null)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('throttling', () => {
  test('is read of every level of cgroup 2 and 1, in their units', async () => {
    expect(parseThrottling('usage_usec 9\nnr_periods 50\nnr_throttled 20\nthrottled_usec 1500000\n')).toEqual({
      periods: 50,
      throttledPeriods: 20,
      ms: 1500,
    });
    expect(parseThrottling('nr_periods 50\nnr_throttled 20\nthrottled_time 1500000000\n')?.ms).toBe(1500);
    expect(parseThrottling('nr_periods 0\nnr_throttled 0\n')).toBeNull();
    expect(parseThrottling('nr_periods x\n')).toBeNull();
    const files = { '/sys/fs/cgroup/app/cpu.stat': 'nr_periods 5\nnr_throttled 2\nthrottled_usec 3000\n' };
    const start = await throttlingOf(machine({ ...files, '/proc/7/cgroup': '0::/app/inner\n' }), 7);
    expect(start).toEqual([null, { periods: 5, throttledPeriods: 2, ms: 3 }, null]);
    const again = await throttlingOf(machine(files), { path: '/app/inner' });
    expect(again).toContainEqual({ periods: 5, throttledPeriods: 2, ms: 3 });
  });

  test('is the difference at the level that waited most; null without a limit or comparable readings', () => {
    const reading = (periods: number, throttledPeriods: number, ms: number) => ({ periods, throttledPeriods, ms });
    const start = [null, reading(10, 1, 5), reading(10, 2, 5)];
    expect(throttlingBetween(start, [null, reading(20, 3, 9), reading(20, 8, 50)])).toEqual(reading(10, 6, 45));
    expect(throttlingBetween([null], [null])).toBeNull();
    expect(throttlingBetween([], [reading(3, 1, 1)])).toBeNull();
    // A recreated group counts from zero.
    expect(throttlingBetween([reading(10, 5, 5)], [reading(4, 1, 1)])).toBeNull();
  });
});
