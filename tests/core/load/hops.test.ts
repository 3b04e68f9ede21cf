import { expect, it } from 'vitest';
import { hopComponents, hopRows, hopTable } from '#core/load/hops.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { sweepOf, type LoadSweep } from '#core/load/sweep.ts';

/** A sweep at 10 and 20 connections with three runs each; `mean` in milliseconds. */
function sweep(name: string, mean: number, concurrencies: readonly number[] = [10, 20]): LoadSweep {
  const lines = concurrencies.flatMap((one) =>
    [-0.1, 0, 0.1].map((drift) => `${one} ${(1000 * one) / mean} ${mean + drift} 100.00`),
  );
  const server = [{ name: `<b>${name}`, pid: 7, cores: 0.5 }];
  return sweepOf(
    name,
    readLoadResults(`${lines.join('\n')}\n`).map((result) => ({ ...result, server })),
  );
}

it('states what each hop adds to the one behind it, step by step', () => {
  const rows = hopRows([sweep('app', 5), sweep('sidecar', 6), sweep('gateway', 9, [10])]);
  expect(rows.map(({ concurrency, hop, added }) => [concurrency, hop, added?.[0]?.delta ?? null])).toEqual([
    [10, 'app', null],
    [10, 'sidecar', expect.closeTo(0.001, 9)],
    [10, 'gateway', expect.closeTo(0.003, 9)],
    [20, 'app', null],
    [20, 'sidecar', expect.closeTo(0.001, 9)],
  ]);
  const [low, high] = rows[1]!.added![0]!.interval!;
  expect(low).toBeLessThan(0.001);
  expect(high).toBeGreaterThan(0.001);
});

it('adds up the workers of a component, and has the p90 and p99 of its probes', () => {
  const workers = [1, 2, 3, 4].map((pid) => ({ name: 'nginx', pid, cores: 0.25 }));
  const probed = [{ ...workers[0]!, latency: { p90: 0.002, p99: 0.004 } }, ...workers.slice(1)];
  const { name, steps } = sweep('nginx', 5, [10]);
  const hop = sweepOf(
    name,
    steps[0]!.runs.map((run) => ({ ...run, server: probed })),
  );
  const found = hopRows([hop, sweep('gateway', 9, [10])]);
  // Four workers with a quarter of a CPU each: one CPU for 2,000 answers per second.
  expect(found[0]!.components).toEqual([
    { name: 'nginx', pid: 1, cores: 1, perCore: 2000, perRequest: 0.0005, p90: 0.002, p99: 0.004 },
  ]);
  const { header, rows } = hopComponents(found, createLoadText('en'))!;
  expect(header.slice(3, 6)).toEqual(['QPS', 'p90', 'p99']);
  expect(rows[0]).toEqual(['10', 'nginx', 'nginx', '2,000', '2 ms', '4 ms', '100.00 %', '500 µs', '2,000']);
  expect(rows[1]!.slice(4, 6)).toEqual(['–', '–']);
});

it('is a table of latencies, and one of the CPU of each component', () => {
  const text = createLoadText('en');
  const found = hopRows([sweep('app', 5, [10]), sweep('gateway', 9, [10])]);
  const { header, rows } = hopTable(found, text);
  expect(header).toEqual(['Connections', 'Hop', 'QPS', 'mean', 'added to mean']);
  expect(rows[0]).toEqual(['10', 'app', '2,000', '5 ms', '–']);
  expect(rows[1]![4]).toMatch(/^\+4 ms ± /);
  expect(hopComponents(found, text)).toEqual({
    names: 3,
    header: ['Connections', 'Hop', 'Component', 'QPS', 'CPU', 'CPU per request', 'QPS per core'],
    rows: [
      ['10', 'app', '<b>app', '2,000', '50.00 %', '250 µs', '4,000'],
      [
        '10',
        'gateway',
        '<b>gateway',
        expect.stringMatching(/^1,11\d/),
        '50.00 %',
        '450 µs',
        expect.stringMatching(/^2,22\d/),
      ],
    ],
  });
  expect(
    hopComponents(
      found.map((row) => ({ ...row, components: [] })),
      text,
    ),
  ).toBeNull();
});
