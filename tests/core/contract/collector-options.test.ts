import { expect, test } from 'vitest';
import { collectorOptionsSchema } from '#core/contract/schemas.ts';

const perf = { scope: { kind: 'system' }, rateHz: 99, event: null, callGraph: 'fp', seconds: 10 };

test('options in documents of versions that had perf alone are perf’s', () => {
  expect(collectorOptionsSchema.parse(perf)).toEqual({ collector: 'perf', ...perf });
});

test('options of a collector that there is not are refused', () => {
  expect(collectorOptionsSchema.safeParse({ ...perf, collector: 'sh' }).success).toBe(false);
});
