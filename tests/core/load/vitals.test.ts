import { describe, expect, it } from 'vitest';
import { createVitalsParser } from '#collectors/target/vitals.ts';
import { NO_LATENCY, type LoadResult, type ServerUse } from '#core/contract/load/result.ts';
import { componentUses } from '#core/load/components.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { loadMetric, meanOf, sweepOf } from '#core/load/sweep.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import {
  readingsPerRun,
  serverUses,
  unknownCpuNotes,
  vitalsOfRun,
  type VitalsReading,
  withCpuOfRun,
} from '#core/load/vitals.ts';

const reading = (seconds: number, changes: Partial<VitalsReading> = {}): VitalsReading => ({
  at: 1000 + seconds * 1000,
  uptime: 50 + seconds,
  pid: 7,
  startTicks: '100',
  cpuSeconds: seconds * 1.5,
  rssBytes: 4096,
  threads: 3,
  switches: seconds * 10,
  files: 5,
  sockets: new Map([['established', 2]]),
  ...changes,
});
const processes = [{ pid: 7, name: 'server' }];
const run = { from: 1000, to: 5000, most: 100 };

const result = (qps: number, server?: readonly ServerUse[]): LoadResult => ({
  tool: 'wrk',
  target: null,
  concurrency: 10,
  seconds: 1,
  requests: qps,
  qps,
  success: 1,
  errors: [],
  bytes: null,
  latency: NO_LATENCY,
  notes: [],
  ...(server === undefined ? {} : { server }),
});

describe('readings', () => {
  it('become rates and values of the run', () => {
    const [found] = vitalsOfRun([reading(0), reading(1), reading(2), reading(9)], processes, run);
    expect(found).toMatchObject({ name: 'server', pid: 7, at: [0, 1, 2] });
    expect(Object.fromEntries(found!.series.map(({ id, values }) => [id, values]))).toEqual({
      cpu: [null, 1.5, 1.5],
      rss: [4096, 4096, 4096],
      threads: [3, 3, 3],
      switches: [null, 10, 10],
      files: [5, 5, 5],
      'sockets:established': [2, 2, 2],
    });
    expect(serverUses([reading(0), reading(3)], processes, run)).toEqual([{ name: 'server', pid: 7, cores: 1.5 }]);
  });
  it('are thinned, and absent series are left out', () => {
    const many = [0, 1, 2, 3].map((at) => reading(at, { files: null, switches: null, sockets: null }));
    const [found] = vitalsOfRun(many, processes, { ...run, most: 2 });
    expect(found!.at).toEqual([0, 2]);
    expect(found!.series.map(({ id }) => id)).toEqual(['cpu', 'rss', 'threads']);
    expect(readingsPerRun(1000, 8, 120)).toBe(4);
    expect(readingsPerRun(1000, 64, 120)).toBe(1);
    expect(readingsPerRun(30, 1, 120)).toBe(120);
  });
  it('of another process with the same PID are left out, as are values of a falling counter', () => {
    const reused = [reading(0), reading(1), reading(2, { startTicks: '900', cpuSeconds: 0 })];
    expect(vitalsOfRun(reused, processes, run)[0]!.at).toEqual([0, 1]);
    const fallen = [reading(0), reading(1, { switches: 4 }), reading(2, { switches: 2 })];
    expect(vitalsOfRun(fallen, processes, run)[0]!.series.find(({ id }) => id === 'switches')!.values).toEqual([
      null,
      4,
      null,
    ]);
  });
  it('give no vitals if there are none, and an unknown CPU use if there is only one', () => {
    expect(vitalsOfRun([], processes, run)).toEqual([]);
    const uses = serverUses([reading(0)], processes, run);
    expect(uses).toEqual([{ name: 'server', pid: 7, cores: null }]);
    expect(unknownCpuNotes(uses)).toEqual([
      expect.stringMatching(/^No CPU time of server \(7\): it could not be read twice\.$/),
    ]);
  });
});

