import { describe, expect, it } from 'vitest';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { compareComponents, componentChanges, componentTable, cpuOf } from '#core/load/components.ts';
import { concludeLoad } from '#core/load/conclude.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOf, type LoadSweep } from '#core/load/sweep.ts';
import { componentsOf } from '#core/load/vitals.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load-result.ts';

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
    const [first, second] = compareComponents({ before: slow, after: fixed });
    expect(first).toMatchObject({ name: 'proxy', concurrency: 50 });
    expect(cpuOf(first!)).toMatchObject({ judgement: { verdict: 'shrank' } });
    expect(cpuOf(first!)!.judgement.relative).toBeCloseTo(-0.6, 6);
    expect(second).toMatchObject({ name: 'app' });
    expect(cpuOf(second!)).toMatchObject({ judgement: { verdict: 'noise' } });
    const lines = concludeLoad(compareSweeps(slow, fixed), createLoadText('en'));
    expect(lines[0]).toMatch(
      /^At 50 connections: QPS grew by 100\.0 % ± \d\.\d % \(1,000 → 2,000\); p50 shrank by 50\.0 %/,
    );
    expect(lines[1]).toMatch(/^CPU per request by component: proxy shrank by 60\.0 % ± .*\(500 µs → 200 µs\); app /);
    expect(lines[2]).toBe('Not tested, because a side lacks it: p99.');
  });

  it('adds up the workers of one component, and knows a server that was started again by its name', () => {
    const workers = side({ qps: 100, cores: { nginx: 0.1 } }, { qps: 100, cores: { nginx: 0.1 } });
    const [step] = workers.steps;
    expect(componentsOf(step!.runs)).toMatchObject([{ name: 'nginx', pid: 1, cores: 0.1 }]);
    const two = sweepOf('two', [
      { ...turn({ qps: 100, cores: {} }, 0), server: [3, 4].map((pid) => ({ name: 'nginx', pid, cores: 0.2 })) },
    ]);
    expect(cpuOf(compareComponents({ before: two, after: two })[0]!)!.judgement.before).toBeCloseTo(0.004, 9);
  });

  it('has CPU, CPU per request and QPS per core of each component, before and after, with change and verdict', () => {
    const text = createLoadText('en');
    const { header, rows } = componentChanges(compareComponents({ before: slow, after: fixed }), text)!;
    expect(header).toEqual([
      'Connections',
      'Component',
      'CPU',
      'Δ CPU',
      'CPU per request',
      'Δ CPU per request',
      'QPS per core',
      'Δ QPS per core',
    ]);
    // 0.5 CPUs for 1,000 answers per second: 500 µs each, 2,000 per core.
    expect(rows[0]!.slice(0, 3)).toEqual(['50', 'proxy', '50.00 % → 40.00 %']);
    expect(rows[0]![3]).toMatch(/^-20\.0 % ± \d\.\d %: ▼ shrank$/);
    expect(rows[0]![6]).toBe('2,000 → 5,000');
    expect(rows[0]![7]).toMatch(/: ▲ grew$/);
    expect(rows[1]![3]).toMatch(/^\+100\.0 %/);
    expect(rows[1]![5]).toMatch(/no clear change$/);
    expect(componentTable(slow, text)!.rows[0]).toEqual(['50', 'proxy', '50.00 %', '500 µs', '2,000']);
    expect(componentTable(side({ qps: 1, cores: {} }), text)).toBeNull();
  });

  it('decides nothing from fewer than three turns of a side', () => {
    const lines = concludeLoad(compareSweeps(side(...turns(1000, { a: 1 }).slice(0, 2)), fixed), createLoadText('en'));
    expect(lines.at(-1)).toMatch(/^Nothing is decided: .*; at least 3 turns of each side are needed\.$/);
    expect(lines.join(' ')).not.toMatch(/ (?:grew|shrank) by/);
  });
});
