import { describe, expect, it } from 'vitest';
import { splitMetrics } from '#core/contract/load/series.ts';
import { histogramSeries, readHistograms } from '#core/load/series/histogram.ts';

/** A histogram of two label sets; `counts` up to 0.1 s, 0.5 s and infinity, of each. */
const exposition = (name: string, ...counts: readonly (readonly [number, number, number])[]): string =>
  counts
    .flatMap(([tenth, half, all], place) => [
      `${name}_bucket{code="20${place}",le="0.1"} ${tenth}`,
      `${name}_bucket{code="20${place}",le="0.5"} ${half}`,
      `${name}_bucket{code="20${place}",le="+Inf"} ${all}`,
      `${name}_sum{code="20${place}"} 12.5`,
      `${name}_count{code="20${place}"} ${all}`,
    ])
    .join('\n');
const poll = (at: number, text: string) => ({ at, histograms: readHistograms(text) });
const NAME = 'http_request_duration_seconds';
const source = { hop: { name: 'app' }, metric: null };
const run = { from: 1000, to: 3000 };

describe('the histogram of a component', () => {
  // Within the run, 1,000 answers: 800 up to 0.1 s, 1,000 up to 0.5 s; 50 before it.
  const polls = [
    poll(0, exposition(NAME, [10, 20, 20], [20, 30, 30])),
    poll(1000, exposition(NAME, [20, 30, 30], [20, 30, 30])),
    poll(2000, exposition(NAME, [220, 280, 280], [220, 280, 280])),
    poll(3000, exposition(NAME, [420, 530, 530], [420, 530, 530])),
    poll(4000, exposition(NAME, [420, 530, 9000], [420, 530, 9000])),
  ];

  it('has the percentiles of the run, interpolated within a bucket as by Prometheus', () => {
    const found = histogramSeries('histogram of app', polls, run, source)!;
    // Rank 900 of 1,000 is halfway from 800 to 1,000: 0.1 + 0.4 × 0.5; rank 990 is 95 % of the way.
    expect(found.answers).toMatchObject({ hop: { name: 'app' }, count: 1000 });
    expect(found.answers!.hop!.latency.p90).toBeCloseTo(0.3, 9);
    expect(found.answers!.hop!.latency.p99).toBeCloseTo(0.48, 9);
    expect(found.name).toBe(`histogram of app: ${NAME}`);
    expect(found.at).toEqual([0, 1]);
    expect(found.series[0]).toEqual({ id: 'answers', values: [500, 500] });
    // 400 of 500 up to 0.1 s: the median is at rank 250 of them.
    expect(found.series[1]!.values[0]).toBeCloseTo(0.0625, 9);
  });

  it('is the named one, or the one that counted most; units are in the name', () => {
    const both = (scale: number): string =>
      `${exposition('rpc_duration_milliseconds', [scale, scale, scale])}\n${exposition(NAME, [2 * scale, 2 * scale, 2 * scale])}\n${exposition('body_bytes', [9e9, 9e9, 9e9])}`;
    const two = [poll(1000, both(0)), poll(3000, both(100))];
    expect(histogramSeries('t', two, run, source)!.name).toBe(`t: ${NAME}`);
    const named = histogramSeries('t', two, run, { ...source, metric: 'rpc_duration_milliseconds' })!;
    expect(named.answers!.hop!.latency.p90).toBeCloseTo(0.09e-3, 12);
    expect(histogramSeries('t', two, run, { ...source, metric: 'body_bytes' })).toBeNull();
  });

  it('is absent beyond its last bound, after a reset, without answers and with one poll', () => {
    const of = (...texts: string[]) => texts.map((text, place) => poll(1000 + 1000 * place, text));
    const start = exposition(NAME, [0, 0, 0]);
    expect(histogramSeries('t', of(start, exposition(NAME, [1, 50, 100])), run, source)).toBeNull();
    expect(histogramSeries('t', of(exposition(NAME, [9, 9, 9]), exposition(NAME, [1, 1, 1])), run, source)).toBeNull();
    expect(histogramSeries('t', of(start, start), run, source)).toBeNull();
    expect(histogramSeries('t', of(start), run, source)).toBeNull();
    expect(
      histogramSeries('t', of(start, `${NAME}_bucket{le="x"} 1\n${NAME}_bucket{le="1"} NaN\nnonsense`), run, source),
    ).toBeNull();
  });

  it('is an address after a component', () => {
    const url = 'http://127.0.0.1:9090/metrics?a=b,c';
    expect(splitMetrics(`app=:8080,metrics=${url}#${NAME}`)).toEqual({
      component: 'app=:8080',
      source: { kind: 'histogram', hop: { name: 'app', url }, metric: NAME },
    });
    expect(splitMetrics(`app=4711,metrics=${url}`)?.source).toMatchObject({ metric: null });
    for (const word of [
      'app=:8080',
      'app=:8080,metrics=file:///etc/passwd',
      'app=:8080,metrics=',
      `app=1,metrics=${url}#`,
    ])
      expect(splitMetrics(word)).toBeNull();
  });
});
