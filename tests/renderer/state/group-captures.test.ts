import { describe, expect, it } from 'vitest';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import {
  commonName,
  firstGroups,
  foldLoads,
  groupCaptures,
  groupSize,
  nameWithinLoad,
  runNumber,
  sectionsByTag,
  sortGroups,
  type LibrarySort,
} from '../../../renderer/state/group-captures.ts';
import { readTags, tagProblem } from '../../../renderer/features/library/tags-dialog.tsx';

function capture(id: string, name: string, series: CaptureDocument['series'] = null): CaptureDocument {
  return {
    schemaVersion: 1,
    id,
    name,
    tags: [],
    state: 'finished',
    incomplete: false,
    createdAt: 0,
    format: 'perf-script',
    primaryFile: 'raw.perf-script.txt',
    otherFiles: [],
    sizeBytes: 1,
    origin: 'recorded',
    collector: null,
    target: null,
    process: null,
    event: null,
    rateHz: null,
    startedAt: null,
    durationMs: null,
    samples: null,
    lostSamples: null,
    cpuSeconds: null,
    series,
    diagnostics: [],
  };
}

describe('groupCaptures', () => {
  it('groups the runs of a series in order, at the first one’s position', () => {
    const groups = groupCaptures([
      capture('1', 'x'),
      capture('2', 'before · run 2', { id: 's', run: 1, of: 2 }),
      capture('3', 'y'),
      capture('4', 'before · run 1', { id: 's', run: 0, of: 2 }),
    ]);
    expect(groups.map((group) => [group.name, group.captures.map(({ id }) => id)])).toEqual([
      ['x', ['1']],
      ['before', ['4', '2']],
      ['y', ['3']],
    ]);
  });

  it('names a series without run numbers', () => {
    const runs = [1, 10].map((run) => capture(String(run), `web (${run}/10)`, { id: 's', run, of: 10 }));
    expect(groupCaptures(runs)[0]?.name).toBe('web');
  });

  it('keeps a capture with a series’ name separate from it', () => {
    const groups = groupCaptures([capture('s', 'a'), capture('1', 'b', { id: 's', run: 0, of: 2 })]);
    expect(groups).toHaveLength(2);
  });

  it('takes the first name if the runs were renamed differently', () => {
    const series = (run: number) => ({ id: 's', run, of: 2 });
    expect(groupCaptures([capture('1', 'cold', series(0)), capture('2', 'warm', series(1))])[0]?.name).toBe('cold');
  });
});

it('does not group different kinds of profile fetched together as repetitions', () => {
  const fetched = (run: number, kind: string): CaptureDocument => ({
    ...capture(`${kind}${run}`, `${kind} of api (${Math.floor(run / 2) + 1}/2)`, { id: 's', run, of: 4 }),
    options: { collector: 'pprof', scope: { kind: 'url', url: 'http://api:6060' }, kinds: [kind], seconds: 10 },
  });
  const twice = groupCaptures([fetched(0, 'heap'), fetched(1, 'profile'), fetched(2, 'heap'), fetched(3, 'profile')]);
  expect(twice.map((group) => [group.isSeries, group.captures.map((one) => [one.id, runNumber(group, one)])])).toEqual([
    [
      true,
      [
        ['heap0', 1],
        ['heap2', 2],
      ],
    ],
    [
      true,
      [
        ['profile1', 1],
        ['profile3', 2],
      ],
    ],
  ]);
  const once = groupCaptures([fetched(0, 'heap'), fetched(1, 'profile')]);
  expect(once.map(({ isSeries, name }) => [isSeries, name])).toEqual([
    [false, 'heap of api'],
    [false, 'profile of api'],
  ]);
});

