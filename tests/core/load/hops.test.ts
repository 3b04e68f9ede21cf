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
