import { expect, it } from 'vitest';
import { medianOf, preflightRefusal, readProbe, shiftOf } from '#core/load/probe.ts';

const probe = (...words: readonly (string | number)[]): string => `probe ${words.join(' ')}\n`;

it('splits the times of two transfers into phases', () => {
  const text =
    probe(0.001, 0.003, 0.01, 0.0101, 0.03, 0.05, 1, 200) +
    probe('0,00001', '0,00002', 0, '0,00003', '0,02', '0,03', 0, 200);
  const found = readProbe(text)!;
  expect(found.status).toBe(200);
  expect(found.cold).toEqual({
    dns: 0.001,
    tcp: 0.002,
    tls: expect.closeTo(0.007, 9) as number,
    firstByte: expect.closeTo(0.02, 9) as number,
    download: expect.closeTo(0.02, 9) as number,
    total: 0.05,
  });
  expect(found.kept).toMatchObject({ dns: 0, tcp: 0, tls: null, firstByte: expect.closeTo(0.01998, 9) as number });
});

it('adds the preflight before each request: the connection that it opens is the request’s', () => {
  const preflight = (...words: readonly (string | number)[]): string => `preflight ${words.join(' ')}\n`;
  const found = readProbe(
    preflight(0.001, 0.003, 0.01, 0.0101, 0.03, 0.031, 1, 204) +
      probe(0.00001, 0.00002, 0, 0.00003, 0.02, 0.05, 0, 200) +
      preflight(0.00001, 0.00002, 0, 0.00003, 0.004, 0.005, 0, 204) +
      probe(0.00001, 0.00002, 0, 0.00003, 0.02, 0.03, 0, 200),
  )!;
  const close = (value: number): number => expect.closeTo(value, 9) as number;
  expect(found.cold).toEqual({
    dns: 0.001,
    tcp: close(0.002),
    tls: close(0.007),
    preflight: close(0.021),
    firstByte: close(0.01998),
    download: close(0.03),
    total: close(0.081),
  });
  expect(found.kept).toMatchObject({ dns: 0, tls: null, preflight: close(0.00498), total: close(0.035) });
  // A server that closes the connection after the preflight makes the request open another one.
  const closed =
    preflight(0.001, 0.003, 0, 0.003, 0.03, 0.03, 1, 200) + probe(0.001, 0.004, 0, 0.004, 0.03, 0.05, 1, 200);
  expect(readProbe(closed + closed)).toMatchObject({ cold: { dns: 0.002, tcp: close(0.005) }, kept: null });
  expect(preflightRefusal(closed)).toBeNull();
  expect(preflightRefusal(preflight(0.001, 0.003, 0, 0.003, 0.03, 0.03, 1, 405))).toBe(405);
});

it('has no kept connection if the server closed it, and is null if the first transfer failed', () => {
  const first = probe(0.001, 0.003, 0, 0.003, 0.03, 0.05, 1, 200);
  expect(readProbe(first + probe(0.001, 0.003, 0, 0.003, 0.03, 0.05, 1, 200))!.kept).toBeNull();
  expect(readProbe(first)!.kept).toBeNull();
  expect(readProbe(probe(0, 0, 0, 0, 0, 0.01, 0, '000'))).toBeNull();
  expect(readProbe('curl: (6) no such host\n')).toBeNull();
});

it('gives medians with the interval of order statistics', () => {
  expect(medianOf([])).toBeNull();
  expect(medianOf([7])).toEqual({ median: 7, interval: null, values: 1 });
  expect(medianOf([3, 1, 2])).toEqual({ median: 2, interval: null, values: 3 });
  // 2 ÷ 2⁶ = 3.1 % lie outside the extremes of six values; of ten, 2.1 % outside the second.
  expect(medianOf([1, 2, 3, 4, 5, 6])).toEqual({ median: 3.5, interval: [1, 6], values: 6 });
  expect(medianOf([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])!.interval).toEqual([2, 9]);
});

it('gives the shift of two series with its interval', () => {
  expect(shiftOf([], [1])).toBeNull();
  expect(shiftOf([1, 2], [11, 12])).toEqual({ shift: 10, interval: null });
  const before = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const found = shiftOf(
    before,
    before.map((one) => one + 20),
  )!;
  expect(found.shift).toBe(20);
  expect(found.interval![0]).toBeGreaterThan(15);
  expect(found.interval![1]).toBeLessThan(25);
});
