import { expect, test } from 'vitest';
import { collectorsWith } from '#collectors/registry.ts';
import { planServer } from '#app/engine/loads/plan-server.ts';

test('refuses runs whose window is longer than the profile’s collector records', async () => {
  const profile = { collector: 'python', rateHz: 100, at: 'each' } as const;
  const open = () => Promise.reject(new Error('no machine is asked'));
  const planFor = (seconds: number) =>
    planServer(open, { target: 'local', pids: [1], profile }, seconds, collectorsWith({}));
  // The window is what is left of 750 s and 751 s without a tenth at each end: 600 s and 601 s.
  await expect(planFor(750)).rejects.toThrow('no machine is asked');
  await expect(planFor(751)).rejects.toThrow('A run of 751 s is too long for Python, which records at most 600 s.');
});
