import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { functionTrends } from '#core/analyze/time/trend.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { functionNamed, profileFromSketch, resolved } from '../../../support/sketch-profile.ts';

test('counts the last samples in the second half, also if times are beyond 2^53', () => {
  const start = 1.7e18;
  const samples = (name: string, time: number) =>
    Array.from({ length: 20 }, () => ({ stack: [name], weight: 1, time }));
  const profile = profileFromSketch([...samples('early', start), ...samples('late', start + 1e9)]);
  const view = buildStackView(profile);
  const stats = functionStats(view);
  const trends = functionTrends(profile, view, resolved(profile, []), stats)!;
  const trendOf = (name: string) => trends[stats.func.indexOf(functionNamed(profile, name))];
  expect([trendOf('early'), trendOf('late')]).toEqual([-1, 1]);
});