describe('two alternating sides', () => {
  const PROGRAMS = [
    ['/tmp/x/phased', '1.0', '-v', '--load', 'a b', '--more'],
    ['/tmp/x/phased', '1.3', '-v', '--load', 'a b', '--more'],
  ] as const;

  /** Names as `record --interleave` creates them; `name` is the user's own. */
  const runs = (name: string | null): CaptureDocument[] =>
    Array.from({ length: 6 }, (_, run) => {
      const side = run % 2 === 0 ? 'before' : 'after';
      const argv = PROGRAMS[run % 2]!;
      const title = `${name ?? argv.slice(0, 4).join(' ')} ${side} (${Math.floor(run / 2) + 1}/3)`;
      return {
        ...capture(String(run), title, { id: 's', run, of: 6, side }),
        collector: {
          id: 'perf',
          toolVersion: null,
          commands: [
            ['perf', 'record', '-g', '--', ...argv],
            ['perf', 'script'],
          ],
          exitCode: 0,
          signal: null,
        },
      };
    }).reverse();

  const rows = (captures: readonly CaptureDocument[]): string[] =>
    groupCaptures(captures).map((group) => `${group.name} | ${groupSize(group)}`);

  it('are a group each, named after the program and its arguments', () => {
    expect(rows(runs(null))).toEqual([
      "phased 1.3 -v --load 'a b' --more | after · 3 runs",
      "phased 1.0 -v --load 'a b' --more | before · 3 runs",
    ]);
    const [after, before] = groupCaptures(runs(null));
    expect(recordedProgram(before!.captures[0]!).command).toBe("/tmp/x/phased 1.0 -v --load 'a b' --more");
    expect([after, before].map((group) => group!.captures.map((one) => runNumber(group!, one)))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('keep the name given', () => {
    expect(rows(runs('warm cache'))).toEqual(['warm cache | after · 3 runs', 'warm cache | before · 3 runs']);
  });

  it('of programs with the same name stay separate', () => {
    const same = runs(null).map((one) => ({
      ...one,
      name: one.name.replace('1.3', '1.0'),
      collector: { ...one.collector!, commands: [['perf', 'record', '--', './work']] },
    }));
    expect(rows(same.map((one) => ({ ...one, name: one.name.replace(/^\S+ 1\.0 -v --load/, './work') })))).toEqual([
      'work | after · 3 runs',
      'work | before · 3 runs',
    ]);
  });

  it('of processes are named by their command lines, with the host if the names include it', () => {
    const process = { pid: 7, name: 'nginx', command: 'nginx: worker process' } as CaptureDocument['process'];
    const target = { kind: 'ssh', host: 'web1', kernel: null, arch: null, cpuCount: null } as const;
    const captures = [0, 1].map((run) => ({
      ...capture(String(run), `nginx (7) on web1 (${run + 1}/2)`, { id: 's', run, of: 2 }),
      process,
      target,
    }));
    expect(rows(captures)).toEqual(['nginx: worker process on web1 | 2 runs']);
  });
});

describe('commonName', () => {
  const common = (...names: string[]): string => commonName(names.map((name) => ({ name })));

  it('ends with a whole word', () => {
    expect(common('/tmp/x/phased 1.0', '/tmp/x/phased 1.3')).toBe('/tmp/x/phased');
    expect(common('load 10', 'load 12')).toBe('load');
    expect(common('web (1/2)', 'web (2/2)')).toBe('web');
    expect(common('load-10', 'load-12')).toBe('load');
    expect(common('1.1, web-1', '1.1, web-10', '1.1, web-2')).toBe('1.1');
    expect(common('1.1, web-1', '1.1, web-10')).toBe('1.1');
    expect(common('server', 'server')).toBe('server');
  });
});

describe('readTags', () => {
  it('splits at commas, drops spaces and duplicates', () => {
    expect(readTags(' a, b ,,a,c d ')).toEqual(['a', 'b', 'c d']);
    expect(readTags('')).toEqual([]);
  });

  it('drops nothing, and says in one line what is too much', () => {
    const many = Array.from({ length: 51 }, (_, place) => `t${place}`);
    expect(readTags([...many, 'x'.repeat(101)].join())).toHaveLength(52);
    expect(tagProblem(many)).toBe('51 tags; at most 50 are possible.');
    expect(tagProblem(['x'.repeat(101)])).toMatch(/^“x+…x+” is longer than 100 characters\.$/);
    expect(tagProblem(many.slice(1))).toBeNull();
  });
});

it('sorts groups by age, name with numbers, or size of the whole series', () => {
  const groups = groupCaptures([
    { ...capture('1', 'run 10'), sizeBytes: 5 },
    { ...capture('2', 's', { id: 's', run: 0, of: 2 }), sizeBytes: 4 },
    { ...capture('3', 's', { id: 's', run: 1, of: 2 }), sizeBytes: 4 },
    capture('4', 'run 9'),
  ]);
  const sorted = (by: LibrarySort) => sortGroups(groups, by).map(({ name }) => name);
  expect(sorted('newest')).toEqual(['run 10', 's', 'run 9']);
  expect(sorted('name')).toEqual(['run 9', 'run 10', 's']);
  expect(sorted('largest')).toEqual(['s', 'run 10', 'run 9']);
});

it('lists groups below each of their tags, the untagged last', () => {
  const groups = groupCaptures([
    { ...capture('1', 'both'), tags: ['v10', 'prod'] },
    capture('2', 'none'),
    { ...capture('3', 's', { id: 's', run: 0, of: 2 }), tags: ['v9'] },
    capture('4', 's', { id: 's', run: 1, of: 2 }),
    { ...capture('5', 'odd'), tags: ['__proto__'] },
  ]);
  expect(sectionsByTag(groups).map(({ tag, groups: some }) => [tag, ...some.map(({ name }) => name)])).toEqual([
    ['__proto__', 'odd'],
    ['prod', 'both'],
    ['v9', 's'],
    ['v10', 'both'],
    ['', 'none'],
  ]);
  expect(sectionsByTag(groupCaptures([capture('1', 'x')]))).toMatchObject([{ tag: null }]);
  expect(sectionsByTag([])).toEqual([{ tag: null, groups: [] }]);
});

it('makes one row of the captures of a load test, by step and run, which no tag or sort order splits', () => {
  const during = (test: string, concurrency: number, run: number): CaptureDocument => ({
    ...capture(`${test} ${concurrency} ${run}`, `api at ${concurrency} connections (run ${run}) · ${test}`),
    load: { test, name: test, concurrency, run, qps: 100, requests: 1000 },
  });
  // 8 load tests of 6 captures each, and captures of none.
  const tests = Array.from({ length: 8 }, (_, place) => `load-${place}`);
  const all = tests.flatMap((test) => [20, 10].flatMap((step) => [3, 2, 1].map((run) => during(test, step, run))));
  const rows = foldLoads(groupCaptures([capture('1', 'x'), ...all, during('load-9', 10, 1)]));
  expect(rows.map(({ name, isLoad, captures }) => [name, isLoad === true, captures.length])).toEqual([
    ['x', false, 1],
    ...tests.map((test) => [test, true, 6]),
    ['api at 10 connections (run 1) · load-9', false, 1],
  ]);
  expect(rows[1]!.captures.map(nameWithinLoad)).toEqual(
    [10, 20].flatMap((step) => [1, 2, 3].map((run) => `api at ${step} connections (run ${run})`)),
  );
  expect(sortGroups(rows, 'name')).toHaveLength(10);
});

it('makes one row of both sides of an experiment under load, by step, side and run', () => {
  const during = (side: 'before' | 'after', run: number): CaptureDocument => ({
    ...capture(`${side} ${run}`, `api at 10 connections (run ${run}) · try (${side})`),
    load: {
      test: `load-${side}`,
      name: `try (${side})`,
      concurrency: 10,
      run,
      qps: 100,
      requests: 1000,
      experiment: { id: 'experiment-1', name: 'try', side },
    },
  });
  const [row, ...others] = foldLoads(
    groupCaptures([during('before', 2), during('after', 2), during('after', 1), during('before', 1)]),
  );
  expect([row, others]).toMatchObject([{ id: 'load experiment-1', name: 'try', isLoad: true }, []]);
  expect(row!.captures.map(nameWithinLoad)).toEqual([
    'api at 10 connections (run 1) · before',
    'api at 10 connections (run 2) · before',
    'api at 10 connections (run 1) · after',
    'api at 10 connections (run 2) · after',
  ]);
});

it('shows the first groups of all sections, and counts the others', () => {
  const tagged = (id: string, tags: string[]): CaptureDocument => ({ ...capture(id, id), tags });
  const sections = sectionsByTag(groupCaptures([tagged('1', ['b']), tagged('2', ['a', 'b']), tagged('3', [])]));
  const cut = (count: number) => {
    const { shown, hidden } = firstGroups(sections, count);
    return [shown.map(({ tag, groups }) => [tag, ...groups.map(({ name }) => name)]), hidden];
  };
  expect(cut(2)).toEqual([
    [
      ['a', '2'],
      ['b', '1'],
    ],
    2,
  ]);
  expect(cut(9)).toEqual([
    [
      ['a', '2'],
      ['b', '1', '2'],
      ['', '3'],
    ],
    0,
  ]);
});
