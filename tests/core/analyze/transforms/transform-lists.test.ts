import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import { functionFacts } from '#core/model/function-facts.ts';
import type { FunctionTarget, StackTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import { namedTransformSchema } from '#core/analyze/transforms/transform-schema.ts';
import { viewSamples, buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { sum, weightOf } from '../../../support/naive-analysis.ts';
import {
  byFunction,
  byPath,
  framedPaths,
  framedSketches,
  framedStack,
  framedWeights,
  frames,
  profileOfFrames,
  viewOf,
  type FramedSample,
} from '../framed-samples.ts';
import { naiveView } from './naive-transform.ts';
import { pathTarget } from './path-target.ts';

const pattern = {
  pattern: fc.constantFrom('a', '^[ab]$', '.', 'B', '^$', 'proto', 'y|x|R', 'd|c'),
  ignoreCase: fc.boolean(),
};
const functionTarget: fc.Arbitrary<FunctionTarget> = fc.oneof(
  fc.constantFrom(...frames).map(byFunction),
  fc.constantFrom('x', '/lib/y.so', '', '__proto__').map((module) => ({ by: 'module', module }) as const),
  fc.record({ by: fc.constant('pattern' as const), ...pattern }),
);
const path = fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 4 });
const enabled = fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false));

/**
 * Generates transforms. With `own`, paths come from the stacks of the sketches, because random paths hardly ever match.
 */
const transforms = (own: readonly string[][]): fc.Arbitrary<StackTransform> => {
  const anyPath = fc.oneof(path, ...(own.length === 0 ? [] : [fc.constantFrom(...own)]));
  const fromRoot = anyPath.map((frames) => byPath('root', ...frames));
  const fromLeaf = anyPath.map((frames) => byPath('leaf', ...frames.toReversed()));
  return fc.oneof(
    fc.record({
      enabled,
      kind: fc.constantFrom('focus' as const, 'hide' as const),
      on: fc.oneof(functionTarget, fromRoot, fromLeaf),
    }),
    fc.record({ enabled, kind: fc.constant('merge' as const), on: fc.oneof(functionTarget, fromRoot) }),
    fc.record({
      enabled,
      kind: fc.constantFrom(
        'drop-without' as const,
        'focus-self' as const,
        'show' as const,
        'collapse-subtree' as const,
      ),
      on: functionTarget,
    }),
    fc.record({
      enabled,
      kind: fc.constant('collapse-recursion' as const),
      on: fc.oneof(functionTarget, fc.constant({ by: 'all' as const })),
      direct: fc.boolean(),
    }),
    fc.record({
      enabled,
      kind: fc.constant('collapse-module' as const),
      module: fc.constantFrom('x', '/lib/y.so', null),
    }),
    fc.record({
      enabled,
      kind: fc.constant('collapse-path' as const),
      ...pattern,
      label: fc.constantFrom('', 'R', 'a'),
    }),
    fc.record({
      enabled,
      kind: fc.constant('rename' as const),
      ...pattern,
      replacement: fc.constantFrom('', 'a', '$&$&', 'R'),
    }),
  );
};

const cases = fc
  .tuple(framedSketches, framedStack)
  .map(([sketch, stack]): FramedSample[] => [...sketch, { stack, weight: 3 }])
  .chain((all) => {
    const prefixes = all.flatMap(({ stack }) => [stack.slice(0, 1), stack.slice(0, 2), stack.slice(0, 4)]);
    const own = prefixes.filter((prefix) => prefix.length > 0);
    return fc.tuple(fc.constant(all), fc.array(transforms(own), { maxLength: 5 }));
  });

describe('any list of transforms', () => {
  test('has the same effect on a view as on a list of stacks', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([all, list]) => {
        const view = await viewOf(all, ...list);
        const naive = naiveView(all, list);
        expect(framedWeights(view)).toEqual(naive.weights);
        expect(view.hiddenBy).toEqual(naive.hiddenBy);
        expect(view.total + view.hidden).toBe(weightOf(all));
        expect(view.total).toBe(sum(view.self) + view.withoutStack);
        checkProfile(view.profile);
        expect(new Set(view.profile.strings).size).toBe(view.profile.strings.length);
        for (let row = 0; row < view.length; row++) expect(view.parent[row]).toBeLessThan(row);
      }),
      { numRuns: 400 },
    );
  });

  test('moves every sample with its stack', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([all, list]) => {
        const profile = profileOfFrames(all);
        const selection = { ...wholeProfile(profile), threads: [0 as ThreadIndex] };
        const resolved = await resolveTransforms(profile, list, patternsHere);
        const { view, rowOfSample } = viewSamples(profile, selection, resolved);
        expect(view).toEqual(buildStackView(profile, selection, resolved));
        const paths = framedPaths(view);
        const found = [...rowOfSample].map((row) => (row === -1 ? '' : row === -2 ? null : paths[row]));
        const { stacks } = naiveView(all, list);
        expect(found).toEqual(
          stacks.map((stack, index) => {
            if (all[index]!.weight === 0) return undefined;
            return stack === null ? null : stack.join(';');
          }),
        );
      }),
      { numRuns: 120 },
    );
  });

  test('is unchanged after saving, and in another profile with the same stacks', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([all, list]) => {
        const saved = list.map((one) => namedTransformSchema.parse(JSON.parse(JSON.stringify(one))));
        expect(saved).toEqual(list);
        const view = await viewOf(all, ...list);
        const other = await viewOf(all.toReversed(), ...saved);
        expect(framedWeights(other)).toEqual(framedWeights(view));
        expect(other.hiddenBy).toEqual(view.hiddenBy);
      }),
      { numRuns: 80 },
    );
  });

  test('finds a call tree node again by its path', async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.nat(),
        fc.constantFrom('top-down', 'bottom-up'),
        async ([all, list], pick, direction) => {
          const view = await viewOf(all, ...list);
          const tree = buildCallTree(view, direction);
          if (tree.length === 1) return;
          const node = 1 + (pick % (tree.length - 1));
          const on = pathTarget(view.profile, tree, node)!;
          const focused = await viewOf(all, ...list, { enabled: true, kind: 'focus', on });
          expect(focused.total).toBe(tree.total[node]);
          const hidden = await viewOf(all, ...list, { enabled: true, kind: 'hide', on });
          expect(hidden.hiddenBy.at(-1)).toBe(tree.total[node]);
          const again = buildCallTree(focused, direction);
          expect([...again.func.subarray(1)].map((func) => framedName(focused, func))).toEqual(
            [...tree.func.subarray(node, tree.end[node])].map((func) => framedName(view, func)),
          );
        },
      ),
      { numRuns: 120 },
    );
  });
});

function framedName({ profile }: StackView, func: number): string {
  return `${functionFacts(profile, func).module}!${functionLabel(profile, func)}`;
}
