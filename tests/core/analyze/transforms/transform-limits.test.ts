import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { exactFunctionStats } from '#core/analyze/tables/exact-stats.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms, type PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames, PatternError } from '#core/analyze/search.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { byFunction, framedSamples, profileOfFrames } from '../framed-samples.ts';
import { pathTarget } from './path-target.ts';

describe('a stack of 100,000 frames', () => {
  const profile = deepProfile(100_000);
  const view = buildStackView(profile);
  const tree = buildCallTree(view, 'top-down');
  const half = pathTarget(profile, tree, 50_000)!;
  const on = { enabled: true } as const;

  test.each<[string, NamedTransform, number, number]>([
    ['focus a subtree', { ...on, kind: 'focus', on: half }, 50_001, 49_999],
    ['hide a subtree', { ...on, kind: 'hide', on: half }, 49_999, 50_001],
    ['merge a node', { ...on, kind: 'merge', on: { ...half, from: 'root' } }, 99_999, 0],
    ['collapse recursion', { ...on, kind: 'collapse-recursion', on: { by: 'all' }, direct: false }, 2, 0],
    ['collapse direct recursion', { ...on, kind: 'collapse-recursion', on: { by: 'all' }, direct: true }, 100_000, 0],
    ['collapse a module', { ...on, kind: 'collapse-module', module: 'm' }, 1, 0],
  ])('%s', { timeout: 60_000 }, async (_, transform, rows, hidden) => {
    const found = buildStackView(
      profile,
      wholeProfile(profile),
      await resolveTransforms(profile, [transform], patternsHere),
    );
    expect(found.length).toBe(rows);
    expect(found.hidden).toBe(hidden);
  });
});

/** Makes a profile in which `f` and `g` call each other, with a sample at every depth. */
function deepProfile(depth: number): Profile {
  const builder = new ProfileBuilder();
  const frames = ['f', 'g'].map((name) => builder.frame({ func: builder.function({ name, module: 'm' }) }));
  const thread = builder.thread(1, 1, 't');
  let stack = NO_STACK;
  for (let at = 0; at < depth; at++) {
    stack = builder.stack(stack, frames[at % 2]!);
    builder.sample({ stack, thread });
  }
  return builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
}

describe('resolved transforms', () => {
  const profile = profileOfFrames(framedSamples('x!a;x!b 1', 'y!a 2'));
  const rename: NamedTransform = {
    enabled: true,
    kind: 'rename',
    pattern: '^a$',
    ignoreCase: false,
    replacement: 'c',
  };

  test('apply only to their own profile', async () => {
    const resolved = await resolveTransforms(profile, [rename], patternsHere);
    const other = profileOfFrames(framedSamples('x!a 1'));
    expect(() => buildStackView(other, wholeProfile(other), resolved)).toThrow(RangeError);
  });

  test('leave the profile unchanged if they make no functions', async () => {
    const resolved = await resolveTransforms(
      profile,
      [{ enabled: true, kind: 'hide', on: byFunction('y!a') }],
      patternsHere,
    );
    expect(buildStackView(profile, wholeProfile(profile), resolved).profile).toBe(profile);
  });

  test('work with exact sums', async () => {
    const resolved = await resolveTransforms(profile, [rename], patternsHere);
    const { total, byFunction } = exactFunctionStats(profile, wholeProfile(profile), resolved);
    expect(total).toBe(3n);
    expect([...byFunction.values()].map((sums) => sums.self)).toEqual([1n, 0n, 2n]);
  });

  test('run patterns on the given names, on renamed ones later, and pass on failures', async () => {
    const names = functionNames(profile);
    const seen: (readonly string[])[] = [];
    const recording: PatternRunner = {
      match: (given, pattern) => {
        seen.push(given);
        return patternsHere.match(given, pattern);
      },
      rename: (given, pattern, replacement) => {
        seen.push(given);
        return patternsHere.rename(given, pattern, replacement);
      },
    };
    const match = (pattern: string): NamedTransform => ({
      enabled: true,
      kind: 'hide',
      on: { by: 'pattern', pattern, ignoreCase: false },
    });
    await resolveTransforms(profile, [match('a'), rename, match('c')], recording, names);
    expect(seen[0]).toBe(names);
    expect(seen[1]).toBe(names);
    expect(seen[2]).toEqual(['a', 'b', 'a', 'c', 'c']);
    await expect(resolveTransforms(profile, [match('(')], patternsHere)).rejects.toThrow(PatternError);
  });

  test('refuse a path without functions', async () => {
    const nothing: NamedTransform = { enabled: true, kind: 'focus', on: { by: 'path', from: 'root', path: [] } };
    await expect(resolveTransforms(profile, [nothing], patternsHere)).rejects.toThrow(RangeError);
  });
});
