import { describe, expect, it, test } from 'vitest';
import { normal, randomOf } from '../compare/simulate.ts';
import { studentQuantile } from '#core/compare/statistics/student.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import {
  capturesToCompare,
  compareComponents,
  componentChanges,
  componentTable,
  componentUses,
  cpuOf,
  oneSidedComponents,
  profiledComponent,
} from '#core/load/components.ts';
import { comparedPart, concludedStep, concludeLoad, profiledStep } from '#core/load/conclude.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { compareSeries } from '#core/load/compare-series.ts';
import { comparisonNotes } from '#core/load/describe-load.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { sweepOf, type LoadSweep } from '#core/load/sweep.ts';
import type { LoadRun } from '#core/contract/load/load-test.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';

interface Turn {
  readonly qps: number;
  /** CPUs by component; the PID is another one in each turn, as of a server that is started again. */
  readonly cores: Readonly<Record<string, number>>;
}

const turn = ({ qps, cores }: Turn, place: number): LoadResult => ({
  tool: 'wrk',
  target: 'http://a/',
  concurrency: 50,
  seconds: 10,
  requests: qps * 10,
  qps,
  success: 1,
  errors: [],
  bytes: null,
  latency: { ...NO_LATENCY, mean: 50 / qps, percentiles: [{ percent: 50, seconds: 40 / qps }] },
  server: Object.entries(cores).map(([name, used], at) => ({ name, pid: 100 * place + at + 1, cores: used })),
  notes: [],
});

const side = (...turns: Turn[]): LoadSweep => sweepOf('side', turns.map(turn));
const jitter = [0.995, 1, 1.004, 0.998, 1.003];
const turns = (qps: number, cores: Turn['cores']): Turn[] =>
  jitter.map((by) => ({
    qps: qps * by,
    cores: Object.fromEntries(Object.entries(cores).map(([name, used]) => [name, used * by * by])),
  }));

