import { expect, it } from 'vitest';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';
import { hopCharts, hopColour, sweepCharts } from '#core/load/charts/sweeps.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOf } from '#core/load/sweep.ts';

const options = { locale: 'en', text: createLoadText('en'), scale: 'log' } as const;

const result = (concurrency: number | null, qps: number): LoadResult => ({
  tool: 'wrk',
  target: null,
  concurrency,
  seconds: 3,
  requests: 3 * qps,
  qps,
  success: null,
  errors: [],
  bytes: null,
  latency: NO_LATENCY,
  notes: [],
});

it('draws steps of known concurrency, and no chart without one', () => {
  const [qps] = sweepCharts([{ role: 'only', sweep: sweepOf('a', [result(1, 10), result(null, 20)]) }], options);
  expect(qps!.svg.attributes['aria-label']).toBe(
    'QPS against concurrency: QPS 10 at 1 connection, 20 at unknown concurrency',
  );
  expect(JSON.stringify(qps).match(/"circle"/g)).toHaveLength(1);
  expect(sweepCharts([{ role: 'only', sweep: sweepOf('a', [result(null, 20)]) }], options)).toEqual([]);
});

it('gives each hop its colour, and the ninth that of the first again', () => {
  const charts = hopCharts(
    Array.from({ length: 9 }, (_, place) => sweepOf(`hop ${place}`, [result(1, 10)])),
    options,
  );
  expect(charts.map(({ id }) => id)).toEqual(['hops-qps']);
  const strokes = [...JSON.stringify(charts).matchAll(/"stroke":"(#[0-9a-f]{6})"/g)].map(([, colour]) => colour);
  expect(strokes).toHaveLength(9);
  expect(new Set(strokes).size).toBe(8);
  expect(hopColour(8)).toBe(hopColour(0));
});
