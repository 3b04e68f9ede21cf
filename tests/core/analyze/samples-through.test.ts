import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { samplesThrough } from '#core/analyze/tables/stack-weights.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('counts samples instead of their weight', () => {
  const profile = profileFromText('a;b 3\na;b;c 5\na 7\nb;a;b 2');
  const valueTypes = [{ ...profile.valueTypes[0]!, type: 'cpu', unit: 'nanoseconds' }];
  const view = buildStackView({ ...profile, valueTypes });
  const counts = (direction: 'top-down' | 'bottom-up') => {
    const tree = buildCallTree(view, direction);
    return Array.from(tree.func, (_, node) => samplesThrough(view, tree, node));
  };
  // all, a, a;b, a;b;c, b, b;a, b;a;b
  expect(counts('top-down')).toEqual([4, 3, 2, 1, 1, 1, 1]);
  // all, a, b, b<a, b<a<b, c, c<b, c<b<a
  expect(counts('bottom-up')).toEqual([4, 1, 2, 2, 1, 1, 1, 1]);
});

test('equals the weight if each sample weighs 1, for any stacks', () => {
  const stack = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(stack, { minLength: 1, maxLength: 10 }), (stacks) => {
      const view = buildStackView(profileFromText(stacks.map((frames) => `${frames.join(';')} 1`).join('\n')));
      for (const direction of ['top-down', 'bottom-up'] as const) {
        const tree = buildCallTree(view, direction);
        for (let node = 1; node < tree.length; node++) expect(samplesThrough(view, tree, node)).toBe(tree.total[node]);
      }
    }),
  );
});
