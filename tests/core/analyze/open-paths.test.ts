import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { nodesOfPaths, pathsOfNodes } from '#core/analyze/tree/open-paths.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const treeOf = (profile: Profile, timeRange: { start: number; end: number } | null): CallTree =>
  buildCallTree(buildStackView(profile, { ...wholeProfile(profile, 1 as ValueTypeIndex), timeRange }), 'top-down');

const pathOf = ({ parent, func }: CallTree, node: number): string =>
  node < 0 ? '' : `${pathOf({ parent, func } as CallTree, parent[node]!)};${func[node]!}`;

test('nodes are found again in another tree by the functions on their paths, in their order', () => {
  fc.assert(
    fc.property(sketches, fc.array(fc.boolean(), { minLength: 1 }), (generated, choices) => {
      const samples = generated.map((one, index) => ({ ...one, time: index }));
      const profile = profileFromSketch([...samples, { stack: ['a', 'b'], weight: 1, time: samples.length }]);
      const tree = treeOf(profile, null);
      const later = treeOf(profile, { start: samples.length / 2, end: samples.length });
      const chosen = Int32Array.from({ length: tree.length }, (_, node) => node).filter(
        (node) => choices[node % choices.length]!,
      );
      const paths = pathsOfNodes(tree, chosen.toReversed());
      expect([...nodesOfPaths(tree, paths)]).toEqual([...chosen]);
      const places = new Map(Array.from({ length: later.length }, (_, node) => [pathOf(later, node), node]));
      expect([...nodesOfPaths(later, paths)]).toEqual(
        Array.from(chosen, (node) => places.get(pathOf(tree, node)) ?? -1),
      );
    }),
  );
});
