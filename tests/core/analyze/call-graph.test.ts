import { expect, test } from 'vitest';
import { callGraph } from '#core/analyze/tables/call-graph.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('counts a stack once for each function and each call, however often they recur', () => {
  const profile = profileFromText('a;b;a;b 3\na;b;b 2\na 5');
  const nameOf = (func: number): string => profile.strings[profile.functions.name[func]!]!;
  const nodes = callGraph(profile, wholeProfile(profile)).map(({ func, self, total, callers, callees }) => ({
    name: nameOf(func),
    self,
    total,
    callers: callers.map(({ caller, weight }) => `${nameOf(caller)} ${weight}`),
    callees: callees.map(({ callee, weight }) => `${nameOf(callee)} ${weight}`),
  }));
  expect(nodes.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'a', self: 5, total: 10, callers: ['b 3'], callees: ['b 5'] },
    { name: 'b', self: 5, total: 5, callers: ['a 5'], callees: ['a 3'] },
  ]);
});

test('leaves out functions whose weights sum up to zero', () => {
  const profile = profileFromText('a;b 3\na;c 2');
  const weights = profile.samples.weights[0]!;
  const negated = {
    ...profile,
    samples: { ...profile.samples, weights: [weights.map((w, row) => (row === 0 ? w : -3))] },
  };
  const nodes = callGraph(negated, wholeProfile(negated));
  expect(nodes.map(({ func }) => negated.strings[negated.functions.name[func]!])).toEqual(['b', 'c']);
});
