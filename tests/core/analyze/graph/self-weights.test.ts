import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_SLOTS, type ColourScheme } from '#core/colour/frame-colour.ts';
import { selfWeights } from '#core/analyze/graph/self-weights.ts';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const SCHEME: ColourScheme = { mode: 'package', theme: 'dark', slots: NO_SLOTS };

function partsOf(text: string, direction: CallTree['direction'] = 'top-down', name: string | null = null) {
  const profile = profileFromText(text);
  const selection = { valueType: profile.metadata.defaultValueType, threads: null, timeRange: null };
  const tree = buildCallTree(buildStackView(profile, selection), direction);
  const nameOf = (node: number): string | null =>
    tree.func[node]! < 0 ? null : profile.strings[profile.functions.name[tree.func[node]!]!]!;
  const root = Array.from(tree.func.keys()).find((node) => nameOf(node) === name)!;
  const { groups, hottest } = selfWeights(profile, tree, root, SCHEME);
  return {
    total: tree.total[root]!,
    groups: groups.map(({ label, weight }) => [label, weight] as const),
    hottest: hottest === null ? null : nameOf(hottest),
  };
}

test('splits what is shown by the functions in which stacks end, heaviest first', () => {
  const { groups, hottest } = partsOf('go.f;rust::g 10\nc::h 15\nc::h;go.g 2');
  expect(groups).toEqual([
    ['c', 15],
    ['rust', 10],
    ['go', 2],
  ]);
  expect(hottest).toBe('c::h');
});

test('lists colours that only pass weight on, with nothing of their own', () => {
  expect(partsOf('go.f;rust::g 10').groups).toEqual([
    ['rust', 10],
    ['go', 0],
  ]);
});

test('splits the zoomed frame only', () => {
  const { groups, hottest } = partsOf('go.f;rust::g 10\nc::h 15', 'top-down', 'go.f');
  expect(groups).toEqual([
    ['rust', 10],
    ['go', 0],
  ]);
  expect(hottest).toBe('rust::g');
});

test('splits bottom-up by the first row, which is the self weight, and has no hottest leaf', () => {
  const { groups, hottest } = partsOf('go.f;rust::g 10\nc::h 15\nc::h;go.g 2', 'bottom-up');
  expect(groups).toEqual([
    ['c', 15],
    ['rust', 10],
    ['go', 2],
  ]);
  expect(hottest).toBeNull();
});

test('adds up to the total in both directions', () => {
  const line = fc
    .tuple(fc.array(fc.constantFrom('go.a', 'go.b', 'c::c', 'd'), { minLength: 1, maxLength: 5 }), fc.nat(9))
    .map(([stack, weight]) => `${stack.join(';')} ${weight + 1}`);
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 9 }),
      fc.constantFrom('top-down' as const, 'bottom-up' as const),
      (lines, direction) => {
        const { groups, total } = partsOf(lines.join('\n'), direction);
        expect(groups.reduce((sum, [, weight]) => sum + weight, 0)).toBe(total);
      },
    ),
  );
});
