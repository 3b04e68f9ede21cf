import { describe, expect, test } from 'vitest';
import {
  parseCgroups,
  parseCpuModel,
  parseCpuTicks,
  parseLoadAverage,
  parseMemoryLimit,
  parseQuota,
  readCgroupLimits,
  readLoad,
  readMachineSettings,
  stealBetween,
} from '#collectors/target/circumstances.ts';
import type { Target } from '#collectors/target/target.ts';

/** A machine that has these files and no others. */
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

const CPU = '/sys/devices/system/cpu';

describe('how CPUs are set up', () => {
  test('is read where the machine says it, all governors once', async () => {
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

  test('is null where nothing can be read, and never fails', async () => {
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
    expect(await readCgroupLimits(broken as unknown as Target, 'self')).toBeNull();
  });

  test.each([
    ['0\n', null, true],
    ['1\n', null, false],
    // intel_pstate decides where both are there.
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

  test('a CPU without a name is told by its numbers', () => {
    expect(parseCpuModel('processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n')).toBe(
      'implementer 0x41, part 0xd0c',
    );
    expect(parseCpuModel('cpu\t\t: POWER9, altivec supported\n')).toBe('POWER9, altivec supported');
    expect(parseCpuModel(`model name: ${'x'.repeat(1000)}`)).toHaveLength(300);
    expect(parseCpuModel('')).toBeNull();
  });
});

describe('load', () => {
  test('steal is a part of all CPU time between two readings', () => {
    const reading = (steal: number, all: number) => ({ average: null, ticks: { steal, all } });
    expect(stealBetween(reading(10, 1000), reading(30, 1200))).toBe(0.1);
    expect(stealBetween(reading(30, 1000), reading(10, 1200))).toBeNull();
    expect(stealBetween(reading(10, 1000), reading(10, 1000))).toBeNull();
    expect(stealBetween({ average: 1, ticks: null }, reading(10, 1000))).toBeNull();
  });

  test('guests are not counted twice, and damaged files are not believed', () => {
    expect(parseCpuTicks('cpu  1 2 3 4 5 6 7 8 100 200\ncpu0 1\n')).toEqual({ steal: 8, all: 36 });
    for (const text of ['', 'cpu  1 2 3\n', 'cpu0 1 2 3 4 5 6 7 8\n', 'cpu  a b c d e f g h\n', null])
      expect(parseCpuTicks(text)).toBeNull();
    expect(parseLoadAverage('0.42 0.3 0.2 1/100 4711\n')).toBe(0.42);
    for (const text of ['', 'nan 1', '-1 0', null]) expect(parseLoadAverage(text)).toBeNull();
  });
});

describe('limits of control groups', () => {
  test('the tightest of a group and those above it holds', async () => {
    const files = {
      '/proc/7/cgroup': '0::/system.slice/app.service\n',
      '/sys/fs/cgroup/system.slice/cpu.max': '200000 100000\n',
      '/sys/fs/cgroup/system.slice/app.service/cpu.max': 'max 100000\n',
      '/sys/fs/cgroup/system.slice/memory.max': 'max\n',
      '/sys/fs/cgroup/system.slice/app.service/memory.max': '1073741824\n',
    };
    expect(await readCgroupLimits(machine(files), 7)).toEqual({ cpus: 2, memoryBytes: 1 << 30 });
  });

  test('of cgroup 1, by controller', async () => {
    const files = {
      '/proc/self/cgroup': '4:memory:/box\n2:cpu,cpuacct:/box\n1:name=systemd:/\n',
      '/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us': '50000\n',
      '/sys/fs/cgroup/cpu/box/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/memory/box/memory.limit_in_bytes': '9223372036854771712\n',
    };
    expect(await readCgroupLimits(machine(files), 'self')).toEqual({ cpus: 0.5, memoryBytes: null });
  });

  test('the root has none, and an unreadable group is not known', async () => {
    expect(await readCgroupLimits(machine({ '/proc/self/cgroup': '0::/\n' }), 'self')).toEqual({
      cpus: null,
      memoryBytes: null,
    });
    expect(await readCgroupLimits(machine({ '/proc/self/cgroup': '0::/hidden\n' }), 'self')).toBeNull();
    expect(await readCgroupLimits(machine({ '/proc/self/cgroup': '0::/../../outside\n' }), 'self')).toBeNull();
    expect(parseCgroups('no such line\n')).toBeNull();
  });

  test('what is no limit is none', () => {
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
