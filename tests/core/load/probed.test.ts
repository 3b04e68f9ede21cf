import { expect, test } from 'vitest';
import { createProbeReader, probedNotes, probedSeries, probeSeriesArgv } from '#core/load/probed.ts';
import { parseLoadSeries } from '#core/contract/load/series.ts';

test('the URL is sent as it is, without its fragment, and as often as a minute at the rate takes', () => {
  const argv = probeSeriesArgv(
    'curl',
    { kind: 'probe', perSecond: 10, instance: 'x-id' },
    { url: 'http://[::1]:80/{a}?b=[c]#d', headers: ['A: b'] },
  );
  expect(argv.at(-1)).toBe(String.raw`http://\[::1\]:80/\{a\}?b=\[c\]#[1-600]`);
  expect(argv).toContain('10/s');
  expect(argv.at(-2)).toMatch(/%header\{x-id\}\\n$/);
});

test('parses a source of probes; another rate or header is refused, not read as a file', () => {
  expect(parseLoadSeries('probe:10')).toEqual({ kind: 'probe', perSecond: 10, instance: null });
  expect(parseLoadSeries('probe:5,X-Served-By')).toEqual({ kind: 'probe', perSecond: 5, instance: 'X-Served-By' });
  for (const text of ['probe:0', 'probe:51', 'probe:', 'probe:5,', 'probe:5,a b', 'probe:x', 'probe:5,a}b'])
    expect(parseLoadSeries(text)).toBeNull();
});

test('latency is that of the open connection; answers without a status are lost', () => {
  const read = createProbeReader();
  const lines = [
    'probe 200 0.010 0.030 0.050 a',
    'probe 200 0.000000 0.000000 0.020 a',
    'probe 503 0.000000 0.000000 0.900 b',
    'probe 000 0.000000 0.000000 0.001 ',
    'curl: (7) Failed to connect',
  ];
  const answers = lines.map((line, place) => read(line, 1000 + 500 * place)).filter((one) => one !== null);
  expect(answers.map(({ isCold }) => isCold)).toEqual([true, false, true, false]);
  const series = probedSeries('probes', answers, { from: 1000, to: 3000, most: 120 }, { instance: 'x-id' })!;
  expect(series.series).toEqual([
    { id: 'answers', values: [2, 1] },
    { id: 'p50', values: [expect.closeTo(0.02, 9), 0.9] },
    { id: 'p99', values: [expect.closeTo(0.02, 9), 0.9] },
    { id: 'cold', values: [1, 1] },
  ]);
  expect(series.answers).toMatchObject({ count: 3, lost: 1, failed: 1, cold: { count: 2, warmMedian: 0.02 } });
  expect(probedNotes([{ result: { concurrency: 50 }, vitals: [series] }])).toEqual([
    'Probes at 50 connections: 1 of 4 had no answer.',
    'Probes at 50 connections: 1 of 4 were answered with an error status.',
    'Probes at 50 connections: 2 of 3 answers (66.7 %) were cold, the first of an instance by x-id, median 20 ms; the others 20 ms.',
  ]);
  expect(probedSeries('probes', answers, { from: 9000, to: 9500, most: 120 }, { instance: null })).toBeNull();
});
