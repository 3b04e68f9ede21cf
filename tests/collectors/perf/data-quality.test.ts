import { describe, expect, test } from 'vitest';
import { judgeMissed, judgeRecording, type RecordedFacts } from '#collectors/perf/data-quality.ts';
import { gradeShares, type QualityShares } from '#core/model/quality-grade.ts';
import type { ProcessFacts } from '#collectors/perf/process-facts.ts';

const WHOLE = { unresolved: 0, unrooted: 0, truncated: 0, lost: 0 };
const kept = (
  shares: Partial<QualityShares>,
  unresolved: RecordedFacts['kept']['unresolved'] = [],
): RecordedFacts['kept'] => ({ quality: gradeShares({ ...WHOLE, ...shares }), unresolved });
const process: ProcessFacts = {
  pid: 42,
  startTicks: '7',
  name: 'app',
  runtime: null,
  container: null,
  ownRoot: false,
  entersRoots: true,
  innerPid: 42,
  functions: null,
  jitMap: null,
};
const facts: RecordedFacts = {
  options: {
    collector: 'perf',
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
  cpuSeconds: null,
  userSeconds: null,
  kept: kept({}),
  keepsStream: true,
  countsLost: true,
  process,
};

/** Makes facts with unresolved frames, given as shares of the weight by module. */
const unresolved = (...modules: [string, number][]): RecordedFacts['kept'] =>
  kept(
    { unresolved: modules.reduce((sum, [, share]) => sum + share, 0) },
    modules.map(([module, share]) => ({ module, share })),
  );
const judge = (changes: Partial<RecordedFacts>) => judgeRecording({ ...facts, ...changes });
const codes = (changes: Partial<RecordedFacts>) => judge(changes).map(({ code }) => code);

test('reports nothing for a good recording', () => {
  expect(judge({})).toEqual([]);
});

test('says of an interpreted process who samples its functions', () => {
  const python = {
    ...process,
    runtime: 'python',
    functions: 'Record its functions: flamebench record python --pid 42.',
  };
  expect(judge({ process: python })).toEqual([
    {
      code: 'interpreted',
      severity: 'info',
      message: 'Process 42 runs python: perf names its interpreter, not its functions.',
      count: 1,
      first: null,
      remedy: python.functions,
    },
  ]);
  const mapped = { ...python, jitMap: { path: '/proc/42/root/tmp/perf-42.map', size: 9 } };
  expect(codes({ process: mapped })).toEqual(['jit-map']);
  expect(codes({ process: { ...python, runtime: 'node' } })).toEqual(['jit-map-missing']);
});

test('reports text from another machine, and whether losses are known', () => {
  expect(codes({ keepsStream: false })).toEqual(['perf-data-not-kept']);
  expect(codes({ keepsStream: false, countsLost: false })).toEqual(['lost-unknown', 'perf-data-not-kept']);
});

test.each<[string, Partial<RecordedFacts>, string, RegExp]>([
  ['no samples', { samples: 0, kept: { quality: null, unresolved: [] } }, 'no-samples', /while it works/],
  ['lost samples', { lost: 25 }, 'lost-samples', /Lower the rate \(99 Hz\)/],
  ['lost records of threads', { lost: 0, lostRecords: 18 }, 'lost-records', /name of their process/],
  [
    'cycles that are cpu-clock',
    { attrs: [{ type: 1, config: 0n, excludesKernel: false }] },
    'event-substituted',
    /cpu-clock/,
  ],
  ['no kernel part', { attrs: [{ type: 0, config: 0n, excludesKernel: true }] }, 'user-only', /perf_event_paranoid=1/],
  ['no kernel names', { kept: unresolved(['[kernel.kallsyms]', 0.03]) }, 'kernel-symbols-hidden', /kptr_restrict=0/],
  [
    'many frames without a name',
    { kept: unresolved(['/srv/app', 0.08], ['/lib/libx.so', 0.01]) },
    'unresolved-frames',
    /dbgsym/,
  ],
  ['no frame pointers', { kept: kept({ unrooted: 0.7 }) }, 'missing-frame-pointers', /--call-graph dwarf/],
  ['deep stacks', { kept: kept({ truncated: 0.05 }) }, 'truncated-stacks', /perf_event_max_stack/],
  [
    'a container',
    { process: { ...process, ownRoot: true, innerPid: 7, container: 'docker:0123' } },
    'container-process',
    /on the host/,
  ],
  [
    'a container whose files perf may not read',
    {
      process: {
        ...process,
        ownRoot: true,
        entersRoots: false,
        innerPid: 1,
        runtime: 'node',
        jitMap: { path: '/proc/42/root/tmp/perf-1.map', size: 9 },
      },
      kept: unresolved(['/tmp/perf-42.map', 0.009]),
    },
    'container-closed',
    /podman unshare flamebench record perf --pid 42/,
  ],
  ['compiled code, no map', { kept: unresolved(['/tmp/perf-42.map', 0.09]) }, 'jit-map-missing', /perf-<pid>\.map/],
  ['Node without a map', { process: { ...process, runtime: 'node' } }, 'jit-map-missing', /--perf-basic-prof/],
  [
    'a JVM without a map',
    { process: { ...process, runtime: 'jvm' }, kept: unresolved(['/tmp/perf-42.map', 0.09]) },
    'jit-map-missing',
    /Compiler\.perfmap/,
  ],
])('reports %s with a remedy', (_name, changes, code, remedy) => {
  const found = judge(changes);
  expect(found.map((diagnostic) => diagnostic.code)).toEqual([code]);
  expect(found[0]?.remedy).toMatch(remedy);
});

describe('shares and names', () => {
  test('are in the message', () => {
    expect(judge({ lost: 25 })[0]).toMatchObject({
      count: 25,
      message: expect.stringContaining('20.0 % of the samples'),
    });
    const [names] = judge({ kept: unresolved(['/srv/app', 0.08], ['/lib/libx.so', 0.01]) });
    expect(names).toMatchObject({ count: 9, message: expect.stringContaining('9.0 % of the weight') });
    expect(names?.message).toContain('app, libx.so');
  });
});

test('leave out what is normal', () => {
  expect(codes({ process: { ...process, runtime: 'go' } })).toEqual([]);
  expect(codes({ process: { ...process, runtime: 'python' } })).toEqual([]);
  expect(codes({ event: 'cpu-clock', attrs: [{ type: 1, config: 0n, excludesKernel: false }] })).toEqual([]);
  expect(codes({ event: 'cycles:u', attrs: [{ type: 0, config: 0n, excludesKernel: true }] })).toEqual([]);
  expect(codes({ kept: kept({ unrooted: 0.08 }) })).toEqual([]);
});

test('warn of stacks that dwarf’s copies truncated, like those without frame pointers', () => {
  const dwarf = { ...facts.options, callGraph: 'dwarf' as const };
  const [small] = judge({ options: dwarf, kept: kept({ unrooted: 0.9 }) });
  expect(small).toMatchObject({ code: 'stack-copy-too-small', severity: 'warning', count: 90 });
  expect(small?.message).toBe(
    '90.0 % of the stacks are truncated: perf copied 8,192 bytes of each, and the outer callers lie beyond.',
  );
  expect(small?.remedy).toContain('--stack-bytes 65528');
  const [largest] = judge({ options: { ...dwarf, stackBytes: 65_528 }, kept: kept({ unrooted: 0.2 }) });
  expect(largest?.message).toContain('65,528 bytes');
  expect(largest?.remedy).toContain('perf can’t copy more');
  const lbr = { ...facts.options, callGraph: 'lbr' as const };
  expect(codes({ options: lbr, kept: kept({ unrooted: 0.9 }) })).toEqual(['short-branch-stacks']);
});

test('say what makes DWARF find the callers of Python’s functions, not larger copies', () => {
  const python = (option: string, keepsStream = true) =>
    judge({
      options: {
        ...facts.options,
        callGraph: 'dwarf',
        stackBytes: 16_384,
        scope: { kind: 'command', argv: ['python3', '-X', option, 'app.py'] },
      },
      kept: kept({ unrooted: 0.9 }),
      keepsStream,
    })[0];
  expect(python('perf')).toMatchObject({ code: 'python-callers', remedy: expect.stringContaining('-X perf_jit') });
  expect(python('perf_jit')).toMatchObject({ code: 'stack-copy-too-small' });
  expect(python('perf_jit', false)).toMatchObject({
    code: 'python-callers',
    remedy: expect.stringContaining('--keep-perf-data'),
  });
});

test('report a few frames without a name as information', () => {
  expect(judge({ kept: unresolved(['/srv/app', 0.04]) })).toEqual([
    expect.objectContaining({ code: 'unresolved-frames', severity: 'info', count: 4, remedy: null }),
  ]);
});

test('name an existing map, and what it lacks', () => {
  const mapped = { ...process, runtime: 'node', jitMap: { path: '/proc/42/root/tmp/perf-42.map', size: 9 } };
  expect(codes({ process: mapped })).toEqual(['jit-map']);
  expect(codes({ process: mapped, kept: unresolved(['/tmp/perf-42.map', 0.09]) })).toEqual([
    'jit-map',
    'jit-map-incomplete',
  ]);
});

test('report compiled code without names once for the whole system', () => {
  expect(codes({ process: null, kept: unresolved(['/tmp/perf-42.map', 0.09], ['/tmp/perf-43.map', 9]) })).toEqual([
    'jit-map-missing',
  ]);
});

const clock = { type: 1, config: 0n, excludesKernel: false };
const dummy = { type: 1, config: 9n, excludesKernel: true };
const time = {
  ...facts,
  event: 'cpu-clock',
  attrs: [clock],
  cpuSeconds: { start: 2, end: 5 },
  userSeconds: { start: 2, end: 4 },
};

test.each<[string, number, Partial<RecordedFacts>]>([
  ['all samples', 0, { samples: 297 }],
  ['as few as other errors explain', 0, { samples: 200 }],
  ['far fewer', 294, { samples: 3 }],
  ['none', 297, { samples: 0 }],
  ['none, of which perf lost some', 197, { samples: 0, lost: 100 }],
  ['few, with perf’s own event for other records', 294, { samples: 3, attrs: [dummy, clock] }],
  ['few of cpu-clock in place of cycles', 294, { samples: 3, event: 'cycles' }],
  ['none of an event whose kind is unknown', 297, { samples: 0, attrs: [], event: 'task-clock' }],
  ['few of so little time that it may be chance', 0, { samples: 0, cpuSeconds: { start: 0, end: 0.1 } }],
  ['few of an unknown time', 0, { samples: 0, cpuSeconds: null }],
  ['few of 2 s in user code', 195, { samples: 3, attrs: [{ ...clock, excludesKernel: true }] }],
  ['enough of 2 s in user code', 0, { samples: 190, event: 'cpu-clock:u', attrs: [] }],
  ['few of kernel code only', 0, { samples: 3, event: 'cpu-clock:k' }],
  ['few of a hardware event', 0, { samples: 3, event: 'cycles', attrs: [{ ...clock, type: 0 }] }],
  ['few of page faults', 0, { samples: 3, event: 'page-faults', attrs: [{ ...clock, config: 2n }] }],
  ['few of several events', 0, { samples: 3, event: 'cpu-clock,page-faults', attrs: [clock, clock] }],
])('misses samples of 3 CPU-s at 99 Hz: %s', (_what, missed, changes) => {
  expect(judgeMissed({ ...time, ...changes })?.count ?? 0).toBe(missed);
});

test('never says that a target was idle that used CPU time', () => {
  const empty = { ...time, samples: 0, kept: { quality: null, unresolved: [] } };
  expect(judge(empty).map(({ message }) => message)).toEqual([
    'perf sampled 0.00 s of CPU time (0 samples at 99 Hz), but the process used 3.00 s: the rest is missing.',
  ]);
  expect(judge({ ...empty, cpuSeconds: { start: 2, end: 2.05 } })[0]?.message).toBe(
    'No samples: the target used 0.05 s of CPU time while it was recorded.',
  );
  const command: RecordedFacts['options'] = { ...facts.options, scope: { kind: 'command', argv: ['app'] } };
  expect(judge({ ...empty, options: command })[0]?.message).toContain(
    'the command and its processes used at least 3.00 s',
  );
});
