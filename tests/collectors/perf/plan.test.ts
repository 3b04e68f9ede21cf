import { describe, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import {
  commandsFor,
  countsLost,
  doubleRing,
  planPerf,
  ringPages,
  takesPings,
  type PerfFacts,
} from '#collectors/perf/plan.ts';
import { commandsOf } from '#collectors/collector.ts';

const facts: PerfFacts = {
  perfPath: '/usr/bin/perf',
  version: '6.1.187',
  control: true,
  event: 'cycles',
  privileged: true,
  remote: false,
  sudo: null,
  stdbuf: null,
};
const options: PerfOptions = {
  collector: 'perf',
  scope: { kind: 'pid', pid: 42, startTicks: '7' },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: 10,
};
const script =
  '/usr/bin/perf script -i - --force --no-inline --ns -F comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso';

test.each<[string, Partial<PerfFacts>, Partial<PerfOptions>, string]>([
  ['a process', {}, {}, '-e cycles -F 99 -g --sample-cpu --no-bpf-event -m 8 --control fd:0 -p 42'],
  ['a process, old perf', { control: false }, {}, '-e cycles -F 99 -g --sample-cpu -m 8 --no-buffering -p 42'],
  ['a high rate, old perf', { control: false }, { rateHz: 9999 }, '-e cycles -F 9999 -g --sample-cpu -m 128 -p 42'],
  [
    'everything',
    { event: 'cpu-clock' },
    { scope: { kind: 'system' } },
    '-e cpu-clock -F 99 -g --sample-cpu --no-bpf-event -m 8 --control fd:0 -a',
  ],
  [
    'dwarf',
    {},
    { callGraph: 'dwarf' },
    '-e cycles -F 99 --call-graph dwarf --sample-cpu --no-bpf-event -m 128 --control fd:0 -p 42',
  ],
  [
    'lbr',
    {},
    { callGraph: 'lbr' },
    '-e cycles -F 99 --call-graph lbr --sample-cpu --no-bpf-event -m 16 --control fd:0 -p 42',
  ],
  [
    'a command, held back until perf is ready',
    {},
    { scope: { kind: 'command', argv: ['./server', '-a', 'b c'] } },
    '-e cycles -F 99 -g --sample-cpu --no-bpf-event -m 8 -D -1 --control fd:0 -p $!',
  ],
  [
    'a command with a folder and an environment',
    {},
    { scope: { kind: 'command', argv: ['./server'], cwd: '/srv', env: ['MODE=x'] } },
    '-e cycles -F 99 -g --sample-cpu --no-bpf-event -m 8 -D -1 --control fd:0 -p $!',
  ],
  [
    'a command, old perf',
    { control: false },
    { scope: { kind: 'command', argv: ['./server'] } },
    '-e cycles -F 99 -g --sample-cpu -m 8 --no-buffering -p $!',
  ],
])('plans a recording: %s', (_name, otherFacts, otherOptions, expected) => {
  const plan = planPerf({ ...facts, ...otherFacts }, { ...options, ...otherOptions });
  const [record, script_] = commandsOf(plan);
  expect(record?.slice(0, 4)).toEqual(['/usr/bin/perf', 'record', '-o', '-']);
  expect(
    record
      ?.slice(4)
      .map((word) => (word.includes(' ') ? `|${word}` : word))
      .join(' '),
  ).toBe(expected);
  expect(script_?.join(' ')).toBe(script);
  expect(takesPings(plan)).toBe(expected.includes('--control'));
});

describe('over a link', () => {
  const remote = { ...facts, remote: true };

  test('only text crosses it: a pipeline there that reports lost samples', () => {
    const plan = planPerf(remote, options);
    expect(plan).toMatchObject({ piped: true, otherFiles: [] });
    expect(countsLost(plan)).toBe(true);
    expect(countsLost(planPerf({ ...remote, control: false }, options))).toBe(false);
    expect(commandsOf(plan)[0]?.join(' ')).toContain(' --control fd:0 ');
    expect(commandsOf(plan)[1]?.join(' ')).toBe(script.replace(' -F', ' --show-lost-events -F'));
  });

  test('perf’s stream crosses it if it is to be kept; perf then gets no pings', () => {
    const plan = planPerf(remote, { ...options, keepPerfData: true });
    expect(plan).toMatchObject({ piped: false, otherFiles: ['raw.perf.data'] });
    expect(takesPings(plan)).toBe(false);
    expect(commandsOf(plan)[1]?.join(' ')).toBe(script);
  });

  test('callers of Python’s compiled code are added afterwards, of a stream that is kept', () => {
    const python: Partial<PerfOptions> = { scope: { kind: 'command', argv: ['python3', '-X', 'perf_jit', 'app.py'] } };
    const programs = (more: Partial<PerfOptions>, where: Partial<PerfFacts> = {}): unknown =>
      commandsOf(planPerf({ ...facts, ...where }, { ...options, ...python, ...more })).map(([, word]) => word);
    expect(programs({ callGraph: 'dwarf' })).toEqual(['record', 'inject', 'script']);
    const kept = programs({ callGraph: 'dwarf', keepPerfData: true }, { remote: true });
    expect(kept).toEqual(['record', 'inject', 'script']);
    expect(commandsOf(planPerf(facts, { ...options, ...python, callGraph: 'dwarf' }))[0]).toContain('CLOCK_MONOTONIC');
    for (const plan of [
      programs({ callGraph: 'fp' }),
      programs({ callGraph: 'dwarf', watched: true }),
      programs({ callGraph: 'dwarf' }, { remote: true }),
      programs({ callGraph: 'dwarf', scope: { kind: 'command', argv: ['python3', '-X', 'perf', 'app.py'] } }),
    ])
      expect(plan).toEqual(['record', 'script']);
  });

  test('the stream is always kept on this machine', () => {
    expect(planPerf(facts, options)).toMatchObject({ piped: false, otherFiles: ['raw.perf.data'] });
  });
});

describe('the ring', () => {
  const rates = [1, 49, 99, 499, 999, 4999, 50_000];
  test.each(['fp', 'dwarf', 'lbr'] as const)(
    '%s: is a power of two that holds a few of the deepest samples',
    (callGraph) => {
      for (const rateHz of rates) {
        for (const prompt of [true, false]) {
          const pages = ringPages({ rateHz, callGraph }, { prompt, privileged: true });
          expect(Math.log2(pages) % 1).toBe(0);
          expect(pages * 4096).toBeGreaterThan({ fp: 1100, dwarf: 9600, lbr: 1900 }[callGraph] * 3);
        }
      }
    },
  );
  test('fills half within 0.5 s even with shallow stacks if nothing else wakes perf', () => {
    for (const rateHz of rates.filter((rate) => rate > 200)) {
      const pages = ringPages({ rateHz, callGraph: 'fp' }, { prompt: false, privileged: true });
      expect((pages * 4096) / 2 / (rateHz * 100)).toBeLessThanOrEqual(0.5);
    }
  });
  test('stays within the kernel’s limit for users', () => {
    expect(ringPages({ rateHz: 50_000, callGraph: 'dwarf' }, { prompt: true, privileged: false })).toBe(128);
  });
  test('is doubled for the next run, up to a limit', () => {
    let plan = planPerf(facts, options);
    for (const expected of ['16', '32', '64', '128', '256', '512', '1024', '1024']) {
      plan = doubleRing(plan);
      expect(commandsOf(plan)[0]?.join(' ')).toContain(` -m ${expected} `);
    }
    expect(commandsOf(plan)[1]?.join(' ')).toBe(script);
  });
  test('ignores a -m of the launched command', () => {
    const plan = planPerf(facts, { ...options, scope: { kind: 'command', argv: ['app', '-m', '8'] } });
    expect(doubleRing(plan).launch).toEqual(['app', '-m', '8']);
    expect(commandsFor(plan, 42)[0]?.slice(-2)).toEqual(['-p', '42']);
  });
});