describe('the conclusion of an experiment', () => {
  const slow = side(...turns(1000, { proxy: 0.5, app: 0.2 }));
  const fixed = side(...turns(2000, { proxy: 0.4, app: 0.4 }));

  it('names the component whose CPU per request changed: a slow proxy that was fixed, not the app', () => {
    const [first, second] = compareComponents(compareSweeps(slow, fixed));
    expect(first).toMatchObject({ name: 'proxy', concurrency: 50 });
    expect(cpuOf(first!)).toMatchObject({ judgement: { verdict: 'shrank' } });
    expect(cpuOf(first!)!.judgement.relative).toBeCloseTo(-0.6, 6);
    expect(second).toMatchObject({ name: 'app' });
    expect(cpuOf(second!)).toMatchObject({ judgement: { verdict: 'noise' } });
    const lines = concludeLoad(compareSweeps(slow, fixed), createLoadText('en'));
    expect(lines[0]).toMatch(
      /^At 50 connections: QPS grew by 100\.0 % ± \d\.\d % \(1,000 → 2,000\); p50 shrank by 50\.0 %/,
    );
    expect(lines[1]).toMatch(
      /^CPU per request by component, the largest change first: proxy shrank by 60\.0 % ± .*\(500 µs → 200 µs\); app /,
    );
    expect(lines[2]).toBe('Not tested, because a side lacks it: p99.');
  });

  it('says success first if it changed or is below the bound of the knee: fast errors are no gain', () => {
    const failing = (sweep: LoadSweep, success: number): LoadSweep =>
      sweepOf(
        'failing',
        sweep.steps[0]!.runs.map((run) => ({
          ...run,
          success,
          errors: [{ kind: 'status', detail: '500', count: Math.round(run.requests! * (1 - success)) }],
        })),
      );
    const text = createLoadText('en');
    const lines = concludeLoad(compareSweeps(slow, failing(fixed, 0.4)), text);
    expect(lines[0]).toMatch(
      /^At 50 connections: success shrank by 60\.0 % ± \S+ % \(100\.00 % → 40\.00 %\); QPS grew by 100\.0 % .* QPS and latencies include failed answers\.$/,
    );
    const [both] = concludeLoad(compareSweeps(failing(slow, 0.9), failing(slow, 0.9)), text);
    expect(both).toMatch(/^At 50 connections: success did not change \(90\.00 % → 90\.00 %\); QPS /);
    const fine = concludeLoad(compareSweeps(slow, failing(slow, 0.9999)), text);
    expect(fine.slice(0, 2)).toEqual([
      'No clear change at 50 connections.',
      expect.stringMatching(/^At 50 connections: QPS /),
    ]);
  });

  it('adds up the workers of one component, and knows a server that was started again by its name', () => {
    const workers = side({ qps: 100, cores: { nginx: 0.1 } }, { qps: 100, cores: { nginx: 0.1 } });
    const [step] = workers.steps;
    expect(componentUses(step!.runs)).toMatchObject([{ name: 'nginx', pid: 1, cores: 0.1 }]);
    const two = sweepOf('two', [
      { ...turn({ qps: 100, cores: {} }, 0), server: [3, 4].map((pid) => ({ name: 'nginx', pid, cores: 0.2 })) },
    ]);
    expect(cpuOf(compareComponents(compareSweeps(two, two))[0]!)!.judgement.before).toBeCloseTo(0.004, 9);
  });

  it('has CPU, CPU per request and QPS per core of each component, before and after, with change and verdict', () => {
    const text = createLoadText('en');
    const { header, rows } = componentChanges(compareComponents(compareSweeps(slow, fixed)), text)!;
    expect(header).toEqual([
      'Connections',
      'Component',
      'QPS',
      'Δ QPS',
      'CPU',
      'Δ CPU',
      'CPU per request',
      'Δ CPU per request',
      'QPS per core',
      'Δ QPS per core',
    ]);
    // 0.5 CPUs for 1,000 answers per second: 500 µs each, 2,000 per core.
    expect(rows[0]!.slice(0, 3)).toEqual(['50', 'proxy', '1,000 → 2,000']);
    expect(rows[0]![3]).toMatch(/^\+100\.0 % ± \d\.\d %: ▲ grew$/);
    expect(rows[0]![4]).toBe('50.00 % → 40.00 %');
    expect(rows[0]![5]).toMatch(/^-20\.0 % ± \d\.\d %: ▼ shrank$/);
    expect(rows[0]![8]).toBe('2,000 → 5,000');
    expect(rows[0]![9]).toMatch(/: ▲ grew$/);
    expect(rows[1]![5]).toMatch(/^\+100\.0 %/);
    expect(rows[1]![7]).toMatch(/no clear change$/);
    expect(componentTable(slow, text)!.rows[0]).toEqual(['50', 'proxy', '1,000', '50.00 %', '500 µs', '2,000']);
    expect(componentTable(side({ qps: 1, cores: {} }), text)).toBeNull();
  });

  it('has the p90 and p99 of the probes of a component, and judges QPS once, with the load', () => {
    const text = createLoadText('en');
    const probed = (sweep: LoadSweep, p99: number): LoadSweep =>
      sweepOf(
        'probed',
        sweep.steps[0]!.runs.map((run, place) => ({
          ...run,
          server: run.server!.map((use) =>
            use.name === 'proxy' ? { ...use, latency: { p90: p99 / 2, p99: p99 * jitter[place]! } } : use,
          ),
        })),
      );
    const comparison = compareSweeps(probed(slow, 0.2), probed(fixed, 0.02));
    const components = compareComponents(comparison);
    const { header, rows } = componentChanges(components, text)!;
    expect(header.slice(2, 8)).toEqual(['QPS', 'Δ QPS', 'p90', 'Δ p90', 'p99', 'Δ p99']);
    expect(rows[0]!.slice(4, 7)).toEqual([
      '100 ms → 10 ms',
      expect.stringMatching(/^-90\.0 % .*▼ shrank$/),
      '200 ms → 20 ms',
    ]);
    expect(rows[1]!.slice(4, 8)).toEqual(['–', '–', '–', '–']);
    const qps = comparison.steps[0]!.metrics.find(({ metric }) => metric.id === 'qps');
    for (const { metrics } of components) expect(metrics[0]).toBe(qps);
    expect(concludeLoad(comparison, text)).toContainEqual(
      expect.stringMatching(/^p99 of each component: proxy shrank by 90\.0 % .*\(200 ms → 20 ms\)\.$/),
    );
    expect(componentTable(comparison.before, text)!.rows).toEqual([
      ['50', 'proxy', '1,000', '100 ms', '200 ms', '50.00 %', '500 µs', '2,000'],
      ['50', 'app', '1,000', '–', '–', '20.00 %', '200 µs', '5,000'],
    ]);
  });

  it('says which differences are excluded, rounded up, if nothing changed', () => {
    const one = side(...turns(1000, { app: 0.5 }));
    const [headline, , line] = concludeLoad(compareSweeps(one, one), createLoadText('en'));
    expect(headline).toBe('No clear change at 50 connections.');
    const [, qps, level] =
      /^No difference larger than (\S+) % in QPS, .* in p50 and .* in CPU per request \((\S+) % /.exec(line!)!;
    // QPS, success, mean, p50, QPS per core and CPU per request are tested; none of them is a discovery.
    expect(Number(level)).toBeCloseTo(100 * (1 - 0.05 / 6), 2);
    // The variance of a turn is 1.35e-5 of its square, with 8 degrees of freedom for both sides of five.
    const bound = 100 * studentQuantile(0.05 / 6, 8) * Math.sqrt((2 * 1.35e-5) / 5);
    expect(Number(qps)).toBeGreaterThanOrEqual(bound);
    expect(Number(qps)).toBeLessThan(bound + 0.1);
    const changed = concludeLoad(compareSweeps(one, side(...turns(1100, { app: 0.5 }))), createLoadText('en'));
    expect(changed.join('\n')).not.toMatch(/No difference/);
  });

  it('looks into the captures of the component that changed most, of those that both sides recorded', () => {
    const comparison = compareSweeps(slow, fixed);
    const recorded = ({ steps: [step] }: LoadSweep, names: readonly string[]): LoadRun[] =>
      step!.runs.map((result, run) => ({
        startedAt: null,
        file: null,
        result,
        captures: result.server!.flatMap(({ name, pid }) =>
          names.includes(name) ? [{ id: `${name} ${run}`, pid }] : [],
        ),
      }));
    const of = (before: readonly string[], after: readonly string[], at: number) =>
      profiledComponent(comparison, { before: recorded(slow, before), after: recorded(fixed, after) }, at);
    const both = ['app', 'proxy'];
    expect(of(both, both, 50)).toMatchObject({ name: 'proxy', before: [{ id: 'proxy 0' }, {}, {}, {}, {}], others: 1 });
    expect(of(both, ['app'], 50)).toMatchObject({ name: 'app', others: 0 });
    expect(of(['proxy'], ['app'], 50)).toBeNull();
    // What the functions are of is said although only the app could be recorded.
    const only = { before: recorded(slow, ['app']), after: recorded(fixed, ['app']) };
    expect(comparedPart(comparison, only)).toBe(' of app');
    expect(of(both, both, 60)).toBeNull();
    const [before, after] = [recorded(slow, both), recorded(fixed, both)];
    expect(capturesToCompare(comparison, { before, after }, 50)).toMatchObject({
      name: 'proxy',
      before: { length: 5 },
    });
    const unnamed = before.map((run) => ({ ...run, captures: [{ id: 'one', pid: 99 }] }));
    expect(capturesToCompare(comparison, { before: unnamed, after }, 50)).toMatchObject({
      name: null,
      before: { length: 5 },
      after: { length: 10 },
    });
  });

  it('blames a certain change before a larger one that is noise, and no component if none is certain', () => {
    // The app's CPU per request grows by 10 µs ± 0.5 %; the cache's by 40 µs, but varies by half.
    const noise = [0.4, 1.6, 1, 0.7, 1.3];
    const of = (app: number, cache: number): LoadSweep =>
      side(...noise.map((by, place) => ({ qps: 1000, cores: { app: app * jitter[place]!, cache: cache * by } })));
    const changed = compareSweeps(of(0.1, 0.1), of(0.11, 0.14));
    expect(compareComponents(changed).map(({ name }) => name)).toEqual(['app', 'cache']);
    expect(concludeLoad(changed, createLoadText('en'))).toContainEqual(
      expect.stringMatching(
        /^CPU per request by component, certain changes first: app grew by 10\.0 % .*; cache shows/,
      ),
    );
    expect(concludeLoad(compareSweeps(of(0.1, 0.1), of(0.1, 0.14)), createLoadText('en'))).toContainEqual(
      expect.stringMatching(
        /^CPU per request by component, the largest change first: cache .* No component’s change is certain\.$/,
      ),
    );
  });

  it('pairs a renamed binary, compares its series, and looks into its captures, not those of the gateway before it', () => {
    const old = side(...turns(1000, { gateway: 0.1, 'server-old': 0.5 }));
    const renamed = side(...turns(2000, { gateway: 0.2, 'server-new': 0.4 }));
    const files = (sweep: LoadSweep, source: string, mean: number): LoadSweep => ({
      ...sweep,
      series: new Map(
        sweep.steps[0]!.runs.map((run, at) => [
          run,
          [{ source, id: 'files', mean: mean * jitter[at]!, variance: 0, maximum: mean }],
        ]),
      ),
    });
    const comparison = compareSweeps(files(old, 'server-old', 10), files(renamed, 'server-new', 40));
    const [first] = compareComponents(comparison);
    // 0.5 CPUs ÷ 1,000 and 0.4 ÷ 2,000 answers per second.
    expect(first).toMatchObject({ name: 'server-old → server-new', names: ['server-old', 'server-new'] });
    expect(cpuOf(first!)).toMatchObject({ judgement: { verdict: 'shrank' } });
    expect(cpuOf(first!)!.judgement.before).toBeCloseTo(500e-6, 9);
    expect(cpuOf(first!)!.judgement.after).toBeCloseTo(200e-6, 9);
    expect(compareSeries(comparison)).toMatchObject([
      { source: 'server-old → server-new', judgement: { verdict: 'grew', before: 10 } },
    ]);
    expect(oneSidedComponents(comparison)).toEqual([]);
    const recorded = ({ steps: [step] }: LoadSweep): LoadRun[] =>
      step!.runs.map((result, run) => ({
        startedAt: null,
        file: null,
        result,
        captures: result.server!.map(({ name, pid }) => ({ id: `${name} ${run}`, pid })),
      }));
    expect(profiledComponent(comparison, { before: recorded(old), after: recorded(renamed) }, 50)).toMatchObject({
      name: 'server-old → server-new',
      before: { 0: { id: 'server-old 0' }, length: 5 },
      after: { 0: { id: 'server-new 0' }, length: 5 },
      others: 1,
    });
  });

  it('pairs components of other names by the ports at which they listen, named or in the name', () => {
    const at = (ports: Readonly<Record<string, number>>): LoadSweep => {
      const [step] = side(...turns(1000, Object.fromEntries(Object.keys(ports).map((name) => [name, 0.5])))).steps;
      return sweepOf(
        'ports',
        step!.runs.map((run) => ({
          ...run,
          server: run.server!.map((use) => ({ ...use, ...(ports[use.name]! > 0 ? { port: ports[use.name]! } : {}) })),
        })),
      );
    };
    const names = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string[] =>
      compareComponents(compareSweeps(at(before), at(after))).map(({ name }) => name);
    expect(names({ 'old-a': 8080, 'old-b': 9000 }, { 'new-b': 9000, 'new-a': 8080 })).toEqual([
      'old-a → new-a',
      'old-b → new-b',
    ]);
    expect(names({ 'node :8080': 0, 'node :8081': 0 }, { bun: 8081, deno: 8080 })).toEqual([
      'node :8080 → deno',
      'node :8081 → bun',
    ]);
    expect(names({ 'old-a': 1, 'old-b': 2 }, { 'new-a': 3, 'new-b': 4 })).toEqual([]);
  });

  it('names a hop that only one side has, with its CPU per request', () => {
    const text = createLoadText('en');
    const direct = side(...turns(1000, { gateway: 0.1, app: 0.5 }));
    const hops = side(...turns(1000, { gateway: 0.1, proxy: 0.2, app: 0.5 }));
    // 0.2 CPUs ÷ 1,000 answers per second, five turns whose squares have the mean 1.0000148.
    expect(concludeLoad(compareSweeps(hops, direct), text)).toContain('Only before: proxy, 200 µs per request.');
    const added = compareSweeps(direct, hops);
    expect(concludeLoad(added, text)).toContain('Only after: proxy, 200 µs per request.');
    const { rows } = componentChanges(compareComponents(added), text, oneSidedComponents(added))!;
    expect(rows.at(-1)!.slice(0, 8)).toEqual([
      '50',
      'proxy',
      '– → 1,000',
      'only after',
      '– → 20.00 %',
      'only after',
      '– → 200 µs',
      'only after',
    ]);
    // A side that was not watched lacks nothing.
    expect(oneSidedComponents(compareSweeps(side(...turns(1000, {})), hops))).toEqual([]);
  });

  it('looks into the captures of its own step, else of the last step that both sides recorded', () => {
    const at = (concurrency: number, qps: number): LoadResult => ({ ...turn({ qps, cores: {} }, 0), concurrency });
    const sweep = sweepOf('side', [at(10, 500), at(50, 1000), at(100, 900)]);
    const comparison = compareSweeps(sweep, sweep);
    expect(concludedStep(comparison)).toBe(50);
    const recorded = (...steps: number[]): LoadRun[] =>
      steps.map((step) => ({ startedAt: null, file: null, result: at(step, 1), captures: [{ id: 'one', pid: 1 }] }));
    const of = (before: LoadRun[], after: LoadRun[]): number | null => profiledStep(comparison, { before, after });
    expect(of(recorded(10, 50, 100), recorded(10, 50, 100))).toBe(50);
    expect(of(recorded(10, 50), recorded(10, 100))).toBe(10);
    expect(of(recorded(10, 100), recorded(10, 100))).toBe(100);
    expect(of(recorded(10), recorded(100))).toBe(50);
  });

  it('excludes no change of metrics that vary too much', () => {
    const noisy = side(...[0.3, 1, 1.9].map((by) => ({ qps: 1000 * by, cores: { app: by * 0.5 } })));
    const lines = concludeLoad(compareSweeps(noisy, noisy), createLoadText('en'));
    expect(lines).toContain('The runs vary too much to exclude any change of QPS and p50.');
    expect(lines.join('\n')).toMatch(/^No difference larger than \S+ % in CPU per request \(/m);
  });

  it('ends with no difference in 100 simulated experiments of a server against itself', () => {
    const random = randomOf(49);
    const noisy = (deviation: number): number => Math.exp(deviation * normal(random));
    const run = (): LoadResult => {
      const qps = 1000 * noisy(0.04);
      const one = turn({ qps, cores: { app: qps * 500e-6 * noisy(0.03) } }, 0);
      const percentiles = [
        { percent: 50, seconds: 0.05 * noisy(0.04) },
        { percent: 99, seconds: 0.2 * noisy(0.2) },
      ];
      return { ...one, latency: { ...one.latency, percentiles } };
    };
    const sideOf = (): LoadSweep => sweepOf('side', Array.from({ length: 5 }, run));
    const said = Array.from({ length: 100 }, () =>
      concludeLoad(compareSweeps(sideOf(), sideOf()), createLoadText('en')).join('\n'),
    );
    // A false discovery in at most 5 %, and two standard errors.
    expect(said.filter((lines) => /^No difference larger than /m.test(lines)).length).toBeGreaterThanOrEqual(91);
  });

  it('decides nothing from fewer than three turns of a side', () => {
    const lines = concludeLoad(compareSweeps(side(...turns(1000, { a: 1 }).slice(0, 2)), fixed), createLoadText('en'));
    expect(lines.at(-1)).toMatch(/^Nothing is decided: .*; at least 3 turns of each side are needed\.$/);
    expect(lines.join(' ')).not.toMatch(/ (?:grew|shrank) by/);
  });
});

test('notes say on which side they are, and why runs for the profile have none', () => {
  const runsOf = (notes: string[], extra: string[]): LoadRun[] =>
    [notes, notes, extra].map((own, place) => ({
      file: null,
      startedAt: null,
      result: { ...turn({ qps: 100, cores: {} }, place), notes: own },
      ...(place < 2 ? {} : { isExtra: true as const }),
    }));
  const sweep = (notes: string[], extra: string[]): LoadSweep => sweepOfTest({ name: 'a', runs: runsOf(notes, extra) });
  const notes = comparisonNotes(
    compareSweeps(sweep(['both', 'old'], ['both', 'No profile of app: why.']), sweep(['both'], [])),
    createLoadText('en'),
  );
  expect(notes.filter((note) => /\d runs?\b/.test(note))).toEqual([
    '2 of 2 runs: both',
    'before: 2 of 2 runs: old',
    'before: 1 of 1 run for the profile: No profile of app: why.',
  ]);
});
