import { describe, expect, it } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { findPath, findPicked, placeOfLeaf } from '../../../renderer/analysis/tree-places.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const profile = profileFromText('a;b;c 4\na;b;d 3\na;e 2\n__proto__ 1');
const names = functionNames(profile);
const tree = buildCallTree(buildStackView(profile), 'top-down');
const places = { table: profile, tree, steps: [] };
const ref = (name: string): FunctionRef => ({ name, module: '', file: '', line: 0 });
const nameAt = (node: number): string | undefined => names[tree.func[node]!];

describe('findPath', () => {
  it('finds a path, or its longest existing part', () => {
    const found = findPath(places, ['a', 'b', 'd'].map(ref));
    expect([nameAt(found.node), found.exact]).toEqual(['d', true]);
    const nearest = findPath(places, ['a', 'b', 'gone', 'd'].map(ref));
    expect([nameAt(nearest.node), nearest.exact]).toEqual(['b', false]);
    expect(findPath(places, [ref('gone')])).toEqual({ node: 0, exact: false });
    expect(findPath(places, [])).toEqual({ node: 0, exact: true });
    expect(nameAt(findPath(places, [ref('__proto__')]).node)).toBe('__proto__');
  });
});

describe('findPicked', () => {
  it('finds the function, and its row if the path exists', () => {
    expect(findPicked(places, { func: ref('e'), path: ['a', 'e'].map(ref) })?.node).toBeGreaterThan(0);
    expect(findPicked(places, { func: ref('e'), path: ['b', 'e'].map(ref) })).toEqual({
      func: names.indexOf('e'),
      node: null,
    });
    expect(findPicked(places, { func: ref('gone'), path: null })).toBeNull();
  });
});

describe('placeOfLeaf', () => {
  const stack = (...leafFirst: string[]) => Int32Array.from(leafFirst, (name) => names.indexOf(name));

  it('is the end of the stack or, in a bottom-up tree, its start', () => {
    const ends = placeOfLeaf(tree, stack('d', 'b', 'a'))!;
    expect([names[ends.func], nameAt(ends.node!), tree.depth[ends.node!]]).toEqual(['d', 'd', 3]);
    const bottomUp = buildCallTree(buildStackView(profile), 'bottom-up');
    const begins = placeOfLeaf(bottomUp, stack('d', 'b', 'a'))!;
    expect([names[begins.func], names[bottomUp.func[begins.node!]!], bottomUp.depth[begins.node!]]).toEqual([
      'd',
      'd',
      1,
    ]);
  });

  it('has no node for a stack that the tree lacks, and is null without a stack', () => {
    expect(placeOfLeaf(tree, stack('d', 'e', 'a'))).toEqual({ func: names.indexOf('d'), node: null });
    expect(placeOfLeaf(tree, stack())).toBeNull();
  });
});

describe('with transforms that create functions', () => {
  const under = async (transform: NamedTransform) => {
    const resolved = await resolveTransforms(profile, [transform], patternsHere);
    const view = buildStackView(profile, undefined, resolved);
    const transformed = buildCallTree(view, 'top-down');
    const shown = functionNames(view.profile);
    return {
      places: { table: view.profile, tree: transformed, steps: resolved.steps },
      at: (node: number): string | undefined => shown[transformed.func[node]!],
    };
  };
  const pattern = (text: string) => ({ enabled: true, pattern: text, ignoreCase: false }) as const;

  it('finds a renamed function by its old and its new name', async () => {
    const { places: renamed, at } = await under({ kind: 'rename', ...pattern('^b$'), replacement: 'B' });
    for (const name of ['b', 'B']) {
      const { node, exact } = findPath(renamed, ['a', name, 'd'].map(ref));
      expect([at(node), exact]).toEqual(['d', true]);
    }
    expect(at(findPath(renamed, ['a', 'b'].map(ref)).node)).toBe('B');
    expect(findPicked(renamed, { func: ref('b'), path: null })?.func).toBe(profile.functions.length);
  });

  it('treats merged frames as one step of the path', async () => {
    const { places: collapsed, at } = await under({ kind: 'collapse-path', ...pattern('^[ab]$'), label: 'ab' });
    const { node, exact } = findPath(collapsed, ['a', 'b', 'd'].map(ref));
    expect([at(node), exact]).toEqual(['d', true]);
  });
});