describe('components', () => {
  const watched = [
    result(1000, [
      { name: 'gateway', pid: 1, cores: 0.5 },
      { name: 'app', pid: 2, cores: 2 },
    ]),
    result(1500, [
      { name: 'gateway', pid: 1, cores: 0.5 },
      { name: 'app', pid: 2, cores: 2 },
    ]),
  ];
  it('have QPS per core and CPU per request, the busiest first', () => {
    expect(componentUses(watched)).toMatchObject([
      { name: 'app', cores: 2, perCore: 625 },
      { name: 'gateway', cores: 0.5, perCore: 2500 },
    ]);
    const [step] = sweepOf('both', watched).steps;
    expect(meanOf(step!, loadMetric('percore'))).toBe((400 + 600) / 2);
  });
  it('give no CPU sum if one of them is unknown or a run was not watched', () => {
    const half = result(1000, [
      { name: 'a', pid: 1, cores: null },
      { name: 'b', pid: 2, cores: 1 },
    ]);
    const [step] = sweepOf('half', [half, result(1000)]).steps;
    expect(meanOf(step!, loadMetric('cpu'))).toBeNull();
    expect(componentUses([half])).toMatchObject([{ name: 'b' }]);
  });
  it('are compared: more requests per core are a change', () => {
    const side = (qps: number) =>
      sweepOf(
        'side',
        [0.99, 1, 1.01].map((drift) => result(qps * drift, [{ name: 'a', pid: 1, cores: 1 }])),
      );
    const { metrics } = compareSweeps(side(1000), side(1500)).steps[0]!;
    expect(metrics.find(({ metric }) => metric.id === 'percore')?.judgement.verdict).toBe('grew');
    expect(metrics.find(({ metric }) => metric.id === 'cpu')?.judgement.verdict).toBe('shrank');
  });
});

it('leaves runs made for a profile out of the sweep', () => {
  const { steps } = sweepOfTest({ name: 'a', runs: [{ result: result(1) }, { result: result(9), isExtra: true }] });
  expect(steps[0]!.runs.map(({ qps }) => qps)).toEqual([1]);
});

it('reads the lines of the watching script, and skips others', () => {
  const parser = createVitalsParser({ ticksPerSecond: 100, pageBytes: 4096 });
  const stat = (name: string): string =>
    `S 7 (${name}) S 1 7 7 0 -1 4194560 0 0 0 0 150 50 0 0 20 0 9 0 4242 1000 10 18446744073709551615`;
  expect(parser.add(stat('early'))).toBeNull();
  expect(parser.add('T 12.5')).toEqual({ kind: 'time', uptime: 12.5 });
  const found = parser.add(stat('a) b <i>'));
  expect(parser.add('C 7 1234')).toBeNull();
  expect(parser.add('F 7 many')).toBeNull();
  expect(parser.add('F 8 3')).toBeNull();
  expect(parser.add('N 7 01:40 03:1 0C:2 zz:9 __proto__:1')).toBeNull();
  expect(parser.add('noise')).toBeNull();
  expect(found).toEqual({
    kind: 'reading',
    reading: {
      uptime: 12.5,
      pid: 7,
      startTicks: '4242',
      cpuSeconds: 2,
      rssBytes: 40_960,
      threads: 9,
      switches: 1234,
      files: null,
      sockets: new Map([
        ['established', 40],
        ['syn-received', 3],
      ]),
    },
  });
});

it('takes the CPU time between start and end of a run, in which its answers are counted', () => {
  const at = (seconds: number, startTicks = '9') => new Map([[7, { startTicks, seconds }]]);
  const [unknown, known] = [null, 0.4].map((cores) => ({ name: 'api', pid: 7, cores }));
  expect(withCpuOfRun([unknown!], at(10), at(10.75), 1.5)).toEqual([{ name: 'api', pid: 7, cores: 0.5 }]);
  // A process that was read within the run has those of the whole run, too: its answers are counted over it.
  expect(withCpuOfRun([known!], at(10), at(10.75), 1.5)).toEqual([{ ...known, cores: 0.5 }]);
  expect(withCpuOfRun([known!], at(10), at(0.5, '12'), 1.5)).toEqual([known]);
  expect(withCpuOfRun([unknown!], at(10), at(0.5, '12'), 1.5)).toEqual([unknown]);
  expect(withCpuOfRun([unknown!], new Map(), at(10), 1.5)).toEqual([unknown]);
});
