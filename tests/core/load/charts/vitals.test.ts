import { expect, it } from 'vitest';
import type { LoadRun } from '#core/contract/load/load-test.ts';
import { NO_LATENCY } from '#core/contract/load/result.ts';
import { vitalsCharts } from '#core/load/charts/vitals.ts';
import { htmlText } from '#core/export/markup.ts';

const run = (startedAt: number, name = 'server'): LoadRun => ({
  file: null,
  startedAt,
  result: {
    tool: 'wrk',
    target: null,
    concurrency: 10,
    seconds: 3,
    requests: 300,
    qps: 100,
    success: 1,
    errors: [],
    bytes: null,
    latency: NO_LATENCY,
    notes: [],
  },
  vitals: [
    {
      name,
      pid: 7,
      at: [0.5, 1.5, 2.5],
      series: [
        { id: 'cpu', values: [null, 0.5, 1.5] },
        { id: 'rss', values: [1 << 20, null, 2 << 20] },
        { id: 'sockets:established', values: [10, 10, 10] },
      ],
    },
  ],
});

it('draws each series below the QPS on one time axis, with gaps where a reading is missing', () => {
  const charts = vitalsCharts([{ role: 'only', runs: [run(1000), run(5000)] }], 'en');
  expect(charts.map(({ title }) => title)).toEqual([
    'QPS of each run',
    'CPU',
    'Memory (RSS)',
    'TCP sockets: established',
  ]);
  const [qps, cpu, rss] = charts.map(({ svg }) => htmlText(svg, true));
  expect(cpu).toContain('aria-label="CPU over time: server (7) 0.5 CPUs to 1.5 CPUs"');
  expect(rss).toContain('server (7) 1 MiB to 2 MiB');
  // Two runs of 3 s, 4 s apart: the axis has 7 s on 850 px.
  expect(qps).toMatch(/<path d="M78,[\d.]+L442\.29,/);
  expect(rss!.match(/<path d="(M[\d.,]+M[\d.,]+)"/)).not.toBeNull();
});

it('draws two tests over each other, and escapes names', () => {
  const sides = [
    { role: 'before', runs: [run(0)] },
    { role: 'after', runs: [run(90_000, '<b>&')] },
  ] as const;
  const [, cpu] = vitalsCharts(sides, 'en').map(({ svg }) => htmlText(svg, true));
  expect(cpu).toContain('before server (7) 0.5 CPUs to 1.5 CPUs; after &lt;b&gt;&amp; (7)');
  expect(cpu).not.toContain('<b>');
});

it('distinguishes the components of a server by dashes', () => {
  const one = run(0);
  const both = { ...one, vitals: [...one.vitals!, { ...one.vitals![0]!, name: 'sidecar', pid: 8 }] };
  const [, cpu] = vitalsCharts([{ role: 'only', runs: [both] }], 'en').map(({ svg }) => htmlText(svg, true));
  expect(cpu).toContain('server (7) 0.5 CPUs to 1.5 CPUs; sidecar (8) 0.5 CPUs to 1.5 CPUs');
  expect(cpu!.match(/stroke-dasharray="6 3"/g)).toHaveLength(1);
});

it('names a series once, and only the sources that have it', () => {
  const { result, ...one } = run(0);
  const overTime = { name: 'Locust', pid: null, at: [0, 1], series: [{ id: 'p99', values: [0.1, 0.2] }] };
  const runs = [{ ...one, result: { ...result, overTime } }];
  const labels = vitalsCharts([{ role: 'only', runs }], 'en').map(({ svg }) => svg.attributes['aria-label']);
  expect(labels).toContain('p99 over time: Locust 100 ms to 200 ms');
  expect(labels).toContain('CPU over time: server (7) 0.5 CPUs to 1.5 CPUs');
});

it('draws nothing for tests whose server was not watched', () => {
  const { vitals: _vitals, ...unwatched } = run(0);
  expect(vitalsCharts([{ role: 'only', runs: [unwatched] }], 'en')).toEqual([]);
  expect(vitalsCharts([{ role: 'only', runs: [] }], 'en')).toEqual([]);
});
