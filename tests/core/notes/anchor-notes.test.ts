import { expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { NoteAnchor, NotedFunction } from '#core/contract/notes.ts';
import { anchorNotes, type AnchoredNote } from '#core/notes/anchor-notes.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const named = (text: string): NotedFunction => {
  const [name = '', module = ''] = text.split('@');
  return { name, module };
};
const path = (text: string, direction: 'top-down' | 'bottom-up' = 'top-down'): NoteAnchor => ({
  kind: 'path',
  direction,
  path: text.split(';').map(named),
});
const func = (text: string): NoteAnchor => ({ kind: 'function', func: named(text) });

/** Finds notes and describes each by its fit, the paths of its rows and the names of its functions. */
function find(
  text: string,
  anchors: readonly NoteAnchor[],
  direction: 'top-down' | 'bottom-up' = 'top-down',
): string[] {
  const profile = profileFromText(text);
  const view = buildStackView(profile, wholeProfile(profile));
  const tree = buildCallTree(view, direction);
  const name = (one: number): string => profile.strings[profile.functions.name[one]!]!;
  const pathOf = (node: number): string =>
    node === 0 ? '' : `${pathOf(tree.parent[node]!)}/${name(tree.func[node]!)}`;
  const shown = ({ fit, nodes, funcs }: AnchoredNote): string =>
    [fit, ...nodes.map(pathOf), ...funcs.map(name)].join(' ');
  return anchorNotes(anchors, { table: view.profile, live: null, tree }).map(shown);
}

test('finds a path, a function, and notes that refer to neither', () => {
  const range: NoteAnchor = { kind: 'range', start: 1, end: 2 };
  expect(
    find('a;b;c 1\na;b 2\nx 1', [path('a;b;c'), func('b'), range, { kind: 'whole' }, path('a;x;gone'), func('B')]),
  ).toEqual(['exact /a/b/c c', 'exact b', 'exact', 'exact', 'orphaned', 'orphaned']);
});

test('reports a path under other callers as moved, heaviest places first; otherwise finds its function', () => {
  expect(find('new;a;b;c 1\nold;a;b;c 5\na;c 9', [path('a;b;c'), path('a;b;old')])).toEqual([
    'moved /old/a/b/c /new/a/b/c c',
    'function old',
  ]);
  // A focused view begins in the middle of the path.
  expect(find('b;c 1', [path('main;a;b;c')])).toEqual(['moved /b/c c']);
});

test('follows a recursive path to its depth', () => {
  expect(find('a;a;a;b 1', [path('a;a'), path('a;a;a;a')])).toEqual(['exact /a/a a', 'moved /a/a/a a']);
});

test('finds a path of the other direction by its function', () => {
  expect(find('a;b;c 1', [path('c;b', 'bottom-up'), path('a;b')], 'bottom-up')).toEqual(['exact /c/b b', 'function b']);
});

test('matches functions by the rules of Compare', () => {
  const anchors = [
    func('f+0x40'),
    func('main.run.func2.1'),
    path('core::run::h0123456789abcdef;work.isra.0'),
    func('constructor'),
    func('__proto__'),
  ];
  expect(find('f+0x1c 1\nmain.run.func3 1\ncore::run::hfedcba9876543210;work 1', anchors)).toEqual([
    'exact f+0x1c',
    'exact main.run.func3',
    'exact /core::run::hfedcba9876543210/work work',
    'orphaned',
    'orphaned',
  ]);
});

test('finds a function without a known module by its name', () => {
  expect(find('a;b 1', [func('b@/opt/server-1.2')])).toEqual(['exact b']);
});

test('finds a delta by what changed', () => {
  const of = path('a;b') as Extract<NoteAnchor, { kind: 'path' }>;
  expect(find('a;b 1', [{ kind: 'delta', of }])).toEqual(['exact /a/b b']);
});
