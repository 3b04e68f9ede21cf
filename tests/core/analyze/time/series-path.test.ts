import { expect, test } from 'vitest';
import { seriesExtent, seriesPath, seriesSentence } from '#core/analyze/time/series-path.ts';

const SERIES = { name: 'GetAddrInfoReqWrap', unit: 'count', at: [0, 1e9, 2e9, 3e9], values: [0, null, 20, 41_200] };
const SIZE = { width: 100, height: 20 };

test('draws known values from 0 to the highest, within the range, with gaps', () => {
  expect(seriesPath(SERIES, { start: 0, end: 4e9 }, SIZE)).toBe('M0,20M50,19.99L75,0');
  expect(seriesPath(SERIES, { start: 2e9, end: 3e9 }, SIZE)).toBe('M-200,20M0,19.99L100,0');
  expect(seriesPath({ ...SERIES, values: [] }, { start: 0, end: 1 }, SIZE)).toBe('');
  expect(seriesPath({ ...SERIES, values: [0, 0] }, { start: 0, end: 1e9 }, SIZE)).toBe('M0,20L100,20');
});

test('says the lowest and the highest value in the unit', () => {
  expect(seriesExtent(SERIES)).toEqual({ least: '0', most: '41,200' });
  expect(seriesExtent({ ...SERIES, unit: 'milliseconds', values: [0.2, 12.5] })).toEqual({
    least: '200 µs',
    most: '12.5 ms',
  });
  expect(seriesExtent({ ...SERIES, unit: 'ratio', values: [0.5, null] })).toEqual({ least: '50.0 %', most: '50.0 %' });
  expect(seriesExtent({ ...SERIES, values: [null] })).toBeNull();
  expect(seriesSentence(SERIES)).toBe('GetAddrInfoReqWrap: 0 to 41,200');
  expect(seriesSentence({ ...SERIES, values: [null] })).toBe('GetAddrInfoReqWrap: not known');
});
