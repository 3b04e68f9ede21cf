import { describe, expect, it } from 'vitest';
import { buildCallTree } from '#core/analyze/call-tree.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { functionNames } from '#core/analyze/search.ts';
import { viewStacks } from '#core/analyze/view-stacks.ts';
import { findPath, findPicked } from '../../../renderer/worker/tree-places.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const profile = profileFromText('a;b;c 4\na;b;d 3\na;e 2\n__proto__ 1');
const names = functionNames(profile);
const tree = buildCallTree(viewStacks(profile), 'top-down');
const ref = (name: string): FunctionRef => ({ name, module: '', file: '', line: 0 });
const nameAt = (node: number): string | undefined => names[tree.func[node]!];

describe('findPath', () => {
  it('finds a path, or as much of it as there is', () => {
    const found = findPath(profile, tree, ['a', 'b', 'd'].map(ref));
    expect([nameAt(found.node), found.exact]).toEqual(['d', true]);
    const nearest = findPath(profile, tree, ['a', 'b', 'gone', 'd'].map(ref));
    expect([nameAt(nearest.node), nearest.exact]).toEqual(['b', false]);
    expect(findPath(profile, tree, [ref('gone')])).toEqual({ node: 0, exact: false });
    expect(findPath(profile, tree, [])).toEqual({ node: 0, exact: true });
    expect(nameAt(findPath(profile, tree, [ref('__proto__')]).node)).toBe('__proto__');
  });
});

describe('findPicked', () => {
  it('finds the function, and its row where the path leads there', () => {
    expect(findPicked(profile, tree, { func: ref('e'), path: ['a', 'e'].map(ref) })?.node).toBeGreaterThan(0);
    expect(findPicked(profile, tree, { func: ref('e'), path: ['b', 'e'].map(ref) })).toEqual({
      func: names.indexOf('e'),
      node: null,
    });
    expect(findPicked(profile, tree, { func: ref('gone'), path: null })).toBeNull();
  });
});
