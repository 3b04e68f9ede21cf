import { expect, test } from 'vitest';
import { collectorOptionsSchema } from '#core/contract/schemas.ts';

const perf = { scope: { kind: 'system' }, rateHz: 99, event: null, callGraph: 'fp', seconds: 10 };

test('reads options in documents of versions that only had perf as perf’s', () => {
  expect(collectorOptionsSchema.parse(perf)).toEqual({ collector: 'perf', ...perf });
});

test('refuses options of an unknown collector', () => {
  expect(collectorOptionsSchema.safeParse({ ...perf, collector: 'sh' }).success).toBe(false);
});
