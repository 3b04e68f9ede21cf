import { expect, test } from 'vitest';
import type { AnyPlan } from '#collectors/collector.ts';
import { collectors } from '#collectors/registry.ts';

const plan = (part: { piped?: boolean; options?: object } = {}): AnyPlan =>
  ({ piped: false, options: {}, ...part }) as AnyPlan;

test('every collector says which file grows while it records, or why there is no graph before the end', () => {
  const said = Object.values(collectors).map(({ live, label }) => [label, live.growing(plan())]);
  expect(said).toHaveLength(7);
  for (const [, growing] of said) expect(growing).toEqual({ refusal: expect.stringMatching(/^[a-z].*[^.]$/) });
});

test('perf’s text grows if it is asked for, or made on the target', () => {
  const { growing } = collectors.perf.live;
  expect(growing(plan({ options: { watched: true } }))).toEqual({ fileName: 'raw.perf-script.txt' });
  expect(growing(plan({ piped: true }))).toEqual({ fileName: 'raw.perf-script.txt' });
});
