import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { callersAndCallees } from '#core/analyze/tree/neighbours.ts';
import { calleesView, callersView } from '#core/analyze/tree/sandwich.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { resolved } from '../../support/sketch-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

function nameOf({ profile }: StackView, func: number): string {
  return func < 0 ? 'all' : profile.strings[profile.functions.name[func]!]!;
}

function functionOf(view: StackView, name: string): FunctionIndex {
  const { strings, functions } = view.profile;
  return functions.name.findIndex((row) => strings[row] === name) as FunctionIndex;
}

const rows = (view: StackView, tree: CallTree): string[] =>
  Array.from(tree.func, (func, node) => `${' '.repeat(tree.depth[node]!)}${nameOf(view, func)} ${tree.total[node]!}`);

test('shows callees below a function and callers above it, each stack once', () => {
  const view = buildStackView(profileFromText('a;f;x 1\nb;f;y 2\nb;f;a;f;y 4\nb;z 8'));
  const f = functionOf(view, 'f');
  const below = calleesView(view, f);
  expect(rows(below, buildCallTree(below, 'top-down'))).toEqual([
    'all 7',
    ' f 7',
    '  a 4',
    '   f 4',
    '    y 4',
    '  x 1',
    '  y 2',
  ]);
  const above = callersView(view, f);
  expect(rows(above, buildCallTree(above, 'bottom-up'))).toEqual(['all 7', ' f 7', '  a 1', '  b 6']);
  expect([below.hidden, above.hidden, below.sampleCount, above.sampleCount]).toEqual([8, 8, 7, 7]);
});

test('leaves an empty tree for a function that does not occur', () => {
  const view = buildStackView(profileFromText('a;b 3'));
  const absent = view.profile.functions.length as FunctionIndex;
  for (const half of [calleesView(view, absent), callersView(view, absent)]) {
    expect([half.total, half.hidden, half.sampleCount]).toEqual([0, 3, 0]);
    expect(buildCallTree(half, 'bottom-up').length).toBe(1);
  }
});

test('weighs the function in both halves, and has the callees of focus, for any stacks', () => {
  const stack = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(fc.array(fc.tuple(stack, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 12 }), (lines) => {
      const profile = profileFromText(lines.map(([frames, weight]) => `${frames.join(';')} ${weight}`).join('\n'));
      const view = buildStackView(profile);
      for (let func = 0 as FunctionIndex; func < profile.functions.length; func++) {
        const { total } = callersAndCallees(view, func);
        const below = calleesView(view, func);
        const above = callersView(view, func);
        expect([below.total, above.total]).toEqual([total, total]);
        const focused = buildStackView(profile, wholeProfile(profile), resolved(profile, [{ kind: 'focus', func }]));
        expect(rows(below, buildCallTree(below, 'top-down'))).toEqual(
          rows(focused, buildCallTree(focused, 'top-down')),
        );
        const callers = buildCallTree(above, 'bottom-up');
        expect(total === 0 ? 0 : callers.end[1]).toBe(total === 0 ? 0 : callers.length);
      }
    }),
  );
});
