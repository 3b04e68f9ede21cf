import { describe, expect, test } from 'vitest';
import { judgeRecording, type RecordedFacts } from '#collectors/perf/data-quality.ts';
import type { ProcessFacts } from '#collectors/perf/process-facts.ts';
import type { ScriptStats } from '#collectors/perf/script-stats.ts';

const stats: ScriptStats = {
  bytes: 10_000,
  samples: 100,
  lost: 0,
  event: 'cycles',
  frames: 1000,
  unresolved: 0,
  unresolvedByModule: new Map(),
  userSamples: 100,
  cutSamples: 0,
  times: null,
  deepestSamples: 0,
};
const process: ProcessFacts = {
  pid: 42,
  startTicks: '7',
  name: 'app',
  runtime: null,
  container: null,
  ownRoot: false,
  innerPid: 42,
  jitMap: null,
};
const facts: RecordedFacts = {
  options: {
    scope: { kind: 'pid', pid: 42, startTicks: null },
    rateHz: 99,
    event: null,
    callGraph: 'fp',
    seconds: null,
  },
  event: 'cycles',
  attrs: [{ type: 0, config: 0n, excludesKernel: false }],
  samples: 100,
  lost: 0,
  stats,
  keepsStream: true,
  countsLost: true,
  process,
};

const unresolved = (...modules: [string, number][]): ScriptStats => ({
  ...stats,
  unresolved: modules.reduce((sum, [, count]) => sum + count, 0),
  unresolvedByModule: new Map(modules),
});
const judge = (changes: Partial<RecordedFacts>) => judgeRecording({ ...facts, ...changes });
const codes = (changes: Partial<RecordedFacts>) => judge(changes).map(({ code }) => code);

test('a good recording needs no words', () => {
  expect(judge({})).toEqual([]);
});

test('text alone, from another machine: says so, and whether losses are known', () => {
  expect(codes({ keepsStream: false })).toEqual(['perf-data-not-kept']);
  expect(codes({ keepsStream: false, countsLost: false })).toEqual(['lost-unknown', 'perf-data-not-kept']);
});

test.each<[string, Partial<RecordedFacts>, string, RegExp]>([
  [
    'no samples',
    { samples: 0, stats: { ...stats, samples: 0, frames: 0, userSamples: 0 } },
    'no-samples',
    /while it works/,
  ],
  ['lost samples', { lost: 25 }, 'lost-samples', /Lower the rate \(99 Hz\)/],
  [
    'cycles that are cpu-clock',
    { attrs: [{ type: 1, config: 0n, excludesKernel: false }] },
    'event-substituted',
    /cpu-clock/,
  ],
  ['no kernel part', { attrs: [{ type: 0, config: 0n, excludesKernel: true }] }, 'user-only', /perf_event_paranoid=1/],
  ['no kernel names', { stats: unresolved(['[kernel.kallsyms]', 3]) }, 'kernel-symbols-hidden', /kptr_restrict=0/],
  [
    'many frames without a name',
    { stats: unresolved(['/srv/app', 80], ['/lib/libx.so', 10]) },
    'unresolved-frames',
    /dbgsym/,
  ],
  ['no frame pointers', { stats: { ...stats, cutSamples: 70 } }, 'missing-frame-pointers', /--call-graph dwarf/],
  ['deep stacks', { stats: { ...stats, deepestSamples: 5 } }, 'truncated-stacks', /perf_event_max_stack/],
  [
    'a container',
    { process: { ...process, ownRoot: true, innerPid: 7, container: 'docker:0123' } },
    'container-process',
    /on the host/,
  ],
  ['compiled code, no map', { stats: unresolved(['/tmp/perf-42.map', 9]) }, 'jit-map-missing', /perf-<pid>\.map/],
  ['Node without a map', { process: { ...process, runtime: 'node' } }, 'jit-map-missing', /--perf-basic-prof/],
  [
    'a JVM without a map',
    { process: { ...process, runtime: 'jvm' }, stats: unresolved(['/tmp/perf-42.map', 9]) },
    'jit-map-missing',
    /Compiler\.perfmap/,
  ],
])('%s', (_name, changes, code, remedy) => {
  const found = judge(changes);
  expect(found.map((diagnostic) => diagnostic.code)).toEqual([code]);
  expect(found[0]?.remedy).toMatch(remedy);
});

describe('shares and names', () => {
  test('are in the message', () => {
    expect(judge({ lost: 25 })[0]).toMatchObject({
      count: 25,
      message: expect.stringContaining('20 % of the samples'),
    });
    const [names] = judge({ stats: unresolved(['/srv/app', 80], ['/lib/libx.so', 10]) });
    expect(names).toMatchObject({ count: 90, message: expect.stringContaining('9.0 % of the frames') });
    expect(names?.message).toContain('app, libx.so');
  });
});

test('what is normal is not reported', () => {
  expect(codes({ process: { ...process, runtime: 'go' } })).toEqual([]);
  expect(codes({ process: { ...process, runtime: 'python' } })).toEqual([]);
  expect(codes({ event: 'cpu-clock', attrs: [{ type: 1, config: 0n, excludesKernel: false }] })).toEqual([]);
  expect(codes({ event: 'cycles:u', attrs: [{ type: 0, config: 0n, excludesKernel: true }] })).toEqual([]);
  const dwarf = { ...facts.options, callGraph: 'dwarf' as const };
  expect(codes({ options: dwarf, stats: { ...stats, cutSamples: 90 } })).toEqual([]);
});

test('a few frames without a name are told, not warned of', () => {
  expect(judge({ stats: unresolved(['/srv/app', 40]) })).toEqual([
    expect.objectContaining({ code: 'unresolved-frames', severity: 'info', count: 40, remedy: null }),
  ]);
});

test('a map that is there is named, and says what it lacks', () => {
  const mapped = { ...process, runtime: 'node', jitMap: { path: '/proc/42/root/tmp/perf-42.map', size: 9 } };
  expect(codes({ process: mapped })).toEqual(['jit-map']);
  expect(codes({ process: mapped, stats: unresolved(['/tmp/perf-42.map', 9]) })).toEqual([
    'jit-map',
    'jit-map-incomplete',
  ]);
});

test('system-wide, compiled code without names is told once', () => {
  expect(codes({ process: null, stats: unresolved(['/tmp/perf-42.map', 9], ['/tmp/perf-43.map', 9]) })).toEqual([
    'jit-map-missing',
  ]);
});
