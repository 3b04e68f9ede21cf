import { describe, expect, test } from 'vitest';
import type { CaptureConditions, CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { compareCircumstances, machineDifference, unknownCircumstances } from '#core/compare/circumstances.ts';
import { captureFacts, type FactsDocument } from '#core/compare/measure/read-facts.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';

const CONDITIONS: CaptureConditions = {
  tool: 'perf 6.1.0',
  callGraph: 'fp',
  buildId: 'a'.repeat(40),
  containerImage: 'app:1 (0123456789ab)',
  goVersion: 'go1.26.8',
  goMaxProcs: 4,
  cpuModel: 'EPYC',
  governor: 'performance',
  turbo: true,
  loadAverage: 0.5,
  steal: 0,
  cgroup: { cpus: null, memoryBytes: null },
  throttled: null,
  threads: null,
};
const facts = (change: Partial<CaptureFacts> = {}, conditions: Partial<CaptureConditions> = {}): CaptureFacts => ({
  name: 'run',
  host: 'web1',
  kernel: '6.1',
  cpuCount: 8,
  durationSeconds: 10,
  rateHz: 99,
  cpuSeconds: null,
  requests: null,
  conditions: { ...CONDITIONS, ...conditions },
  ...change,
});
const differing = (before: CaptureFacts[], after: CaptureFacts[]): Record<string, string> =>
  Object.fromEntries(
    compareCircumstances(before, after)
      .filter(({ status }) => status === 'differs')
      .map(({ id, before: one, after: other }) => [id, `${one} → ${other}`]),
  );

const side = (...loads: number[]): CaptureFacts[] => loads.map((loadAverage) => facts({}, { loadAverage }));

describe('circumstances', () => {
  test('of sides in turn, the machine differed only if no value of one lies among those of the other', () => {
    // The means differ by 0.91, more than a tenth of 8 CPUs.
    const [before, after] = [side(23.19, 24.8), side(22.9, 23.27)];
    expect(differing(before, after)).toHaveProperty('load-average');
    expect(machineDifference(compareCircumstances(before, after))).toBeNull();
  });

  test('say that the machine differed only if chance says so in at most 5 % of comparisons', () => {
    const isSaid = (before: CaptureFacts[], after: CaptureFacts[]): boolean =>
      machineDifference(compareCircumstances(before, after)) !== null;
    expect(machineDifference(compareCircumstances(side(1, 1.1, 1.1, 1.2), side(4, 4, 4, 5)))).toBe(
      'The machine differed between the sides: load average 1.00 to 1.20 → 4.00 to 5.00.',
    );
    // 2 / C(6, 3) = 10 %, 2 / C(7, 3) = 5.7 %, 2 / C(8, 3) = 3.6 %.
    expect(isSaid(side(1, 1, 1), side(4, 4, 4))).toBe(false);
    expect(isSaid(side(1, 1, 1), side(4, 4, 4, 4))).toBe(false);
    expect(isSaid(side(1, 1, 1), side(4, 4, 4, 4, 4))).toBe(true);
    // 2 / C(8, 4) = 2.9 % is too much for each of two numbers, 2 / C(9, 4) = 1.6 % is not.
    const stolen = (loads: number[]): CaptureFacts[] =>
      loads.map((loadAverage, run) => facts({}, { loadAverage, steal: run / 1000 }));
    expect(isSaid(stolen([1, 1, 1, 1]), stolen([4, 4, 4, 4]))).toBe(false);
    expect(isSaid(stolen([1, 1, 1, 1]), stolen([4, 4, 4, 4, 4]))).toBe(true);
  });

  test('captures of one run of a load test count as one', () => {
    const workers = (...loads: number[]): CaptureFacts[] =>
      side(...loads).flatMap((one, run) => [one, one].map((capture) => ({ ...capture, loadRun: `turn ${run}` })));
    // 2 / C(12, 6) = 0.2 % of six runs a side, but 2 / C(6, 3) = 10 % of three.
    expect(machineDifference(compareCircumstances(workers(1, 1, 1), workers(4, 4, 4)))).toBeNull();
    expect(machineDifference(compareCircumstances(workers(1, 1, 1, 1), workers(4, 4, 4, 4)))).toContain('1.00 → 4.00');
  });

  test('count the runs in which CPU time was withheld, if they are too few for more', () => {
    const throttled = (...shares: number[]): CaptureFacts[] => shares.map((share) => facts({}, { throttled: share }));
    const said = (before: CaptureFacts[], after: CaptureFacts[]): string | null =>
      machineDifference(compareCircumstances(before, after));
    expect(said(throttled(0, 0, 0), throttled(0.31, 0.4, 0.35))).toBe(
      'The CPU was throttled in 0 of 3 runs before and 3 of 3 after (0.0 % → 31.0 % to 40.0 %). More CPU time of the server itself causes this, too.',
    );
    // 2 / C(8, 4) = 2.9 %: it may be the server's own work, so the machine is not blamed.
    expect(said(throttled(0.05, 0.05, 0.05, 0.06), throttled(0.31, 0.4, 0.35, 0.3))).toBe(
      'The CPU limit of the cgroup held up one side more: throttled 5.0 % to 6.0 % → 30.0 % to 40.0 %. More CPU time of the server itself causes this, too.',
    );
    expect(said(throttled(0.05, 0.05, 0.05), throttled(0.31, 0.4, 0.35))).toBeNull();
    expect(said(throttled(0, 0, 0.4), throttled(0.31, 0.4, 0.35))).toBeNull();
  });

  test('list all of them without differences if they are the same', () => {
    const rows = compareCircumstances([facts()], [facts()]);
    expect(rows.map(({ label }) => label)).toEqual([
      'host',
      'kernel',
      'CPU model',
      'CPUs',
      'governor',
      'turbo',
      'load average',
      'steal',
      'cgroup CPU limit',
      'cgroup memory limit',
      'build id',
      'container image',
      'Go',
      'GOMAXPROCS',
      'tool',
      'rate',
      'call graph',
      'duration',
    ]);
    expect(rows.every(({ status }) => status === 'same')).toBe(true);
  });

  test.each([
    [{ kernel: '6.5' }, {}, { kernel: '6.1 → 6.5' }],
    [{}, { cpuModel: 'Xeon' }, { 'cpu-model': 'EPYC → Xeon' }],
    [{ cpuCount: 16 }, {}, { 'cpu-count': '8 → 16' }],
    [{}, { governor: 'powersave' }, { governor: 'performance → powersave' }],
    [{}, { goVersion: 'go1.25.1', goMaxProcs: 8 }, { 'go-version': 'go1.26.8 → go1.25.1', 'go-max-procs': '4 → 8' }],
    [{}, { turbo: false }, { turbo: 'on → off' }],
    [{}, { loadAverage: 3.25 }, { 'load-average': '0.50 → 3.25' }],
    // A difference below a tenth of the CPUs is no change: the recorded program's own load varies by as much.
    [{}, { loadAverage: 1.2 }, {}],
    [{}, { steal: 0.05 }, { steal: '0.0 % → 5.0 %' }],
    [{}, { steal: 0.005 }, {}],
    [{}, { throttled: 0.4 }, {}],
    [
      {},
      { cgroup: { cpus: 1.5, memoryBytes: 1 << 30 } },
      { 'cgroup-cpus': 'no limit → 1.5 CPUs', 'cgroup-memory': 'no limit → 1 GiB' },
    ],
    [{}, { buildId: 'b'.repeat(40) }, { 'build-id': 'aaaaaaaaaaaa → bbbbbbbbbbbb' }],
    [{}, { tool: 'perf 6.5.0' }, { tool: 'perf 6.1.0 → perf 6.5.0' }],
    [{ rateHz: 499 }, {}, { rate: '99 Hz → 499 Hz' }],
    [{ rateHz: 99.1 }, {}, {}],
    [{}, { callGraph: 'dwarf' }, { 'call-graph': 'fp → dwarf' }],
    [{ durationSeconds: 20 }, {}, { duration: '10 s → 20 s' }],
  ] as [Partial<CaptureFacts>, Partial<CaptureConditions>, Record<string, string>][])(
    '%o %o differ: %o',
    (change, conditions, rows) => {
      expect(differing([facts()], [facts(change, conditions)])).toEqual(rows);
    },
  );

  test('list each value of several captures once, and numbers as a range', () => {
    const mixed = [facts({}, { governor: 'powersave', loadAverage: 1 }), facts({}, { loadAverage: 9 })];
    expect(differing([facts(), facts()], mixed)).toEqual({
      governor: 'performance → performance, powersave',
      'load-average': '0.50 → 1.00 to 9.00',
    });
  });

  test('do not differ if one side does not know them, and name them', () => {
    const { conditions: _, ...bare } = facts({ rateHz: null });
    const rows = compareCircumstances([bare], [facts()]);
    expect(rows.some(({ status }) => status === 'differs')).toBe(false);
    expect(unknownCircumstances(rows)).toMatch(/^known for one side only: CPU model, governor, .*, rate, call graph$/);
    expect(unknownCircumstances(compareCircumstances([bare], [bare]))).toBeNull();
  });

  test('exclude the duration of complete command runs, which is what is compared', () => {
    const run = (durationSeconds: number) => facts({ durationSeconds, isWholeRun: true });
    expect(differing([run(10)], [run(20)])).toEqual({});
  });
});

describe('the circumstances of a capture', () => {
  const conditions = (commands: string[][], more: Partial<FactsDocument> = {}) =>
    captureFacts(
      {
        target: null,
        rateHz: null,
        durationMs: null,
        cpuSeconds: null,
        collector: { id: 'perf', toolVersion: '6.1.0', commands, exitCode: 0, signal: null },
        ...more,
      },
      profileFromSketch([]),
      'x',
    ).facts.conditions!;

  test.each([
    ['/usr/bin/perf record -o - -g -p 1', 'fp'],
    ['perf record --call-graph dwarf,65528 -p 1', 'dwarf'],
    ['perf record --call-graph=lbr', 'lbr'],
    ['sudo -n /usr/bin/perf record -g', 'fp'],
    ['perf record -e cycles -p 1', 'none'],
    ['perf record -F 99 -- ./tool -g --call-graph dwarf', 'none'],
    ['bpftrace -e record', null],
    ['perf record --call-graph', null],
  ])('the call graph of %s is %s', (command, mode) => {
    expect(conditions([command.split(' ')]).callGraph).toBe(mode);
  });

  test('are read from what was recorded with it', () => {
    const circumstances = {
      cpuModel: 'EPYC',
      governor: null,
      turbo: false,
      loadAverage: { start: 1, end: 2 },
      steal: 0.1,
      cgroup: null,
    };
    expect(conditions([], { circumstances })).toMatchObject({
      tool: 'perf 6.1.0',
      cpuModel: 'EPYC',
      governor: null,
      turbo: false,
      loadAverage: 1.5,
      steal: 0.1,
    });
    expect(captureFacts(null, profileFromSketch([]), 'x').facts.conditions).toBeUndefined();
  });
});
